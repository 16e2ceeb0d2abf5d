#include "trace/trace.hpp"

#include <fmt/format.h>

#include "ir/verifier.hpp"

namespace cutile::trace {
namespace {

thread_local Trace* running = nullptr;

ir::Hints hints_of(const KernelHints& h) {
  ir::Hints::Entry entry{.arch = "default", .values = {}};
  if (h.ctas != 0) entry.values.emplace_back("num_cta_in_cga", h.ctas);
  if (h.worker_warps != 0) entry.values.emplace_back("num_worker_warps_per_cta", h.worker_warps);
  if (h.occupancy != 0) entry.values.emplace_back("occupancy", h.occupancy);
  ir::Hints hints;
  if (!entry.values.empty()) hints.entries.push_back(std::move(entry));
  return hints;
}

} // namespace

ir::TypeKind element_kind(DType dtype) {
  switch (dtype) {
  case DType::b1: return ir::TypeKind::i1;
  case DType::i8:
  case DType::u8: return ir::TypeKind::i8;
  case DType::i16:
  case DType::u16: return ir::TypeKind::i16;
  case DType::i32:
  case DType::u32: return ir::TypeKind::i32;
  case DType::i64:
  case DType::u64: return ir::TypeKind::i64;
  case DType::f16: return ir::TypeKind::f16;
  case DType::bf16: return ir::TypeKind::bf16;
  case DType::f32: return ir::TypeKind::f32;
  case DType::f64: return ir::TypeKind::f64;
  case DType::tf32: return ir::TypeKind::tf32;
  case DType::f8e4m3: return ir::TypeKind::f8e4m3fn;
  case DType::f8e5m2: return ir::TypeKind::f8e5m2;
  case DType::f8e8m0: return ir::TypeKind::f8e8m0fnu;
  case DType::f4e2m1: return ir::TypeKind::f4e2m1fn;
  case DType::i4: return ir::TypeKind::i4;
  }
  return ir::TypeKind::token;
}

Trace::Trace(std::string_view kernel, SourceLoc at, std::span<const ArgSpec> args,
             const KernelHints& hints)
    : name_(kernel), at_(at), args_(args.begin(), args.end()),
      builder_(ir::Builder::entry(kernel_.module, std::string(kernel), {}, at)) {
  if (running != nullptr) {
    throw UsageError(
        fmt::format("{}:{}: kernel '{}' is launched inside another kernel; launch it from the host",
                    at.file, at.line, name_));
  }
  ir::Function& f = builder_.function();
  f.hints = hints_of(hints);
  prologue_ = {static_cast<std::uint32_t>(f.blocks.size())};
  f.blocks.emplace_back();
  frames_.push_back({.kind = FrameKind::body, .block = f.body, .at = at});
  add_params();
  running = this;
}

Trace::~Trace() {
  if (running == this) running = nullptr;
}

Trace& Trace::current() {
  if (running == nullptr) {
    throw UsageError("a tile was used outside a kernel; tiles exist only while the lambda given to "
                     "ct::kernel is traced");
  }
  return *running;
}

Result<TracedKernel> Trace::finish() {
  running = nullptr;
  if (frames_.size() != 1)
    return internal_failure(fmt::format("kernel '{}': a region was left open", name_));
  if (!errors_.empty()) {
    std::string all;
    for (const std::string& e : errors_) all += (all.empty() ? "" : "\n") + e;
    return usage_failure(all);
  }
  end_with(ir::Op::return_, {}, at_);
  ir::Function& f = builder_.function();
  std::vector<ir::OpId>& body = f[f.body].ops;
  body.insert(body.begin(), f[prologue_].ops.begin(), f[prologue_].ops.end());
  f[prologue_].ops.clear();
  for (ir::Operation& op : f.ops) {
    for (ir::ValueId& v : op.operands) v = resolve(v);
  }
  ir::remove_dead(f);
  if (const auto problems = ir::verify(kernel_.module); !problems.empty()) {
    const ir::Diagnostic& p = problems.front();
    return internal_failure(fmt::format("{}:{}: kernel '{}' was traced to invalid Tile IR: {}",
                                        p.loc.file, p.loc.line, name_, p.message));
  }
  return std::move(kernel_);
}

detail::Slot Trace::declare(ir::ValueId value) {
  const std::uint32_t id = next_slot_++;
  if (value.valid()) frames_.back().values[id] = value;
  return {id};
}

ir::ValueId Trace::read(detail::Slot slot, SourceLoc at) {
  const ir::ValueId value = read_at(frames_.size() - 1, slot.id);
  if (value.valid()) return resolve(value);
  error(at, "a tile is used outside the loop or branch that made it; declare it before the loop or "
            "branch");
  return index_constant(0, at);
}

ir::ValueId Trace::read_at(std::size_t frame, std::uint32_t slot) {
  Frame& f = frames_[frame];
  if (const auto found = f.values.find(slot); found != f.values.end()) return found->second;
  if (frame == 0) return {};
  const ir::ValueId outer = read_at(frame - 1, slot);
  if (f.kind != FrameKind::loop || !outer.valid()) return outer;
  const ir::ValueId arg = builder_.add_argument(f.block, builder_.type(outer));
  f.carried.push_back({slot, outer, arg});
  f.values[slot] = arg;
  return arg;
}

void Trace::write(detail::Slot slot, ir::ValueId value) { frames_.back().values[slot.id] = value; }

ir::ValueId Trace::resolve(ir::ValueId value) {
  for (auto it = replaced_.find(value.index); it != replaced_.end();
       it = replaced_.find(value.index))
    value = it->second;
  return value;
}

ir::TypeId Trace::tile(detail::TileType type) {
  const std::vector<std::int64_t> shape(type.shape.begin(), type.shape.end());
  return types().tile(element_kind(type.dtype), shape);
}

ir::TypeId Trace::with_element(ir::ValueId value, ir::TypeKind element) {
  const std::vector<std::int64_t> shape = types()[type_of(value)].shape;
  return types().tile(element, shape);
}

ir::ValueId Trace::constant(ir::TypeId type, std::uint64_t bits, SourceLoc at) {
  const auto [it, added] = constants_.try_emplace({type.index, bits});
  if (added) it->second = in_prologue([&] { return builder_.constant(type, bits, at); });
  return it->second;
}

void Trace::error(SourceLoc at, std::string_view message) {
  errors_.push_back(fmt::format("{}:{}: {}", at.file, at.line, message));
}

void Trace::end_with(ir::Op terminator, std::vector<ir::ValueId> operands, SourceLoc at) {
  builder_.emit_groups(terminator, {std::move(operands)}, {}, {}, at);
}

} // namespace cutile::trace
