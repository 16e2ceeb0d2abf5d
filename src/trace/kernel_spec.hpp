#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "cutile/source_loc.hpp"
#include "cutile/types.hpp"
#include "ir/module.hpp"

// What a trace is told about a launch, and what it gives back.

namespace cutile::trace {

inline constexpr int max_rank = 8;

enum class ArgKind : std::uint8_t { in, out, mapped_out, scalar };

/// Facts about a tensor argument that the compiled kernel may rely on. Every bit narrows where the
/// kernel may run.
struct Specialisation {
  std::uint8_t aligned16 = 0;     ///< the first element's address is a multiple of 16 bytes
  std::uint8_t wide = 0;          ///< extents and strides are passed as 64-bit numbers
  std::uint8_t extents_div16 = 0; ///< bit a: extent of axis a is a multiple of 16
  std::uint8_t strides_div16 = 0; ///< bit a: stride of axis a is a multiple of 16 elements
  std::uint8_t unit_strides = 0;  ///< bit a: stride of axis a is 1
  friend bool operator==(const Specialisation&, const Specialisation&) = default;
};

/// One argument of a kernel.
struct ArgSpec {
  ArgKind kind = ArgKind::scalar;
  DType dtype = DType::f32;
  int rank = 0;
  std::array<int, max_rank> tile{}; ///< shape of an output's pieces
  Specialisation facts{};
};

/// Hints for the whole kernel; 0 leaves the choice to the compiler.
struct KernelHints {
  int occupancy = 0, worker_warps = 0, ctas = 0;
};

/// Where the launcher finds the value of an entry parameter.
struct ParamSource {
  enum class Kind : std::uint8_t { pointer, extent, stride, scalar };
  Kind kind;
  std::uint8_t arg;   ///< argument number, from 0
  std::uint8_t axis;  ///< of an extent or stride
  std::uint8_t bytes; ///< size of the parameter
};

/// Tiles of `tile` elements along an axis of an argument: ceil(extent / tile).
struct TileCount {
  int arg = 0, axis = 0, tile = 1;
  friend bool operator==(const TileCount&, const TileCount&) = default;
};

/// An exclusive upper bound of an index that only the launch knows, or that is constant.
struct Bound {
  enum class Kind : std::uint8_t { constant, grid, tiles, scalar };
  Kind kind = Kind::constant;
  std::int64_t value =
      0; ///< constant: the bound; grid: the axis; scalar: the argument whose value it is
  TileCount tiles{};
  /// grid: the index is block * scale + offset.
  std::int64_t scale = 1, offset = 0;
  friend bool operator==(const Bound&, const Bound&) = default;
};

/// A demand of the kernel on the launch. The launch is refused, with the place, where it does not
/// hold.
struct LaunchCheck {
  enum class Kind : std::uint8_t {
    index,      ///< every index below `bound` is below the number of tiles
    extent_is,  ///< the extent of (arg, axis) is `value`
    extent_i32, ///< the extent of (arg, axis) fits in 32 bits
  };
  Kind kind = Kind::index;
  Bound bound{};
  TileCount limit{}; ///< index: where it is used; others: arg and axis
  std::int64_t value = 0;
  SourceLoc at{};
};

/// A traced kernel: a module with one entry, and how to launch it.
struct TracedKernel {
  ir::Module module;
  std::vector<ParamSource> params;
  std::vector<LaunchCheck> checks;
  /// Upper bounds that the trace knows by construction (indices minted by a walk over pieces), by
  /// value id.
  std::unordered_map<std::uint32_t, Bound> bounds;
  /// For each view (by value id), the argument it belongs to.
  std::unordered_map<std::uint32_t, int> view_args;
};

} // namespace cutile::trace
