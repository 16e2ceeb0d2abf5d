#pragma once

#include <utility>

#include "cutile/control.hpp"
#include "cutile/ops.hpp"

// Functions that move elements of tiles.

namespace cutile {

/// The same elements, row-major, under another shape with the same number of elements.
template <int... To, class T, int... S>
Tile<T, To...> reshape(const Tile<T, S...>& x, Shape<To...>, SourceLoc at = SourceLoc::current()) {
  static_assert(Shape<To...>::elements == Shape<S...>::elements,
                "ct::reshape: both shapes must have the same number of elements");
  return Tile<T, To...>(detail::reshape(x.slot(), detail::tile_type<T, To...>(), at));
}

/// Repeats the axes of extent 1 up to the new shape; a scalar becomes any shape.
template <int... To, class T, int... S> Tile<T, To...>
broadcast(const Tile<T, S...>& x, Shape<To...>, SourceLoc at = SourceLoc::current()) {
  if constexpr (sizeof...(S) != 0) {
    static_assert(sizeof...(To) == sizeof...(S), "ct::broadcast: both shapes must have the same "
                                                 "rank; use ct::reshape to add axes of extent 1");
    if constexpr (sizeof...(To) == sizeof...(S)) {
      static_assert(((S == 1 || S == To) && ...),
                    "ct::broadcast: only axes of extent 1 can be repeated");
    }
  }
  return Tile<T, To...>(detail::broadcast(x.slot(), detail::tile_type<T, To...>(), at));
}

/// Axis k of the result is axis order[k] of `x`: `ct::permute(x, ct::shape<2, 0, 1>)`.
template <int... Order, class T, int... S>
auto permute(const Tile<T, S...>& x, Shape<Order...>, SourceLoc at = SourceLoc::current()) {
  static_assert(sizeof...(Order) == sizeof...(S),
                "ct::permute: the order must name every axis once");
  using To = Tile<T, detail::extent_at<Order, S...>...>;
  static constexpr int order[] = {Order...};
  return To(detail::permute(x.slot(), order,
                            detail::tile_type<T, detail::extent_at<Order, S...>...>(), at));
}
template <class T, int M, int N>
Tile<T, N, M> transpose(const Tile<T, M, N>& x, SourceLoc at = SourceLoc::current()) {
  return permute(x, shape<1, 0>, at);
}

/// Puts back an axis of extent 1, so that a reduced tile can be broadcast: `ct::expand(ct::max(x,
/// ct::axis<1>), ct::axis<1>)`.
template <int A, class T, int... S>
auto expand(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(A <= static_cast<int>(sizeof...(S)),
                "ct::expand: the new axis must be at most the tile's rank");
  using To = typename detail::TileOf<T, typename detail::Inserted<Shape<>, A, S...>::type>::type;
  return reshape(x, To::shape(), at);
}

/// Drops axis A, which has extent 1.
template <int A, class T, int... S>
auto squeeze(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(A < static_cast<int>(sizeof...(S)),
                "ct::squeeze: the axis must be below the tile's rank");
  static_assert(detail::extent_at<A, S...> == 1,
                "ct::squeeze: only an axis of extent 1 can be dropped");
  using To = typename detail::TileOf<T, typename detail::WithoutAxis<Shape<>, A, S...>::type>::type;
  return reshape(x, To::shape(), at);
}

namespace detail {

/// Shape of a tile with the extent of axis A replaced.
template <int A, int Extent, class Axes, int... S> struct Resized;
template <int A, int Extent, std::size_t... I, int... S>
struct Resized<A, Extent, std::index_sequence<I...>, S...> {
  using type = Shape<(static_cast<int>(I) == A ? Extent : S)...>;
};
template <int A, int Extent, int... S> using ResizedTo =
    typename Resized<A, Extent, std::make_index_sequence<sizeof...(S)>, S...>::type;

} // namespace detail

/// `a` and, after it along axis A, `b`, which has the same shape but for that axis. The sum of the
/// extents must be a power of two again. Tile IR: cat.
template <int A, class T, int... S, int... R> auto
cat(const Tile<T, S...>& a, const Tile<T, R...>& b, Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(sizeof...(S) == sizeof...(R), "ct::cat: both tiles must have the same rank");
  static_assert(A < static_cast<int>(sizeof...(S)),
                "ct::cat: the axis must be below the tiles' rank");
  constexpr int extent = detail::extent_at<A, S...> + detail::extent_at<A, R...>;
  static_assert(std::is_same_v<detail::ResizedTo<A, 1, S...>, detail::ResizedTo<A, 1, R...>>,
                "ct::cat: the tiles may differ in extent along the joined axis alone");
  static_assert(detail::is_power_of_two(extent),
                "ct::cat: the extents along the joined axis must add up to a power of two");
  using To = typename detail::TileOf<T, detail::ResizedTo<A, extent, S...>>::type;
  return [&]<int... E>(Shape<E...>) {
    return To(detail::cat(a.slot(), b.slot(), A, detail::tile_type<T, E...>(), at));
  }(To::shape());
}

/// One of the parts of shape To... that `x` is made of: that at `index`, counted in parts, one
/// number for each axis. An index outside is undefined on the GPU and an error on the CPU device.
/// Tile IR: extract.
template <int... To, class T, int... S, class... I>
Tile<T, To...> extract(const Tile<T, S...>& x, Shape<To...>, const I&... index) {
  static_assert(sizeof...(To) == sizeof...(S) && sizeof...(I) == sizeof...(S),
                "ct::extract: the part and its index need a number for each axis of the tile");
  if constexpr (sizeof...(To) == sizeof...(S)) {
    static_assert(((S % To == 0) && ...),
                  "ct::extract: the part must divide the tile along each axis");
  }
  const detail::Slot slots[] = {Index(index).slot()...};
  return Tile<T, To...>(detail::extract(x.slot(), slots, detail::tile_type<T, To...>(), {}));
}
/// `around` with `part` in the place of the part at `index`, counted in parts: see ct::extract.
/// Tile IR: insert, from 13.4 on.
template <class T, int... P, int... S, class... I>
Tile<T, S...> insert(const Tile<T, P...>& part, const Tile<T, S...>& around, const I&... index) {
  static_assert(sizeof...(P) == sizeof...(S) && sizeof...(I) == sizeof...(S),
                "ct::insert: the part and its index need a number for each axis of the tile");
  if constexpr (sizeof...(P) == sizeof...(S)) {
    static_assert(((S % P == 0) && ...),
                  "ct::insert: the part must divide the tile along each axis");
  }
  const detail::Slot slots[] = {Index(index).slot()...};
  return Tile<T, S...>(detail::insert(part.slot(), around.slot(), slots, {}));
}

/// The two halves of `x` along axis A.
template <int A, class T, int... S>
auto split(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(A < static_cast<int>(sizeof...(S)),
                "ct::split: the axis must be below the tile's rank");
  static_assert(detail::extent_at<A, S...> > 1, "ct::split: an axis of extent 1 has no halves");
  using Half = detail::ResizedTo<A, detail::extent_at<A, S...> / 2, S...>;
  const auto half = [&]<int... E, std::size_t... I>(int which, Shape<E...>,
                                                    std::index_sequence<I...>) {
    const detail::Slot index[] = {Index(static_cast<int>(I) == A ? which : 0, at).slot()...};
    return Tile<T, E...>(detail::extract(x.slot(), index, detail::tile_type<T, E...>(), at));
  };
  constexpr auto axes = std::make_index_sequence<sizeof...(S)>{};
  return std::pair{half(0, Half{}, axes), half(1, Half{}, axes)};
}

namespace detail {

/// `x` with bit number Bit, and those above it, of its position along the axis inverted.
template <int Bit, int Outer, int Extent, int Inner, class T, int... S>
Tile<T, S...> flip_bits(const Tile<T, S...>& x, SourceLoc at) {
  constexpr int low = 1 << Bit;
  if constexpr (low >= Extent) {
    return x;
  } else {
    const auto halves =
        split(reshape(x, shape<Outer * Extent / 2 / low, 2, low * Inner>, at), axis<1>, at);
    return flip_bits<Bit + 1, Outer, Extent, Inner>(
        reshape(cat(halves.second, halves.first, axis<1>, at), Shape<S...>{}, at), at);
  }
}

} // namespace detail

/// `x` with the elements along axis A in reverse order, by log2(extent) exchanges of halves.
template <int A, class T, int... S>
Tile<T, S...> flip(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(A < static_cast<int>(sizeof...(S)),
                "ct::flip: the axis must be below the tile's rank");
  constexpr int extent = detail::extent_at<A, S...>;
  constexpr int outer = [] {
    int n = 1, a = 0;
    ((n *= a++ < A ? S : 1), ...);
    return n;
  }();
  constexpr int inner = static_cast<int>(Shape<S...>::elements) / outer / extent;
  return detail::flip_bits<0, outer, extent, inner>(x, at);
}

} // namespace cutile
