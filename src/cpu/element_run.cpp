#include "cpu/element_run.hpp"

#include <algorithm>

namespace cutile::cpu {

Flow ElementRun::run(Thread& thread) const {
  const std::size_t width = std::min(elements_, chunk_elements);
  for (const Spread& s : spreads_)
    fill_with(thread.at[s.to], thread.at[s.from], s.element, width * s.element);
  for (std::size_t first = 0; first < elements_; first += width) {
    for (const Item& item : items_) {
      const auto address = [&](const Operand& o) { return thread.at[o.cell] + first * o.step; };
      ElementArgs args{address(item.out), {}, width, item.immediate};
      for (int i = 0; i < item.count; ++i)
        args.in[i] = address(item.in[static_cast<std::size_t>(i)]);
      if (!item.fn(args))
        throw KernelFault{item.at, std::string(item.name) + ": integer division by zero"};
    }
  }
  return Flow::next;
}

void fill_with(std::byte* to, const std::byte* element, std::size_t size, std::size_t bytes) {
  if (bytes == 0) return;
  std::memmove(to, element, size);
  for (std::size_t done = size; done < bytes;) {
    const std::size_t part = std::min(done, bytes - done);
    std::memcpy(to + done, to, part);
    done += part;
  }
}

void run_moves(const std::vector<Move>& moves, Thread& thread) {
  for (const Move& m : moves) {
    if (m.kind == Move::Kind::through_temporary)
      std::memcpy(thread.at[m.temporary], thread.at[m.from], m.bytes);
  }
  for (const Move& m : moves) {
    if (m.kind == Move::Kind::swap) std::swap(thread.at[m.from], thread.at[m.to]);
  }
  for (const Move& m : moves) {
    switch (m.kind) {
    case Move::Kind::copy: std::memcpy(thread.at[m.to], thread.at[m.from], m.bytes); break;
    case Move::Kind::fill: fill_with(thread.at[m.to], thread.at[m.from], m.element, m.bytes); break;
    case Move::Kind::through_temporary:
      std::memcpy(thread.at[m.to], thread.at[m.temporary], m.bytes);
      break;
    case Move::Kind::swap: break;
    }
  }
}

} // namespace cutile::cpu
