#include "cpu/steps.hpp"

namespace cutile::cpu {

Flow StridedCopy::run(Thread& thread) const {
  const std::byte* from = thread.at[from_];
  std::byte* to = thread.at[to_];
  const std::size_t rank = shape_.size();
  const std::size_t last = rank - 1;
  std::vector<std::int64_t> index(rank, 0);
  std::int64_t count = 1;
  for (std::size_t a = 0; a < last; ++a) count *= shape_[a];
  const auto copy_row = [&]<class T>(T, const std::byte* row) {
    for (std::int64_t i = 0; i < shape_[last]; ++i, to += sizeof(T)) {
      std::memcpy(to, row + i * strides_[last] * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    }
  };
  for (std::int64_t r = 0; r < count; ++r) {
    std::int64_t offset = 0;
    for (std::size_t a = 0; a < last; ++a) offset += index[a] * strides_[a];
    const std::byte* row = from + offset * static_cast<std::int64_t>(element_);
    if (strides_[last] == 0) {
      fill_with(to, row, element_, static_cast<std::size_t>(shape_[last]) * element_);
      to += static_cast<std::size_t>(shape_[last]) * element_;
    } else {
      switch (element_) {
      case 1: copy_row(std::uint8_t{}, row); break;
      case 2: copy_row(std::uint16_t{}, row); break;
      case 4: copy_row(std::uint32_t{}, row); break;
      default: copy_row(std::uint64_t{}, row); break;
      }
    }
    for (std::size_t a = last; a-- > 0;) {
      if (++index[a] < shape_[a]) break;
      index[a] = 0;
    }
  }
  return Flow::next;
}

Flow MatmulStep::run(Thread& thread) const {
  run_moves({acc_}, thread);
  const auto size = [](std::int64_t elements, std::size_t bytes) {
    return static_cast<std::size_t>(elements) * bytes;
  };
  for (std::int64_t i = 0; i < shape_.batch; ++i) {
    fn_(thread.at[acc_.to] + size(i * shape_.m * shape_.n, shape_.accumulator),
        thread.at[a_] + size(i * shape_.m * shape_.k, shape_.operand),
        thread.at[b_] + size(i * shape_.k * shape_.n, shape_.operand), shape_.m, shape_.n, shape_.k,
        thread.scratch.data());
  }
  return Flow::next;
}

Flow CombineStep::run(Thread& thread) const {
  const auto [outer, extent, inner] = axis_;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) {
      const auto position = [&, extent = extent, inner = inner](std::size_t e) {
        return (o * extent + (kind_.reverse ? extent - 1 - e : e)) * inner + i;
      };
      for (std::size_t e = 0; e < extent; ++e) {
        for (const Operand& x : operands_)
          std::memcpy(thread.at[e == 0 ? x.so_far : x.next],
                      thread.at[x.in] + position(e) * x.element, x.element);
        if (e > 0) run_steps(body_, thread); // its end hands the values to `so_far`
        if (!kind_.keep) continue;
        for (const Operand& x : operands_)
          std::memcpy(thread.at[x.out] + position(e) * x.element, thread.at[x.so_far], x.element);
      }
      if (kind_.keep) continue;
      for (const Operand& x : operands_)
        std::memcpy(thread.at[x.out] + (o * inner + i) * x.element, thread.at[x.so_far], x.element);
    }
  }
  return Flow::next;
}

Flow ForStep::run(Thread& thread) const {
  const Bounds& b = bounds_;
  run_moves(enter_, thread);
  const std::int64_t step = thread.signed_at(b.step, b.bytes);
  const auto rounds = [&](auto lower, auto upper) -> std::uint64_t {
    if (lower >= upper || step <= 0) return 0;
    return (static_cast<std::uint64_t>(upper) - static_cast<std::uint64_t>(lower) - 1) /
               static_cast<std::uint64_t>(step) +
           1;
  };
  const std::uint64_t count =
      b.is_unsigned
          ? rounds(thread.unsigned_at(b.lower, b.bytes), thread.unsigned_at(b.upper, b.bytes))
          : rounds(thread.signed_at(b.lower, b.bytes), thread.signed_at(b.upper, b.bytes));
  std::int64_t value = thread.signed_at(b.lower, b.bytes);
  for (std::uint64_t i = 0; i < count; ++i, value += step) {
    thread.put(b.variable, value, b.bytes);
    if (run_steps(body_, thread) == Flow::return_) return Flow::return_;
  }
  run_moves(leave_, thread);
  return Flow::next;
}

Flow LoopStep::run(Thread& thread) const {
  run_moves(enter_, thread);
  for (;;) {
    const Flow flow = run_steps(body_, thread);
    if (flow == Flow::break_) return Flow::next;
    if (flow == Flow::return_) return flow;
  }
}

} // namespace cutile::cpu
