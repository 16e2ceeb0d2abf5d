#include "ir/builder.hpp"

#include <algorithm>
#include <cstring>

namespace cutile::ir {

Builder Builder::entry(Module& module, std::string name, std::span<const TypeId> params,
                       SourceLoc loc) {
  Function f;
  f.name = std::move(name);
  f.loc = loc;
  f.blocks.emplace_back();
  f.body = {0};
  module.functions.push_back(std::move(f));
  Builder b(module, module.functions.size() - 1);
  b.block_ = {0};
  for (const TypeId type : params) b.add_argument({0}, type);
  return b;
}

OpId Builder::emit(Op op, std::span<const ValueId> operands, std::span<const TypeId> results,
                   std::initializer_list<Named> attributes, SourceLoc loc) {
  std::vector<Group> groups;
  groups.reserve(operands.size());
  for (const ValueId v : operands) groups.push_back({v});
  return emit_groups(op, groups, results, attributes, loc);
}

OpId Builder::emit_groups(Op op, const std::vector<Group>& groups, std::span<const TypeId> results,
                          std::initializer_list<Named> attributes, SourceLoc loc) {
  const OpDef& d = def(op);
  Operation o{.op = op,
              .loc = loc,
              .operands = {},
              .segments = {},
              .attributes = {},
              .results = {},
              .regions = {}};
  for (std::size_t g = 0; g < d.operands.size(); ++g) {
    const std::size_t count = g < groups.size() ? groups[g].size() : 0;
    if (count != 0) o.operands.insert(o.operands.end(), groups[g].begin(), groups[g].end());
    o.segments.push_back(static_cast<std::uint32_t>(count));
  }
  o.attributes.resize(d.attributes.size());
  for (const Named& named : attributes) o.attributes[d.attribute(named.name)] = named.value;
  Function& f = function();
  const OpId id{static_cast<std::uint32_t>(f.ops.size())};
  f.ops.push_back(std::move(o));
  f[block_].ops.push_back(id);
  for (const TypeId type : results) add_result(id, type);
  return id;
}

ValueId Builder::value(Op op, std::initializer_list<ValueId> operands, TypeId result,
                       std::initializer_list<Named> attributes, SourceLoc loc) {
  const OpId id = emit(op, operands, std::span(&result, 1), attributes, loc);
  return function()[id].results.front();
}

BlockId Builder::add_region(OpId op, std::span<const TypeId> args) {
  Function& f = function();
  const BlockId id{static_cast<std::uint32_t>(f.blocks.size())};
  f.blocks.push_back({.parent = op, .args = {}, .ops = {}});
  f[op].regions.push_back(id);
  for (const TypeId type : args) add_argument(id, type);
  return id;
}

ValueId Builder::add_argument(BlockId block, TypeId type) {
  Function& f = function();
  const ValueId id{static_cast<std::uint32_t>(f.values.size())};
  f.values.push_back({.type = type,
                      .def = {},
                      .block = block,
                      .index = static_cast<std::uint32_t>(f[block].args.size())});
  f[block].args.push_back(id);
  return id;
}

ValueId Builder::add_result(OpId op, TypeId type) {
  Function& f = function();
  const ValueId id{static_cast<std::uint32_t>(f.values.size())};
  f.values.push_back({.type = type,
                      .def = op,
                      .block = {},
                      .index = static_cast<std::uint32_t>(f[op].results.size())});
  f[op].results.push_back(id);
  return id;
}

ValueId Builder::constant(TypeId tile, std::uint64_t bits, SourceLoc loc) {
  Constant c{.type = tile, .data = {}};
  c.data.resize(static_cast<std::size_t>(storage_bytes(types().element_kind(tile))));
  std::memcpy(c.data.data(), &bits, c.data.size());
  return value(Op::constant, {}, tile, {{"value", module_.intern(std::move(c))}}, loc);
}

void remove_dead(Function& f) {
  std::vector<std::uint32_t> uses(f.values.size(), 0);
  const auto count = [&](const Operation& op, bool add) {
    for (const ValueId v : op.operands) add ? ++uses[v.index] : --uses[v.index];
  };
  // Operations detached from every block do not count as uses.
  std::vector<bool> live(f.ops.size(), false);
  for (const Block& b : f.blocks) {
    for (const OpId id : b.ops) live[id.index] = true;
  }
  for (std::size_t i = 0; i < f.ops.size(); ++i) {
    if (live[i]) count(f.ops[i], true);
  }
  // Uses come after definitions, so one backward sweep over creation order would do if passes never
  // moved operations; sweeping until nothing changes does not depend on that.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = f.ops.size(); i-- > 0;) {
      Operation& op = f.ops[i];
      const bool dead = live[i] && def(op.op).has(pure) &&
                        std::all_of(op.results.begin(), op.results.end(),
                                    [&](ValueId v) { return uses[v.index] == 0; });
      if (!dead) continue;
      live[i] = false;
      changed = true;
      count(op, false);
      for (const BlockId region : op.regions) {
        if (!region.valid()) continue;
        for (const OpId inner : f[region].ops) {
          live[inner.index] = false;
          count(f[inner], false);
        }
      }
    }
  }
  for (Block& b : f.blocks) {
    std::erase_if(b.ops, [&](OpId id) { return !live[id.index]; });
  }
}

} // namespace cutile::ir
