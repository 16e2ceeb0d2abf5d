#pragma once

#include "bytecode/read_tables.hpp"

namespace cutile::bytecode {

/// Decodes attributes; the counterpart of AttributeEncoder.
class AttributeDecoder {
 public:
  AttributeDecoder(const ir::Module& module, ReadTables& tables)
      : module_(module), tables_(tables) {}

  /// The value of an operation's attribute `a`, which the file holds. A constant is of type
  /// `result`, the operation's.
  [[nodiscard]] ir::Attr inline_attribute(Decoder& in, const ir::AttrDef& a, ir::TypeId result);
  /// Hints with their tag, as in a function record.
  [[nodiscard]] ir::Hints tagged_hints(Decoder& in);
  /// Skips a self-contained attribute of any kind.
  void skip(Decoder& in, int depth = 0);

 private:
  ir::Hints hints(Decoder& in);
  ir::Hints::Value hint(Decoder& in);
  ir::Literal literal(Decoder& in);

  const ir::Module& module_;
  ReadTables& tables_;
};

} // namespace cutile::bytecode
