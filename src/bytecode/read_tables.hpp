#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/decoder.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// The string, type and constant tables of a file; the counterpart of Tables.
class ReadTables {
 public:
  ReadTables(ir::Module& module, ir::Version version, std::size_t file_bytes);

  void read_strings(Decoder section);
  /// Adds all types to the module, in the order of the file.
  void read_types(Decoder section);
  void read_constants(Decoder section);

  // Each reads a number of an item of its table.
  [[nodiscard]] std::string_view string_view(Decoder& in, std::string_view what) const;
  [[nodiscard]] std::string string(Decoder& in, std::string_view what);
  [[nodiscard]] ir::TypeId type(Decoder& in, std::string_view what) const;
  /// An item of the pool as a constant of type `type`.
  [[nodiscard]] ir::ConstantId constant(Decoder& in, ir::TypeId type);
  /// Without a type, which only skips it.
  void skip_constant(Decoder& in) const;

  /// Counts `bytes` of the module that the file does not hold one by one, such as another copy of a
  /// string, and refuses a file that stands for far more than its size.
  void expand(const Decoder& in, std::size_t bytes);

 private:
  struct TypeReader;
  ir::TypeId resolve(std::size_t index);

  ir::Module& module_;
  ir::Version version_;
  std::size_t allowance_; ///< bytes that may still be passed to `expand`
  std::vector<Decoder> strings_, type_items_, constant_items_;
  std::vector<ir::TypeKind> kinds_; ///< of the types
  std::vector<ir::TypeId> types_;   ///< invalid until resolved
  std::map<std::pair<std::size_t, std::uint32_t>, ir::ConstantId> constants_; ///< by item and type
};

} // namespace cutile::bytecode
