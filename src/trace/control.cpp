#include <algorithm>
#include <exception>

#include "trace/trace.hpp"

// Regions of the kernel: what a body assigns and an outer region declared becomes a loop-carried
// value or a result.

namespace cutile::trace {

void Trace::open(FrameKind kind, ir::OpId op, ir::BlockId block, SourceLoc at) {
  frames_.push_back({.kind = kind, .op = op, .block = block, .first_slot = next_slot_, .at = at});
  builder_.set_block(block);
}

void Trace::leave() {
  frames_.pop_back();
  builder_.set_block(frames_.back().block);
}

void Trace::begin_for(ir::ValueId lower, ir::ValueId upper, ir::ValueId step, SourceLoc at) {
  const ir::OpId op =
      builder_.emit_groups(ir::Op::for_, {{lower}, {upper}, {step}, {}}, {}, {}, at);
  const ir::TypeId index = type_of(lower);
  const ir::BlockId body = builder_.add_region(op, std::span(&index, 1));
  open(FrameKind::loop, op, body, at);
  frames_.back().induction = builder_.function()[body].args.front();
}

void Trace::begin_loop(SourceLoc at) {
  const ir::OpId op = builder_.emit_groups(ir::Op::loop, {{}}, {}, {}, at);
  open(FrameKind::loop, op, builder_.add_region(op), at);
}

void Trace::end_loop() {
  // Slots assigned but never read are carried too: their value after a loop of no rounds is the one
  // before it.
  {
    const Frame& f = frames_.back();
    std::vector<std::uint32_t> assigned;
    for (const auto& [slot, value] : f.values) {
      const bool outside = slot < f.first_slot;
      const bool known = std::any_of(f.carried.begin(), f.carried.end(),
                                     [&](const Carried& c) { return c.slot == slot; });
      if (outside && !known) assigned.push_back(slot);
    }
    for (const Exit& exit : f.exits) {
      for (const auto& [slot, value] : exit.values) {
        const bool known = std::any_of(f.carried.begin(), f.carried.end(),
                                       [&](const Carried& c) { return c.slot == slot; });
        if (!known) assigned.push_back(slot);
      }
    }
    std::sort(assigned.begin(), assigned.end());
    assigned.erase(std::unique(assigned.begin(), assigned.end()), assigned.end());
    for (const std::uint32_t slot : assigned) {
      const ir::ValueId init = read_at(frames_.size() - 2, slot);
      if (!init.valid()) continue; // declared in a branch inside this loop
      Frame& frame = frames_.back();
      frame.carried.push_back(
          {slot, init, builder_.add_argument(frame.block, builder_.type(init))});
      frame.values.try_emplace(slot, frame.carried.back().arg);
    }
  }

  Frame f = std::move(frames_.back());
  const auto value_at_end = [&](const Carried& c) { return resolve(f.values.at(c.slot)); };
  const auto value_at = [&](const Exit& exit, const Carried& c) {
    const auto found = exit.values.find(c.slot);
    return found == exit.values.end() ? c.arg : resolve(found->second);
  };

  // Drop what never changes.
  std::vector<Carried> kept;
  for (const Carried& c : f.carried) {
    const bool changes = (!f.ended && value_at_end(c) != c.arg) ||
                         std::any_of(f.exits.begin(), f.exits.end(),
                                     [&](const Exit& e) { return value_at(e, c) != c.arg; });
    if (changes) {
      kept.push_back(c);
    } else {
      replaced_[c.arg.index] = c.init;
    }
  }
  ir::Function& fn = builder_.function();
  std::vector<ir::ValueId>& args = fn[f.block].args;
  std::erase_if(args, [&](ir::ValueId v) { return replaced_.contains(v.index); });
  for (std::size_t i = 0; i < args.size(); ++i) fn[args[i]].index = static_cast<std::uint32_t>(i);

  std::vector<ir::ValueId> end_values;
  for (const Carried& c : kept) end_values.push_back(value_at_end(c));
  if (!f.ended) end_with(ir::Op::continue_, std::move(end_values), f.at);
  for (const Exit& exit : f.exits) {
    ir::Operation& op = fn[exit.op];
    for (const Carried& c : kept) op.operands.push_back(value_at(exit, c));
    op.segments[0] = static_cast<std::uint32_t>(kept.size());
  }
  for (const Carried& c : kept) {
    fn[f.op].operands.push_back(resolve(c.init));
    fn[f.op].segments.back() += 1;
  }

  leave();
  for (const Carried& c : kept) write({c.slot}, builder_.add_result(f.op, builder_.type(c.init)));
}

void Trace::begin_if(ir::ValueId condition, SourceLoc at) {
  const ir::OpId op = builder_.emit_groups(ir::Op::if_, {{condition}}, {}, {}, at);
  open(FrameKind::then_branch, op, builder_.add_region(op), at);
}

void Trace::begin_else() {
  Frame f = std::move(frames_.back());
  leave();
  open(FrameKind::else_branch, f.op, builder_.add_region(f.op), f.at);
  Frame& e = frames_.back();
  e.first_slot = f.first_slot;
  e.then_values = std::move(f.values);
  e.then_ended = f.ended;
}

void Trace::end_if() {
  const bool has_else = frames_.back().kind == FrameKind::else_branch;
  if (!has_else) begin_else();
  Frame f = std::move(frames_.back());
  const ir::BlockId then_block = builder_.function()[f.op].regions[0];
  const ir::BlockId else_block = f.block;
  leave();

  std::vector<std::uint32_t> assigned;
  for (const Values* values : {&f.then_values, &f.values}) {
    for (const auto& [slot, value] : *values) {
      if (slot < f.first_slot) assigned.push_back(slot);
    }
  }
  std::sort(assigned.begin(), assigned.end());
  assigned.erase(std::unique(assigned.begin(), assigned.end()), assigned.end());

  if (f.then_ended && f.ended) assigned.clear(); // nothing after it is reachable
  std::vector<ir::ValueId> then_yield, else_yield;
  for (const std::uint32_t slot : assigned) {
    const auto after = [&](const Values& values) {
      const auto found = values.find(slot);
      return resolve(found != values.end() ? found->second : read_at(frames_.size() - 1, slot));
    };
    // A branch that left by break or continue has no say in the value afterwards.
    const ir::ValueId then_value = after(f.then_ended ? f.values : f.then_values);
    const ir::ValueId else_value = after(f.ended ? f.then_values : f.values);
    if (!then_value.valid() || !else_value.valid()) {
      error(f.at, "a tile that only one branch of ct::if_ assigns is used after it; assign it in "
                  "both, or before");
      continue;
    }
    if (then_value == else_value && !f.then_ended && !f.ended) {
      write({slot}, then_value);
      continue;
    }
    then_yield.push_back(then_value);
    else_yield.push_back(else_value);
    write({slot}, builder_.add_result(f.op, builder_.type(then_value)));
  }

  const bool results = !then_yield.empty();
  if (!f.then_ended) {
    const auto in = builder_.enter(then_block);
    end_with(ir::Op::yield, std::move(then_yield), f.at);
  }
  if (!has_else && !results) {
    builder_.function()[f.op].regions[1] = {};
  } else if (!f.ended) {
    const auto in = builder_.enter(else_block);
    end_with(ir::Op::yield, std::move(else_yield), f.at);
  }
}

void Trace::begin_combine(detail::CombineKind kind, const std::vector<ir::ValueId>& tiles, int axis,
                          std::span<const std::uint64_t> identities, SourceLoc at) {
  using detail::CombineKind;
  std::vector<ir::TypeId> results, scalars;
  std::vector<ir::Literal> literals;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const ir::TypeId type = type_of(tiles[i]);
    const ir::TypeKind element = types().element_kind(type);
    std::vector<std::int64_t> shape = types()[type].shape;
    if (kind == CombineKind::reduce) shape.erase(shape.begin() + axis);
    results.push_back(types().tile(element, shape));
    literals.push_back({types().scalar(element), identities[i]});
    scalars.insert(scalars.end(), 2, types().tile(element));
  }
  const ir::Op op = kind == CombineKind::reduce ? ir::Op::reduce : ir::Op::scan;
  const ir::OpId id = builder_.emit_groups(
      op, {tiles}, results, {{"dim", std::int64_t{axis}}, {"identities", std::move(literals)}}, at);
  if (op == ir::Op::scan) {
    builder_.function()[id].attributes[ir::def(op).attribute("reverse")] =
        kind == CombineKind::reverse_scan;
  }
  open(FrameKind::combine, id, builder_.add_region(id, scalars), at);
}

