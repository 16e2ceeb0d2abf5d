#pragma once

#include <vector>

#include "cpu/isa/kernels.hpp"
#include "cpu/plan.hpp"

namespace cutile::cpu {

/// Elements that an element-wise run takes at a time, so that what lies between its operations
/// stays in the L1 cache.
inline constexpr std::size_t chunk_elements = 1024;

/// Consecutive element-wise operations on tiles of one size, run chunk by chunk.
class ElementRun final : public Step {
 public:
  struct Operand {
    Cell cell = no_cell;
    std::size_t step = 0; ///< bytes per element to advance by; 0: the cell holds one chunk
  };
  struct Item {
    ElementFn fn;
    Operand out;
    std::array<Operand, 3> in;
    int count;
    std::int64_t immediate;
    SourceLoc at;
    const char* name;
  };
  /// A scalar repeated over a chunk before the run.
  struct Spread {
    Cell from, to;
    std::size_t element;
  };

  ElementRun(std::size_t elements, std::vector<Spread> spreads, std::vector<Item> items)
      : elements_(elements), spreads_(std::move(spreads)), items_(std::move(items)) {}
  Flow run(Thread& thread) const override;

 private:
  std::size_t elements_;
  std::vector<Spread> spreads_;
  std::vector<Item> items_;
};

} // namespace cutile::cpu
