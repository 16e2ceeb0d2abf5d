#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cutile/source_loc.hpp"
#include "ir/module.hpp"

// A function prepared for execution: blocks of steps that work on cells.

namespace cutile::cpu {

/// Number of a cell: an address, for each thread, where a value's elements lie, row-major. Values
/// that are the same elements under another shape share a cell.
using Cell = std::uint32_t;
inline constexpr Cell no_cell = ~Cell{0};

inline constexpr std::size_t max_rank = 8;

/// A tensor_view at run time. Strides are in bytes.
struct TensorValue {
  std::byte* base = nullptr;
  std::array<std::int64_t, max_rank> extents{}, strides{};
};

/// What a kernel did wrong; thrown by steps, caught by Program::run.
struct KernelFault {
  SourceLoc at;
  std::string message;
};

struct CellInfo {
  std::size_t bytes = 0;
  std::vector<std::byte> fill{}; ///< a constant: this pattern, repeated
  bool swappable =
      false; ///< holds one value that its definition writes whole: the address may change hands
};

/// What one thread needs to run tile blocks.
struct Thread {
  std::vector<std::byte*> at;   ///< address of each cell now
  std::vector<std::byte*> home; ///< its own memory
  std::vector<TensorValue> tensors;
  std::array<std::int64_t, 3> block{}, grid{};
  std::vector<float> scratch;

  /// An integer of `bytes` at a cell, zero-extended.
  [[nodiscard]] std::uint64_t unsigned_at(Cell cell, int bytes) const {
    std::uint64_t v = 0;
    std::memcpy(&v, at[cell], static_cast<std::size_t>(bytes));
    return v;
  }
  [[nodiscard]] std::int64_t signed_at(Cell cell, int bytes) const {
    const int shift = 64 - 8 * bytes;
    return static_cast<std::int64_t>(unsigned_at(cell, bytes) << shift) >> shift;
  }
  void put(Cell cell, std::int64_t value, int bytes) {
    std::memcpy(at[cell], &value, static_cast<std::size_t>(bytes));
  }
};

enum class Flow : std::uint8_t { next, continue_, break_, return_ };

class Step {
 public:
  Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;
  virtual Flow run(Thread& thread) const = 0;
};
using Steps = std::vector<std::unique_ptr<Step>>;

inline Flow run_steps(const Steps& steps, Thread& thread) {
  for (const auto& step : steps) {
    const Flow flow = step->run(thread);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

/// One value handed from a cell to another at the end of a region.
struct Move {
  enum class Kind : std::uint8_t { swap, copy, fill, through_temporary };
  Kind kind;
  Cell from, to;
  std::size_t bytes, element;
  Cell temporary = no_cell;
};
/// All at once, as if no destination were a source of another.
void run_moves(const std::vector<Move>& moves, Thread& thread);
/// Repeats one element over `bytes`.
void fill_with(std::byte* to, const std::byte* element, std::size_t size, std::size_t bytes);

struct Plan {
  std::vector<CellInfo> cells;
  std::size_t tensors = 0;
  std::size_t scratch_floats = 0;
  std::vector<std::pair<Cell, std::size_t>> params;      ///< cell and bytes of each entry parameter
  std::map<std::string, std::vector<std::byte>> globals; ///< memory that all launches share
  Steps body;
};

/// Throws KernelFault for what cannot be run.
[[nodiscard]] Plan make_plan(const ir::Module& module, const ir::Function& function);

} // namespace cutile::cpu
