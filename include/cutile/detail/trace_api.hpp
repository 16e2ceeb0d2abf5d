#pragma once

#include <cstdint>
#include <span>

#include "cutile/source_loc.hpp"
#include "cutile/types.hpp"

// What the typed kernel language calls. Each function records Tile IR in the trace that runs on
// this thread; a mistake is noted with its place and the trace goes on, so that all mistakes are
// reported at once.

namespace cutile::detail {

/// A variable of the traced program: what a Tile is a handle on.
struct Slot {
  std::uint32_t id = 0;
};

struct TileType {
  DType dtype;
  std::span<const int> shape;
};

enum class UnaryFn : std::uint8_t {
  neg,
  abs,
  exp,
  exp2,
  log,
  log2,
  sin,
  cos,
  tan,
  sinh,
  cosh,
  tanh,
  sqrt,
  rsqrt,
  floor,
  ceil,
  not_
};
enum class BinaryFn : std::uint8_t {
  add,
  sub,
  mul,
  div,
  rem,
  max,
  min,
  pow,
  atan2,
  and_,
  or_,
  xor_,
  shl,
  shr,
  floor_div,
  ceil_div,
  mul_high,
  pow_int
};
enum class CompareFn : std::uint8_t { eq, ne, lt, le, gt, ge };
enum class ReduceFn : std::uint8_t { sum, prod, max, min, all, any };

/// Options of an operation. Which ones an operation has, its public function says.
struct OpOptions {
  std::uint8_t rounding = 0; ///< a RoundingMode
  std::uint8_t overflow = 0; ///< an Overflow
  bool flush_to_zero = false, propagate_nan = false, saturating = false;
};

Slot copy(Slot from);
void assign(Slot to, Slot from);

/// A splat of `bits`, the element's bit pattern.
Slot constant(TileType type, std::uint64_t bits, SourceLoc at);
Slot iota(TileType type, SourceLoc at);
Slot unary(UnaryFn fn, Slot x, DType dtype, SourceLoc at, OpOptions options = {});
Slot binary(BinaryFn fn, Slot a, Slot b, DType dtype, SourceLoc at, OpOptions options = {});
Slot compare(CompareFn fn, Slot a, Slot b, DType dtype, SourceLoc at);
Slot fma(Slot a, Slot b, Slot c, DType dtype, SourceLoc at, OpOptions options = {});
Slot select(Slot condition, Slot a, Slot b, SourceLoc at);
Slot cast(Slot x, DType from, DType to, SourceLoc at, OpOptions options = {});
/// The same bits as another type.
Slot bitcast(Slot x, TileType to, SourceLoc at);
/// Elements packed into bytes, and bytes unpacked.
Slot pack(Slot x, TileType to, SourceLoc at);
Slot unpack(Slot x, TileType to, SourceLoc at);
Slot reshape(Slot x, TileType to, SourceLoc at);
/// Repeats axes of extent 1; a scalar is reshaped first.
Slot broadcast(Slot x, TileType to, SourceLoc at);
Slot permute(Slot x, std::span<const int> order, TileType to, SourceLoc at);
Slot cat(Slot a, Slot b, int axis, TileType to, SourceLoc at);
/// Part number `index` of a tile cut into parts of the shape of `to`.
Slot extract(Slot x, std::span<const Slot> index, TileType to, SourceLoc at);
Slot insert(Slot part, Slot around, std::span<const Slot> index, SourceLoc at);
Slot reduce(ReduceFn fn, Slot x, int axis, DType dtype, SourceLoc at);
Slot scan(ReduceFn fn, Slot x, int axis, bool reverse, DType dtype, SourceLoc at);
enum class CombineKind : std::uint8_t { reduce, scan, reverse_scan };
/// Opens the body of a reduction or scan of `tiles`. `arguments` gets two scalars for each tile:
/// the value so far and the next one. `identities` are bit patterns.
void begin_combine(CombineKind kind, std::span<const Slot> tiles, int axis,
                   std::span<const std::uint64_t> identities, std::span<Slot> arguments,
                   SourceLoc at);
/// Closes it with the values combined; gives the results.
void end_combine(std::span<const Slot> values, std::span<Slot> results, SourceLoc at);
Slot mma(Slot a, Slot b, Slot c, SourceLoc at);
Slot mma_int(Slot a, Slot b, Slot c, bool a_signed, bool b_signed, SourceLoc at);
Slot mma_scaled(Slot a, Slot b, Slot c, Slot a_scale, Slot b_scale, SourceLoc at);

/// Counted loop: opens its region and gives the induction variable.
Slot begin_for(Slot lower, Slot upper, Slot step, SourceLoc at);
/// Closes the region of the innermost loop.
void end_for(SourceLoc at);
/// Called when the body of a counted loop was left without reaching its end.
void abandon_for(SourceLoc at) noexcept;

void begin_if(Slot condition, SourceLoc at);
void begin_else();
void end_if();
/// A variable that both branches of an `if` assign, declared outside it.
Slot declare(TileType type);

void begin_loop(SourceLoc at);
void end_loop();
void break_loop(SourceLoc at);
void continue_loop(SourceLoc at);
/// Leaves the innermost loop unless `condition` holds.
void leave_unless(Slot condition, SourceLoc at);
/// Number of open regions, and closing those above `depth` after an exception.
std::uint32_t region_depth();
void close_regions(std::uint32_t depth) noexcept;

Slot block_id(int axis, SourceLoc at);
Slot grid_size(int axis, SourceLoc at);
void device_assert(Slot condition, const char* message, SourceLoc at);
void print(const char* format, std::span<const Slot> tiles, SourceLoc at);
/// Ends the block.
void return_kernel(SourceLoc at);

/// Value of a scalar argument of the kernel that is being traced.
Slot scalar_param(int argument);

/// A tensor parameter of the kernel that is being traced.
struct TensorParam {
  std::uint32_t id = 0;
};
/// A tensor parameter seen as a grid of tiles.
struct ViewId {
  std::uint32_t id = 0;
};
enum class PaddingKind : std::uint8_t { zero, neg_zero, nan, pos_inf, neg_inf };

ViewId tile_view(TensorParam tensor, std::span<const int> tile, PaddingKind padding, SourceLoc at);
/// The tensor as tiles that start at any element.
ViewId window_view(TensorParam tensor, std::span<const int> tile, SourceLoc at);
/// First element, plus `offset`, of this block's piece along `axis` when pieces have `tile`
/// elements there.
Slot window_index(int axis, int tile, int offset, SourceLoc at);
/// Tiles along `axis`.
Slot tile_count(ViewId view, int axis, SourceLoc at);
Slot extent(TensorParam tensor, int axis, SourceLoc at);
Slot load(ViewId view, std::span<const Slot> index, TileType type, int latency, SourceLoc at);
void store(ViewId view, std::span<const Slot> index, Slot tile, SourceLoc at);
void require_extent(TensorParam tensor, int axis, std::int64_t extent, SourceLoc at);

/// Row (0) and column (1), ... of the piece number `linear` of an output walked in groups of
/// `group` pieces along axis 0.
void mapped_index(ViewId view, Slot linear, int group, std::span<Slot> index, SourceLoc at);
Slot piece_count(ViewId view, SourceLoc at);

} // namespace cutile::detail
