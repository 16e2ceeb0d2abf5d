#pragma once

#include "bytecode/encoder.hpp"
#include "bytecode/tables.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// Encodes attributes: inline, as an operation's own, or self-contained, with a tag in front.
class AttributeEncoder {
 public:
  AttributeEncoder(const ir::Module& module, Tables& tables, ir::Version version)
      : module_(module), tables_(tables), version_(version) {}

  /// Attribute `i` of `op`; nothing where it lives in the flags or the version has not got it.
  void inline_attribute(Encoder& out, const ir::Operation& op, std::size_t i);
  /// Hints with their tag, as in a function record.
  void tagged_hints(Encoder& out, const ir::Hints& hints);

 private:
  void hints(Encoder& out, const ir::Hints& hints);
  void literal(Encoder& out, const ir::Literal& literal);
  void predicate(Encoder& out, const ir::Predicate& predicate);

  const ir::Module& module_;
  Tables& tables_;
  ir::Version version_;
};

} // namespace cutile::bytecode
