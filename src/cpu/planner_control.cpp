// Plans of regions, and of the values handed between them.

#include <algorithm>

#include "cpu/planner.hpp"

namespace cutile::cpu {

bool Planner::can_give(ValueId v) {
  const Place& p = place(v);
  return !p.splat && p.cell != no_cell && plan_.cells[p.cell].swappable && uses_[v.index] == 1 &&
         p.block == block_;
}

Move Planner::move(ValueId from, Cell to) {
  const Place& p = place(from);
  const std::size_t element = element_bytes(from), bytes = bytes_of(from);
  const Move::Kind kind = p.splat                                       ? Move::Kind::fill
                          : can_give(from) && plan_.cells[to].swappable ? Move::Kind::swap
                                                                        : Move::Kind::copy;
  return {kind, p.cell, to, bytes, element};
}

std::vector<Move> Planner::moves(std::span<const ValueId> values,
                                 const std::vector<Cell>& targets) {
  std::vector<Move> out;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == no_cell || place(values[i]).cell == targets[i]) continue;
    Move m = move(values[i], targets[i]);
    // A source that is itself a destination must be saved first.
    if (m.kind != Move::Kind::fill &&
        std::find(targets.begin(), targets.end(), m.from) != targets.end()) {
      m.kind = Move::Kind::through_temporary;
      m.temporary = new_cell(m.bytes);
    }
    out.push_back(m);
  }
  return out;
}

std::vector<Cell> Planner::define_all(std::span<const ValueId> values, ir::BlockId block) {
  std::vector<Cell> cells;
  for (const ValueId v : values) {
    if (!is_tile(v)) {
      cells.push_back(no_cell);
      continue;
    }
    cells.push_back(define(v));
    places_[v.index].block = block;
  }
  return cells;
}

void Planner::loop_for(const Operation& op) {
  const ir::BlockId region = op.regions[0];
  const std::vector<ValueId>& args = f_[region].args;
  const Cell variable = define(args[0], false);
  Ends ends;
  ends.continue_to = define_all(std::span(args).subspan(1), region);
  const std::vector<Move> enter = moves(ir::operand_group(op, 3), ends.continue_to);
  Steps body = block(region, ends);
  const std::vector<Cell> results = define_all(op.results, block_);
  std::vector<Move> leave;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] != no_cell)
      leave.push_back({swappable(ends.continue_to[i], results[i]), ends.continue_to[i], results[i],
                       bytes_of(op.results[i]), element_bytes(op.results[i])});
  }
  const ForStep::Bounds bounds{.lower = place(op.operands[0]).cell,
                               .upper = place(op.operands[1]).cell,
                               .step = place(op.operands[2]).cell,
                               .variable = variable,
                               .bytes = static_cast<int>(element_bytes(args[0])),
                               .is_unsigned = ir::flag_attribute(op, "unsignedCmp")};
  add<ForStep>(bounds, enter, std::move(leave), std::move(body));
}

Move::Kind Planner::swappable(Cell a, Cell b) const {
  return plan_.cells[a].swappable && plan_.cells[b].swappable ? Move::Kind::swap : Move::Kind::copy;
}

void Planner::loop(const Operation& op) {
  const ir::BlockId region = op.regions[0];
  Ends ends;
  ends.continue_to = define_all(f_[region].args, region);
  ends.break_to = define_all(op.results, block_);
  const std::vector<Move> enter = moves(ir::operand_group(op, 0), ends.continue_to);
  Steps body = block(region, ends);
  add<LoopStep>(enter, std::move(body));
}

void Planner::branch(const Operation& op, const Ends& outer) {
  Ends ends = outer; // break and continue inside belong to the loop around
  ends.yield_to = define_all(op.results, block_);
  const Cell condition = place(op.operands[0]).cell;
  Steps then = block(op.regions[0], ends);
  Steps otherwise = op.regions[1].valid() ? block(op.regions[1], ends) : Steps{};
  add<IfStep>(condition, std::move(then), std::move(otherwise));
}

} // namespace cutile::cpu
