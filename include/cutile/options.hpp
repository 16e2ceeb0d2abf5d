#pragma once

#include "cutile/detail/trace_api.hpp"

// Options of operations, given by name: `ct::add(a, b, {.rounding = ct::Rounding::zero})`. An
// option that the operation does not have for these types is an error of the trace.

namespace cutile {

/// How a float operation rounds. Tile IR: rounding_mode.
enum class Rounding : std::uint8_t {
  nearest_even, ///< to the nearest value, ties to the even one
  zero,         ///< towards zero
  negative_inf, ///< towards minus infinity
  positive_inf, ///< towards plus infinity
  approx,       ///< the hardware's approximation, of float alone
  full          ///< within 2 units in the last place, of float alone
};

struct FloatOptions {
  Rounding rounding = Rounding::nearest_even;
  bool flush_to_zero = false; ///< of float alone: subnormal arguments and results count as zero

  [[nodiscard]] constexpr detail::OpOptions bits() const {
    return {.rounding = static_cast<std::uint8_t>(rounding), .flush_to_zero = flush_to_zero};
  }
};

/// Of ct::max and ct::min.
struct ExtremeOptions {
  bool propagate_nan = false; ///< a NaN beside a number gives NaN
  bool flush_to_zero = false; ///< of float alone

  [[nodiscard]] constexpr detail::OpOptions bits() const {
    return {.flush_to_zero = flush_to_zero, .propagate_nan = propagate_nan};
  }
};

/// What the compiler may assume of integer results. An overflow against the promise is undefined.
enum class Overflow : std::uint8_t { wraps, no_signed_wrap, no_unsigned_wrap, no_wrap };

struct IntOptions {
  Overflow overflow = Overflow::wraps;

  [[nodiscard]] constexpr detail::OpOptions bits() const {
    return {.overflow = static_cast<std::uint8_t>(overflow)};
  }
};

} // namespace cutile
