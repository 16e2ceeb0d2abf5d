#pragma once

#include <array>
#include <cstdint>

namespace cutile {

/// An extent that is known at run time only: `In<float, ct::dyn, ct::dyn>` is a matrix of any size.
inline constexpr int dyn = -1;

/// The shape of a tile, as a value: `ct::shape<128, 64>`.
template <int... S> struct Shape {
  static constexpr int rank = sizeof...(S);
  static constexpr std::int64_t elements = (std::int64_t{1} * ... * S);
  static constexpr std::array<int, sizeof...(S)> extents{S...};
};
template <int... S> inline constexpr Shape<S...> shape{};

/// An axis, as a value: `ct::axis<1>`. Axis 0 is the outermost.
template <int A> struct Axis {
  static_assert(A >= 0, "ct::axis: an axis is counted from 0, the outermost");
  static constexpr int value = A;
};
template <int A> inline constexpr Axis<A> axis{};

/// A compile-time argument of a kernel: `ct::constant<64>` is passed where the kernel takes
/// `ct::Constant<BK>`.
template <auto V> struct Constant {
  static constexpr auto value = V;
};
template <auto V> inline constexpr Constant<V> constant{};

namespace detail {

constexpr bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }
constexpr int power_of_two_below(int n) {
  int p = 1;
  while (p <= n / 2) p *= 2;
  return p;
}

/// Its instantiation names the extent and the powers of two next to it.
template <int Extent, int NextSmaller = power_of_two_below(Extent),
          int NextLarger = 2 * NextSmaller>
struct TileExtent {
  static_assert(is_power_of_two(Extent), "Tile<T, S...>: every extent of a tile must be a power of "
                                         "two; the nearest that would do are named as "
                                         "NextSmaller and NextLarger");
  static constexpr bool ok = is_power_of_two(Extent);
};

template <int... S> struct CheckedShape {
  static_assert((TileExtent<S>::ok && ...));
  static_assert((std::int64_t{1} * ... * S) <= (std::int64_t{1} << 24),
                "Tile<T, S...>: a tile has at most 16777216 elements");
  static constexpr bool ok = true;
};

/// Position in S... of axis A.
template <int A, int... S> constexpr int extent_at = std::array<int, sizeof...(S)>{S...}[A];

} // namespace detail
} // namespace cutile
