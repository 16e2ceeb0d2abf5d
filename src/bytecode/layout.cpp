#include "bytecode/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cutile::bytecode {

using ir::Arity;
using ir::TypeKind;
using ir::ValueDef;

std::vector<Flag> flags_of(const ir::OpDef& d) {
  std::vector<Flag> flags;
  for (std::size_t i = 0; i < d.attributes.size(); ++i) {
    const ir::AttrDef& a = d.attributes[i];
    if (a.kind == ir::AttrKind::unit || a.optional)
      flags.push_back({Flag::Of::attribute, i, a.since});
  }
  for (std::size_t i = 0; d.has(ir::segmented) && i < d.operands.size(); ++i) {
    if (d.operands[i].arity == Arity::optional)
      flags.push_back({Flag::Of::operand, i, d.operands[i].since});
  }
  std::stable_sort(flags.begin(), flags.end(),
                   [](const Flag& a, const Flag& b) { return a.since < b.since; });
  return flags;
}

bool counts_results(const ir::OpDef& d) {
  const auto variadic = [](const ValueDef& v) { return v.arity == Arity::variadic; };
  return std::any_of(d.operands.begin(), d.operands.end(), variadic) ||
         std::any_of(d.results.begin(), d.results.end(), variadic);
}

bool counts_operands(const ir::OpDef& d) {
  const auto several = [](const ValueDef& v) { return v.arity != Arity::single; };
  return !d.has(ir::segmented) && std::any_of(d.operands.begin(), d.operands.end(), several);
}

ir::Version since(TypeKind kind) {
  switch (kind) {
  case TypeKind::f8e8m0fnu: return ir::V13_2;
  case TypeKind::f4e2m1fn:
  case TypeKind::i4:
  case TypeKind::gather_scatter_view:
  case TypeKind::strided_view: return ir::V13_3;
  case TypeKind::f8e5m3fnu: return ir::V13_4;
  default: return ir::V13_1;
  }
}

std::string text(ir::Version version) { return fmt::format("{}.{}", version / 100, version % 100); }

} // namespace cutile::bytecode
