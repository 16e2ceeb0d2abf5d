#include "compiler/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace cutile::compiler {
namespace {

int needed_by(ir::TypeKind kind) {
  switch (kind) {
  case ir::TypeKind::f8e4m3fn:
  case ir::TypeKind::f8e5m2: return 89;
  case ir::TypeKind::f8e8m0fnu:
  case ir::TypeKind::f4e2m1fn: return 100;
  case ir::TypeKind::f8e5m3fnu: return 107;
  default: return 0;
  }
}

ir::TypeKind element_of(const ir::TypeTable& types, ir::TypeId id) {
  for (ir::TypeId t = id;; t = types[t].element) {
    if (!types[t].element.valid()) return types[t].kind;
  }
}

} // namespace

Requirement requirement(const ir::Module& module) {
  Requirement most;
  const auto require = [&](int sm, SourceLoc at, auto what) {
    if (sm > most.sm) most = {sm, what(), at};
  };
  for (const ir::Function& f : module.functions) {
    for (const ir::Operation& op : f.ops) {
      const std::string_view name = ir::def(op.op).name;
      for (const auto* values : {&op.operands, &op.results}) {
        for (const ir::ValueId v : *values) {
          const ir::TypeKind kind = element_of(module.types, f[v].type);
          require(needed_by(kind), op.loc,
                  [&] { return fmt::format("elements of {}", ir::spelling(kind)); });
        }
      }
      if (op.op == ir::Op::mmaf_scaled)
        require(100, op.loc, [&] { return fmt::format("operation {}", name); });
      const bool adds_bf16 =
          op.op == ir::Op::atomic_rmw_tko &&
          module.types.element_kind(f[op.operands[1]].type) == ir::TypeKind::bf16;
      if (adds_bf16) require(90, op.loc, [&] { return fmt::format("{} of bf16", name); });
    }
  }
  return most;
}

Result<void> check_requirement(const ir::Module& module, std::string_view arch) {
  const Requirement r = requirement(module);
  const int sm = std::atoi(std::string(arch.substr(std::min<std::size_t>(arch.size(), 3))).c_str());
  if (r.sm <= sm) return {};
  const std::string place = r.at.line != 0 ? fmt::format("{}:{}: ", r.at.file, r.at.line) : "";
  return usage_failure(
      fmt::format("{}kernel '{}' needs sm_{} or newer for {}, and was asked for {}; use another "
                  "element type there, or run it on the CPU device",
                  place, module.functions.front().name, r.sm, r.what, arch));
}

} // namespace cutile::compiler
