#include "cpu/planner.hpp"

#include <algorithm>
#include <bit>

namespace cutile::cpu {

Plan Planner::make() {
  uses_.assign(f_.values.size(), 0);
  for (const ir::Block& b : f_.blocks) {
    for (const ir::OpId id : b.ops) {
      for (const ValueId v : f_[id].operands) ++uses_[v.index];
    }
  }
  for (const ValueId p : f_.params()) {
    const std::size_t bytes = bytes_of(p);
    plan_.params.emplace_back(define(p), bytes);
  }
  plan_.body = block(f_.body, {});
  return std::move(plan_);
}

void Planner::refuse(const Operation& op, std::string_view why) const {
  throw KernelFault{op.loc,
                    fmt::format("the CPU device cannot run {}: {}", ir::def(op.op).name, why)};
}

Cell Planner::new_cell(std::size_t bytes, bool swappable) {
  plan_.cells.push_back({.bytes = bytes, .fill = {}, .swappable = swappable});
  return static_cast<Cell>(plan_.cells.size() - 1);
}

Cell Planner::constant_cell(std::span<const std::byte> pattern, std::size_t bytes) {
  std::string text(reinterpret_cast<const char*>(pattern.data()), pattern.size());
  const auto [it, added] = constants_.try_emplace({std::move(text), bytes}, no_cell);
  if (added) {
    it->second = new_cell(bytes);
    plan_.cells.back().fill.assign(pattern.begin(), pattern.end());
  }
  return it->second;
}

Cell Planner::define(ValueId v, bool swappable) {
  Place& p = places_[v.index];
  p.cell = new_cell(bytes_of(v), swappable);
  p.block = block_;
  return p.cell;
}

void Planner::alias(ValueId v, ValueId source) {
  places_[v.index] = places_[source.index];
  if (places_[v.index].cell != no_cell) plan_.cells[places_[v.index].cell].swappable = false;
}

Cell Planner::whole(ValueId v) {
  const Place p = place(v);
  if (!p.splat) return p.cell;
  const std::size_t element = element_bytes(v), bytes = bytes_of(v);
  const std::vector<std::byte>& constant = plan_.cells[p.cell].fill;
  if (!constant.empty()) return constant_cell(std::vector<std::byte>(constant), bytes);
  const Cell full = new_cell(bytes);
  add<CallStep>([=](Thread& t) { fill_with(t.at[full], t.at[p.cell], element, bytes); });
  return full;
}

Steps Planner::block(ir::BlockId id, const Ends& ends) {
  Steps steps;
  Steps* const outer_steps = std::exchange(steps_, &steps);
  const ir::BlockId outer_block = std::exchange(block_, id);
  std::vector<ir::OpId> outer_run = std::exchange(run_, {});
  const std::vector<ir::OpId>& ops = f_[id].ops;
  for (std::size_t i = 0; i < ops.size(); ++i) operation(ops[i], i, ends);
  flush();
  steps_ = outer_steps;
  block_ = outer_block;
  run_ = std::move(outer_run);
  return steps;
}

void Planner::operation(ir::OpId id, std::size_t position, const Ends& ends) {
  const Operation& op = f_[id];
  if (ir::def(op.op).has(ir::elementwise)) {
    if (!run_.empty() && elements(op.results[0]) != elements(f_[run_.front()].results[0])) flush();
    run_.push_back(id);
    // Given its place now, so that shape changes of it can be aliases; the run may still decide
    // to keep it in a chunk.
    define(op.results[0]);
    return;
  }
  if (op.op == Op::constant) {
    constant(op);
    return;
  }
  const bool reshapes_scalar =
      (op.op == Op::reshape || op.op == Op::broadcast) && elements(op.operands[0]) == 1;
  if (op.op == Op::reshape || op.op == Op::assume || reshapes_scalar) {
    Place& p = places_[op.results[0].index];
    const bool in_run = std::any_of(run_.begin(), run_.end(),
                                    [&](ir::OpId r) { return f_[r].results[0] == op.operands[0]; });
    // A scalar that is repeated inside the run that makes it would be needed before it is there.
    if (in_run && op.op != Op::assume) flush();
    alias(op.results[0], op.operands[0]);
    if (is_tile(op.results[0]) && elements(op.results[0]) > 1 && elements(op.operands[0]) == 1)
      p.splat = true;
    return;
  }
  if (op.op == Op::make_token || op.op == Op::join_tokens) return;
  if (op.op == Op::store_view_tko) {
    store(op, op.operands[0], op.operands[1], ir::operand_group(op, 2));
    return;
  }
  if (op.op == Op::multimem_store_view_tko) {
    store(op, op.operands[1], op.operands[0], ir::operand_group(op, 2));
    return;
  }
  flush();
  rest(op, position, ends);
}

void Planner::constant(const Operation& op) {
  const ValueId v = op.results[0];
  const ir::Constant& c = m_[std::get<ir::ConstantId>(op.attributes[0])];
  const std::size_t element = element_bytes(v);
  Place& p = places_[v.index];
  p.splat = elements(v) > 1 && c.data.size() == element;
  p.cell = constant_cell(c.data, p.splat ? element : bytes_of(v));
  p.block = block_;
}

void Planner::flush() {
  const std::vector<ir::OpId> run = std::exchange(run_, {});
  if (!run.empty()) emit_run(run);
}

void Planner::emit_run(const std::vector<ir::OpId>& run) {
  const std::size_t n = elements(f_[run.front()].results[0]);
  const std::size_t width = std::min(n, chunk_elements);
  std::map<std::uint32_t, std::size_t> last_use; // of values made in the run, by position
  std::map<std::uint32_t, std::uint32_t> inner_uses;
  for (std::size_t i = 0; i < run.size(); ++i) {
    for (const ValueId v : f_[run[i]].operands) {
      last_use[v.index] = i;
      ++inner_uses[v.index];
    }
  }
  std::vector<ElementRun::Spread> spreads;
  std::map<std::pair<Cell, std::size_t>, Cell> spread_cells;
  std::vector<Cell> free_chunks;
  std::map<std::uint32_t, Cell> chunk_of;
  std::vector<ElementRun::Item> items;
  const auto operand = [&](ValueId v) -> ElementRun::Operand {
    if (const auto chunk = chunk_of.find(v.index); chunk != chunk_of.end())
      return {chunk->second, 0};
    const Place& p = place(v);
    const std::size_t element = element_bytes(v);
    if (!p.splat) return {p.cell, element};
    const std::vector<std::byte>& constant = plan_.cells[p.cell].fill;
    if (!constant.empty())
      return {constant_cell(std::vector<std::byte>(constant), width * element), 0};
    const auto [it, added] = spread_cells.try_emplace({p.cell, element}, no_cell);
    if (added) {
      it->second = new_cell(width * element);
      spreads.push_back({p.cell, it->second, element});
    }
    return {it->second, 0};
  };
  for (std::size_t i = 0; i < run.size(); ++i) {
    const Operation& op = f_[run[i]];
    const ValueId result = op.results[0];
    const ElementKey key = element_key(op);
    const ElementFn fn = kernels().element(key);
    if (fn == nullptr)
      refuse(op,
             fmt::format("no kernel from {} to {}", ir::spelling(key.in), ir::spelling(key.out)));
    ElementRun::Item item{.fn = fn,
                          .out = {},
                          .in = {},
                          .count = static_cast<int>(op.operands.size()),
                          .immediate = immediate(op, key),
                          .at = op.loc,
                          .name = ir::def(op.op).name.data()};
    for (std::size_t o = 0; o < op.operands.size(); ++o) item.in[o] = operand(op.operands[o]);
    // Chunks whose value was read for the last time are free: for this result too, unless its
    // elements are of another size and would be written over those not yet read.
    std::vector<Cell> free_later;
    for (const ValueId v : op.operands) {
      if (const auto chunk = chunk_of.find(v.index);
          chunk != chunk_of.end() && last_use[v.index] == i) {
        (element_bytes(v) == element_bytes(result) ? free_chunks : free_later)
            .push_back(chunk->second);
        chunk_of.erase(chunk);
      }
    }
    const bool only_inside =
        n > width && uses_[result.index] > 0 && inner_uses[result.index] == uses_[result.index];
    if (only_inside) {
      if (free_chunks.empty()) free_chunks.push_back(new_cell(width * sizeof(std::uint64_t)));
      chunk_of[result.index] = free_chunks.back();
      free_chunks.pop_back();
      plan_.cells[place(result).cell].bytes = 0; // its own memory is not needed
      item.out = {chunk_of[result.index], 0};
    } else {
      item.out = {place(result).cell, element_bytes(result)};
    }
    free_chunks.insert(free_chunks.end(), free_later.begin(), free_later.end());
    items.push_back(item);
  }
  add<ElementRun>(n, std::move(spreads), std::move(items));
}

ElementKey Planner::element_key(const Operation& op) const {
  ElementKey key{.op = op.op, .in = kind(op.operands.back()), .out = kind(op.results[0])};
  for (const ir::AttrDef& a : ir::def(op.op).attributes) {
    if (a.name == "rounding_mode" || a.name == "rounding")
      key.rounding = ir::enum_attribute<ir::RoundingMode>(op, a.name);
    if (a.name == "comparison_predicate")
      key.comparison = ir::enum_attribute<ir::Comparison>(op, a.name);
    if (a.name == "signedness" || a.name == "comparison_ordering")
      key.flag = ir::int_attribute(op, a.name) != 0;
    if (a.name == "propagate_nan") key.flag = ir::flag_attribute(op, a.name);
    if (a.name == "flush_to_zero") key.flush_to_zero = ir::flag_attribute(op, a.name);
    if (a.name == "saturating") key.saturating = ir::flag_attribute(op, a.name);
  }
  return key;
}

std::int64_t Planner::immediate(const Operation& op, const ElementKey& key) const {
  switch (op.op) {
  case Op::offset: {
    const TypeKind pointee = m_.types[m_.types[type(op.operands[0]).element].element].kind;
    if (ir::bit_width(pointee) == 4) refuse(op, "a pointer to elements of four bits");
    return ir::storage_bytes(pointee);
  }
  case Op::ftof:
  case Op::itof:
  case Op::ftoi:
    return std::bit_cast<std::int64_t>(
        SmallCast{.in = key.in,
                  .out = key.out,
                  .rounding = op.op == Op::ftof ? key.rounding : ir::RoundingMode::nearest_even,
                  .is_signed = key.flag,
                  .saturating = key.saturating});
  default: return 0;
  }
}

Plan make_plan(const ir::Module& module, const ir::Function& function) {
  return Planner(module, function).make();
}

} // namespace cutile::cpu
