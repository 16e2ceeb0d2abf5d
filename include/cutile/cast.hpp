#pragma once

#include <limits>
#include <utility>

#include "cutile/ops.hpp"

// Conversions between element types.

namespace cutile {

struct CastOptions {
  /// Of float to ct::f8e8m0: zero or positive_inf, which is also what nearest_even stands for
  /// there.
  Rounding rounding = Rounding::nearest_even;
};

/// Converts the elements: integers wrap, floats round to nearest even, float to integer truncates
/// (out of range is undefined on the GPU: see saturate_cast), to bool is `x != 0`. The floats of 4
/// and 8 bits saturate. Tile IR: ftof, ftoi, itof, exti, trunci.
template <Element To, class T, int... S> Tile<To, S...>
cast(const Tile<T, S...>& x, CastOptions options, SourceLoc at = SourceLoc::current()) {
  static_assert(!std::is_same_v<To, i4> || std::is_integral_v<T>,
                "ct::cast: only integers become ct::i4; cast to std::int8_t first");
  static_assert(!std::is_same_v<T, i4> || std::is_integral_v<To>,
                "ct::cast: ct::i4 becomes integers alone; cast to std::int8_t first");
  if constexpr (std::is_same_v<To, bool> && Comparable<T> && !std::is_same_v<T, bool>) {
    return Tile<bool, S...>(detail::compare(detail::CompareFn::ne, x.slot(),
                                            zeros<T>(Shape<S...>{}, at).slot(), dtype_of<T>, at));
  } else if constexpr (std::is_same_v<To, bool> && !std::is_same_v<T, bool>) {
    static_assert(Comparable<T>,
                  "ct::cast: to bool from bool, integers and floats with arithmetic");
  } else {
    return Tile<To, S...>(detail::cast(x.slot(), dtype_of<T>, dtype_of<To>, at,
                                       {.rounding = static_cast<std::uint8_t>(options.rounding)}));
  }
}
template <Element To, class T, int... S>
Tile<To, S...> cast(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return cast<To>(x, CastOptions{}, at);
}

/// Converts to an integer type; what is out of its range becomes its nearest end, NaN becomes 0.
/// Tile IR: of floats ftoi with `saturating`, from 13.4 on.
template <IntElement To, NumberElement T, int... S>
Tile<To, S...> saturate_cast(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  if constexpr (FloatElement<T>) {
    return Tile<To, S...>(
        detail::cast(x.slot(), dtype_of<T>, dtype_of<To>, at, {.saturating = true}));
  } else {
    // The ends of `To` that T can hold: beyond the others no T lies.
    using Limits = std::numeric_limits<To>;
    Tile<T, S...> y = x;
    if constexpr (std::cmp_less(std::numeric_limits<T>::min(), Limits::min()))
      y = max(y, Tile<T, S...>::full(static_cast<T>(Limits::min()), at));
    if constexpr (std::cmp_greater(std::numeric_limits<T>::max(), Limits::max()))
      y = min(y, Tile<T, S...>::full(static_cast<T>(Limits::max()), at));
    return cast<To>(y, at);
  }
}

/// The same bits as another type of the same width. Tile IR: bitcast.
template <Element To, class T, int... S>
Tile<To, S...> bitcast(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  static_assert(detail::element_bits<To> == detail::element_bits<T>,
                "ct::bitcast: both element types must have the same width");
  return Tile<To, S...>(detail::bitcast(x.slot(), detail::tile_type<To, S...>(), at));
}

/// The elements as bytes, little-endian; types of four bits in pairs, the even element in the low
/// half. Tile IR: pack, from 13.3 on.
template <class T, int N> auto pack(const Tile<T, N>& x, SourceLoc at = SourceLoc::current()) {
  constexpr int bytes = N * detail::element_bits<T> / 8;
  return Tile<std::uint8_t, bytes>(
      detail::pack(x.slot(), detail::tile_type<std::uint8_t, bytes>(), at));
}
/// Bytes as elements: the inverse of ct::pack. `ct::unpack<ct::f4e2m1>(bytes)` has two elements for
/// each byte. Tile IR: unpack, from 13.3 on.
template <Element To, class T, int N>
  requires(sizeof(T) == 1 && IntElement<T>)
auto unpack(const Tile<T, N>& x, SourceLoc at = SourceLoc::current()) {
  static_assert(N * 8 % detail::element_bits<To> == 0 && N * 8 >= detail::element_bits<To>,
                "ct::unpack: the bytes must make whole elements");
  constexpr int n = N * 8 / detail::element_bits<To>;
  return Tile<To, n>(detail::unpack(x.slot(), detail::tile_type<To, n>(), at));
}

} // namespace cutile