std::vector<ir::ValueId> Trace::end_combine(std::vector<ir::ValueId> values, SourceLoc at) {
  end_with(ir::Op::yield, std::move(values), at);
  const Frame f = std::move(frames_.back());
  leave();
  const bool assigns = std::any_of(f.values.begin(), f.values.end(), [&](const auto& v) {
    return v.first < f.first_slot && read_at(frames_.size() - 1, v.first).valid();
  });
  if (assigns)
    error(f.at, "the body of a reduction or scan assigns a variable from outside, or loads or "
                "stores; it may only combine its arguments");
  return builder_.function()[f.op].results;
}

void Trace::exit_loop(ir::Op op, SourceLoc at) {
  const char* const name = op == ir::Op::break_ ? "ct::break_()" : "ct::continue_()";
  std::size_t loop = frames_.size();
  while (loop > 0 && frames_[loop - 1].kind != FrameKind::loop &&
         frames_[loop - 1].kind != FrameKind::combine)
    --loop;
  if (loop == 0 || frames_[loop - 1].kind == FrameKind::combine) {
    error(at, std::string(name) + " stands outside a loop");
    return;
  }
  Frame& target = frames_[loop - 1];
  if (op == ir::Op::break_ && target.induction.valid()) {
    error(at, "ct::break_() would leave a counted loop (ct::range or indices), which always runs "
              "to its end; use "
              "ct::while_ or ct::loop where the number of rounds depends on data");
    return;
  }
  if (frames_.back().ended) return; // not reachable
  Exit exit{.op = builder_.emit_groups(op, {{}}, {}, {}, at), .values = {}};
  for (std::size_t i = loop - 1; i < frames_.size(); ++i) {
    for (const auto& [slot, value] : frames_[i].values) {
      if (slot < target.first_slot) exit.values[slot] = value;
    }
  }
  target.exits.push_back(std::move(exit));
  end_here();
}

