#pragma once

#include <map>
#include <string>
#include <vector>

#include "bytecode/decoder.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// The string, type and constant tables of a file; the counterpart of Tables.
class ReadTables {
 public:
  ReadTables(ir::Module& module, ir::Version version) : module_(module), version_(version) {}

  void strings(Decoder section);
  /// All types, in the order of the file where each follows those it needs.
  void types(Decoder section);
  void constants(Decoder section);

  [[nodiscard]] std::string string(Decoder& in, std::string_view what) const {
    return strings_[in.index(what, strings_.size())];
  }
  [[nodiscard]] ir::TypeId type(Decoder& in, std::string_view what) const {
    return types_[in.index(what, types_.size())];
  }
  /// A constant of the pool as one of type `type`.
  [[nodiscard]] ir::ConstantId constant(Decoder& in, ir::TypeId type);

 private:
  enum class State : std::uint8_t { unread, reading, read };
  ir::TypeId resolve(std::size_t index, int depth);
  ir::TypeId referred(Decoder& in, int depth);
  ir::Type decode(Decoder& in, int depth);

  ir::Module& module_;
  ir::Version version_;
  std::vector<std::string> strings_;
  std::vector<Decoder> type_items_, constant_items_;
  std::vector<ir::TypeId> types_;
  std::vector<State> states_;
  std::map<std::pair<std::size_t, std::uint32_t>, ir::ConstantId> constants_; ///< by item and type
};

} // namespace cutile::bytecode
