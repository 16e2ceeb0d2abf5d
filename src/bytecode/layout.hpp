#pragma once

#include <algorithm>
#include <vector>

#include "ir/ops.hpp"

namespace cutile::bytecode {

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

/// What stands before an attribute that is no operation's own.
enum Tag : std::uint8_t {
  integer_tag = 1,
  float_tag = 2,
  bool_tag = 3,
  div_by_tag = 8,
  same_elements_tag = 9,
  dictionary_tag = 10,
  hints_tag = 11,
  bounded_tag = 12,
};

/// Entries of the debug section.
enum DebugTag : std::uint8_t {
  unknown_info = 0,
  compile_unit_info = 1,
  file_info = 2,
  lexical_block_info = 3,
  loc_info = 4,
  subprogram_info = 5,
  call_site_info = 6
};

/// A bit of an operation's flags: a unit or optional attribute or, in segmented operations, an
/// optional operand.
struct Flag {
  enum class Of : std::uint8_t { attribute, operand } of;
  std::size_t index; ///< in OpDef::attributes or OpDef::operands
  ir::Version since;
};

/// The flags of an operation, lowest bit first: by version, then in the order of the table.
[[nodiscard]] inline std::vector<Flag> flags_of(const ir::OpDef& d) {
  std::vector<Flag> flags;
  for (std::size_t i = 0; i < d.attributes.size(); ++i) {
    const ir::AttrDef& a = d.attributes[i];
    if (a.kind == ir::AttrKind::unit || a.optional)
      flags.push_back({Flag::Of::attribute, i, a.since});
  }
  for (std::size_t i = 0; d.has(ir::segmented) && i < d.operands.size(); ++i) {
    if (d.operands[i].arity == ir::Arity::optional)
      flags.push_back({Flag::Of::operand, i, d.operands[i].since});
  }
  std::stable_sort(flags.begin(), flags.end(),
                   [](const Flag& a, const Flag& b) { return a.since < b.since; });
  return flags;
}

/// Whether a file states how many results an operation has.
[[nodiscard]] inline bool counts_results(const ir::OpDef& d) {
  const auto variadic = [](const ir::ValueDef& v) { return v.arity == ir::Arity::variadic; };
  return std::any_of(d.operands.begin(), d.operands.end(), variadic) ||
         std::any_of(d.results.begin(), d.results.end(), variadic);
}

/// Whether a file states how many operands an operation has, all together.
[[nodiscard]] inline bool counts_operands(const ir::OpDef& d) {
  return !d.has(ir::segmented) &&
         std::any_of(d.operands.begin(), d.operands.end(),
                     [](const ir::ValueDef& v) { return v.arity != ir::Arity::single; });
}

} // namespace cutile::bytecode
