#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bytecode/encoder.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// The string, type and constant tables, filled while the functions are written.
class Tables {
 public:
  Tables(const ir::Module& module, ir::Version version)
      : module_(module), version_(version), extra_(module.types) {}

  /// Adds all types of the module that the version has, in the module's order.
  void add_types();

  std::uint64_t string(std::string_view text);
  std::uint64_t type(ir::TypeId id) { return type_index(id); } ///< a type of the module
  std::uint64_t add_type(const ir::Type& type) { return type_index(extra_.intern(type)); }
  std::uint64_t constant(ir::ConstantId id);

  [[nodiscard]] Encoder string_section() const;
  [[nodiscard]] Encoder type_section() const;
  [[nodiscard]] Encoder constant_section(bool even_empty) const;

 private:
  struct TypeWriter;
  std::uint64_t type_index(ir::TypeId id);
  [[nodiscard]] Encoder encode(ir::Type type);
  [[nodiscard]] Encoder encode(const ir::Constant& constant) const;

  const ir::Module& module_;
  ir::Version version_;
  ir::TypeTable extra_; ///< the module's types and those that only the file needs
  std::unordered_map<std::string, std::uint64_t> strings_, constant_numbers_;
  std::vector<std::string> string_items_;
  std::unordered_map<std::uint32_t, std::uint64_t> types_, constants_;
  std::vector<std::vector<std::byte>> type_items_, constant_items_;
};

} // namespace cutile::bytecode
