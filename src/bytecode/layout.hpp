#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ops.hpp"

// What the writer and the reader both know of the format.

namespace cutile::bytecode {

inline constexpr std::string_view magic{"\x7fTileIR\0", 8};
inline constexpr ir::Version oldest_version = ir::V13_1, newest_version = ir::V13_5;

/// Parts of a file.
enum class Section : std::uint8_t {
  end = 0,
  strings = 1,
  functions = 2,
  debug_info = 3,
  constants = 4,
  types = 5,
  globals = 6,
  producer = 7,
};
/// Added to the number of a section that states its alignment.
inline constexpr unsigned aligned_section = 0x80;

/// Flags of a function's record.
enum FunctionFlag : std::uint8_t { private_function = 1, kernel = 2, hinted = 4 };

/// What stands in front of an attribute that is no operation's own.
enum Tag : std::uint8_t {
  integer_tag = 1,
  float_tag = 2,
  bool_tag = 3,
  type_tag = 4,
  string_tag = 5,
  array_tag = 6,
  dense_tag = 7,
  div_by_tag = 8,
  same_elements_tag = 9,
  dictionary_tag = 10,
  hints_tag = 11,
  bounded_tag = 12,
};

/// Attributes of the debug section.
enum DebugTag : std::uint8_t {
  unknown_info = 0,
  compile_unit_info = 1,
  file_info = 2,
  lexical_block_info = 3,
  loc_info = 4,
  subprogram_info = 5,
  call_site_info = 6,
};

/// One bit of an operation's flags: a unit or optional attribute or, in segmented operations, an
/// optional operand.
struct Flag {
  enum class Of : std::uint8_t { attribute, operand } of;
  std::size_t index; ///< in OpDef::attributes or OpDef::operands
  ir::Version since;
};
/// The flags of an operation, lowest bit first: by version, then in the order of the table.
[[nodiscard]] std::vector<Flag> flags_of(const ir::OpDef& d);

/// Whether a file states how many results an operation has.
[[nodiscard]] bool counts_results(const ir::OpDef& d);
/// Whether a file states how many operands an operation has, all groups together.
[[nodiscard]] bool counts_operands(const ir::OpDef& d);

/// The first version that has types of this kind.
[[nodiscard]] ir::Version since(ir::TypeKind kind);
/// "13.1"
[[nodiscard]] std::string text(ir::Version version);

} // namespace cutile::bytecode