void Trace::end_here() {
  frames_.back().ended = true;
  // What follows in this body can never run: it is recorded in a block that no region has.
  ir::Function& f = builder_.function();
  builder_.set_block({static_cast<std::uint32_t>(f.blocks.size())});
  f.blocks.emplace_back();
}

void Trace::return_kernel(SourceLoc at) {
  for (const Frame& f : frames_) {
    if (f.kind == FrameKind::combine || (f.kind == FrameKind::loop && f.induction.valid())) {
      error(at,
            f.kind == FrameKind::combine
                ? "ct::return_() stands in the body of a reduction or scan"
                : "ct::return_() would leave a counted loop (ct::range or indices), which always "
                  "runs to its end; use ct::while_ or ct::loop");
      return;
    }
  }
  if (frames_.size() == 1) {
    error(at,
          "ct::return_() stands outside ct::if_, so that nothing after it can run; leave it out");
    return;
  }
  if (frames_.back().ended) return; // not reachable
  end_with(ir::Op::return_, {}, at);
  end_here();
}

void Trace::close_to(std::size_t depth) {
  while (frames_.size() > depth) {
    if (frames_.back().kind == FrameKind::loop) {
      end_loop();
    } else if (frames_.back().kind == FrameKind::combine) {
      leave();
    } else {
      end_if();
    }
  }
}

} // namespace cutile::trace

namespace cutile::detail {

using trace::Trace;

Slot begin_for(Slot lower, Slot upper, Slot step, SourceLoc at) {
  Trace& t = Trace::current();
  const ir::ValueId step_value = t.read(step, at);
  const ir::Value& v = t.builder().function()[step_value];
  if (v.def.valid() && t.builder().function()[v.def].op == ir::Op::constant) {
    const ir::Operation& op = t.builder().function()[v.def];
    const ir::Constant& c = t.builder().module()[std::get<ir::ConstantId>(op.attributes[0])];
    if ((c.data.back() & std::byte{0x80}) != std::byte{0} ||
        std::all_of(c.data.begin(), c.data.end(), [](std::byte b) { return b == std::byte{0}; })) {
      t.error(at, "ct::range: the step must be positive");
    }
  }
  t.begin_for(t.read(lower, at), t.read(upper, at), step_value, at);
  return t.declare(t.induction());
}

void end_for(SourceLoc) { Trace::current().end_loop(); }

void abandon_for(SourceLoc at) noexcept {
  Trace& t = Trace::current();
  // A C++ exception that passes through is reported as itself.
  if (std::uncaught_exceptions() == 0) {
    t.error(at, "the body of this loop was left by a C++ break or return; a traced loop always "
                "runs its body to the end. Use "
                "ct::while_ or ct::loop with ct::break_() to leave early");
  }
  t.close_to(t.depth() - 1);
}

void begin_if(Slot condition, SourceLoc at) {
  Trace::current().begin_if(Trace::current().read(condition, at), at);
}
void begin_else() { Trace::current().begin_else(); }
void end_if() { Trace::current().end_if(); }

Slot declare(TileType type) {
  Trace& t = Trace::current();
  return t.declare(t.constant(t.tile(type), 0, {}));
}

void begin_loop(SourceLoc at) { Trace::current().begin_loop(at); }
void end_loop() { Trace::current().end_loop(); }
void break_loop(SourceLoc at) { Trace::current().exit_loop(ir::Op::break_, at); }
void continue_loop(SourceLoc at) { Trace::current().exit_loop(ir::Op::continue_, at); }

void return_kernel(SourceLoc at) { Trace::current().return_kernel(at); }

void leave_unless(Slot condition, SourceLoc at) {
  Trace& t = Trace::current();
  t.begin_if(t.read(condition, at), at);
  t.begin_else();
  t.exit_loop(ir::Op::break_, at);
  t.end_if();
}

std::uint32_t region_depth() { return static_cast<std::uint32_t>(Trace::current().depth()); }
void close_regions(std::uint32_t depth) noexcept { Trace::current().close_to(depth); }

} // namespace cutile::detail
