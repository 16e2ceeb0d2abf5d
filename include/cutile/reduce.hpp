#pragma once

#include <algorithm>
#include <limits>
#include <tuple>

#include "cutile/cast.hpp"
#include "cutile/shapes.hpp"

// Reductions and scans. `x` has any rank; the axis is an argument: `ct::sum(x, ct::axis<1>)`,
// `ct::max(x, ct::axes<0, 2>, ct::keepdims)`.

namespace cutile {

/// Several axes, as a value, each once: `ct::axes<0, 2>`.
template <int... A> struct Axes {};
template <int... A> inline constexpr Axes<A...> axes{};

/// Asks a reduction to keep the axes it goes over, with extent 1.
struct KeepDims {};
inline constexpr KeepDims keepdims{};

namespace detail {

template <ReduceFn Fn, int A, class T, int... S>
auto reduce_axis(const Tile<T, S...>& x, SourceLoc at) {
  static_assert(A < static_cast<int>(sizeof...(S)),
                "a reduction's axis must be below the tile's rank");
  using To = TileOf<T, typename WithoutAxis<Shape<>, A, S...>::type>;
  return typename To::type(reduce(Fn, x.slot(), A, dtype_of<T>, at));
}
template <ReduceFn Fn, class T, int... S> Tile<T> reduce_all(const Tile<T, S...>& x, SourceLoc at) {
  const int n[] = {static_cast<int>(Shape<S...>::elements)};
  return Tile<T>(reduce(Fn, reshape(x.slot(), {dtype_of<T>, n}, at), 0, dtype_of<T>, at));
}

template <int A> constexpr Axes<A> as_axes(Axis<A>) { return {}; }
template <int... A> constexpr Axes<A...> as_axes(Axes<A...>) { return {}; }

template <int... A> constexpr bool names(Axes<A...>, int axis) { return ((axis == A) || ...); }

/// The axes but for X.
template <int X, int... Done> constexpr auto without(Axes<Done...> done, Axes<>) { return done; }
template <int X, int... Done, int First, int... Rest>
constexpr auto without(Axes<Done...>, Axes<First, Rest...>) {
  if constexpr (First == X) {
    return without<X>(Axes<Done...>{}, Axes<Rest...>{});
  } else {
    return without<X>(Axes<Done..., First>{}, Axes<Rest...>{});
  }
}

/// Highest axis first, so that the numbers of the others stay.
template <ReduceFn Fn, int... A, class T, int... S>
auto reduce_axes(const Tile<T, S...>& x, SourceLoc at) {
  if constexpr (sizeof...(A) == 0) {
    return x;
  } else {
    static_assert(((A >= 0 && A < static_cast<int>(sizeof...(S))) && ...),
                  "a reduction's axes must be below the tile's rank");
    constexpr int last = std::max({A...});
    static_assert(((A == last ? 1 : 0) + ...) == 1, "a reduction's axes must be different");
    const auto reduced = reduce_axis<Fn, last>(x, at);
    return [&]<int... Rest>(Axes<Rest...>) {
      return reduce_axes<Fn, Rest...>(reduced, at);
    }(without<last>(Axes<>{}, Axes<A...>{}));
  }
}

/// `reduced` with the axes back that were dropped from a tile of shape S...
template <int... S, class T, int... R, class Over>
auto kept(const Tile<T, R...>& reduced, Over, SourceLoc at) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return reshape(reduced, Shape<(names(as_axes(Over{}), static_cast<int>(I)) ? 1 : S)...>{}, at);
  }(std::make_index_sequence<sizeof...(S)>{});
}

} // namespace detail

#define CUTILE_REDUCE(name, fn, condition)                                                         \
  /* Over one axis, which is dropped. */                                                           \
  template <int A, class T, int... S>                                                              \
    requires(condition)                                                                            \
  auto name(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {                \
    return detail::reduce_axis<detail::ReduceFn::fn, A>(x, at);                                    \
  }                                                                                                \
  /* Over several axes, which are dropped. */                                                      \
  template <int... A, class T, int... S>                                                           \
    requires(condition)                                                                            \
  auto name(const Tile<T, S...>& x, Axes<A...>, SourceLoc at = SourceLoc::current()) {             \
    return detail::reduce_axes<detail::ReduceFn::fn, A...>(x, at);                                 \
  }                                                                                                \
  /* Over one axis or several, which stay with extent 1. */                                        \
  template <class Over, class T, int... S>                                                         \
    requires(condition)                                                                            \
  auto name(const Tile<T, S...>& x, Over over, KeepDims, SourceLoc at = SourceLoc::current()) {    \
    return detail::kept<S...>(name(x, over, at), over, at);                                        \
  }                                                                                                \
  /* Over all elements. */                                                                         \
  template <class T, int... S>                                                                     \
    requires(condition)                                                                            \
  Tile<T> name(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {                      \
    return detail::reduce_all<detail::ReduceFn::fn>(x, at);                                        \
  }
CUTILE_REDUCE(sum, sum, NumberElement<T>) ///< in an unspecified but fixed order
CUTILE_REDUCE(prod, prod, NumberElement<T>)
CUTILE_REDUCE(max, max, NumberElement<T>) ///< NaN is ignored beside a number
CUTILE_REDUCE(min, min, NumberElement<T>)
CUTILE_REDUCE(all, all, (std::is_same_v<T, bool>))
CUTILE_REDUCE(any, any, (std::is_same_v<T, bool>))
#undef CUTILE_REDUCE

namespace detail {

template <CombineKind Kind, int A, class... I, class Body, class... T, int... S>
auto combine(const std::tuple<I...>& identities, Body& body, const Tile<T, S...>&... tiles) {
  static_assert(sizeof...(I) == sizeof...(T),
                "ct::reduce and ct::scan: one identity for each tile");
  static_assert(A < static_cast<int>(sizeof...(S)),
                "ct::reduce and ct::scan: the axis must be below the tiles' rank");
  constexpr std::size_t n = sizeof...(T);
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    const Slot in[] = {tiles.slot()...};
    const std::uint64_t bits[] = {bits_of(to_element<T>(std::get<K>(identities)))...};
    Slot arguments[2 * n], out[n], results[n];
    const RegionGuard guard;
    begin_combine(Kind, in, A, bits, arguments, {});
    auto combined = body(Tile<T>(arguments[2 * K])..., Tile<T>(arguments[2 * K + 1])...);
    if constexpr (n == 1) {
      static_assert(
          (std::is_same_v<decltype(combined), Tile<T>> && ...),
          "ct::reduce and ct::scan: the body returns a scalar of the tile's element type");
      out[0] = combined.slot();
    } else {
      static_assert(
          std::is_same_v<decltype(combined), std::tuple<Tile<T>...>>,
          "ct::reduce and ct::scan: the body returns a std::tuple of one scalar for each tile");
      ((out[K] = std::get<K>(combined).slot()), ...);
    }
    end_combine(out, results, {});
    using To = std::conditional_t<Kind == CombineKind::reduce,
                                  typename WithoutAxis<Shape<>, A, S...>::type, Shape<S...>>;
    if constexpr (n == 1) {
      return (typename TileOf<T, To>::type(results[K]), ...);
    } else {
      return std::tuple(typename TileOf<T, To>::type(results[K])...);
    }
  }(std::make_index_sequence<n>{});
}
template <class I> auto as_tuple(I identity) { return std::tuple(identity); }
template <class... I> auto as_tuple(std::tuple<I...> identities) { return identities; }

} // namespace detail

/// A reduction by any function that is associative and commutative:
/// `ct::reduce(ct::axis<1>, 0.0f, [](auto a, auto b) { return a + b; }, x)`. Several tiles of one
/// shape are reduced together: the identities are a std::tuple, `body` takes the values so far,
/// then the next ones, and returns a std::tuple. Tile IR: reduce.
template <int A, class I, class Body, class... T, int... S>
auto reduce(Axis<A>, I identities, Body body, const Tile<T, S...>&... tiles) {
  return detail::combine<detail::CombineKind::reduce, A>(detail::as_tuple(identities), body,
                                                         tiles...);
}
/// The same for every prefix along the axis: element i combines elements 0 to i. Tile IR: scan.
template <int A, class I, class Body, class... T, int... S>
auto scan(Axis<A>, I identities, Body body, const Tile<T, S...>&... tiles) {
  return detail::combine<detail::CombineKind::scan, A>(detail::as_tuple(identities), body,
                                                       tiles...);
}
/// The same from the end: element i combines elements i to the last.
template <int A, class I, class Body, class... T, int... S>
auto reverse_scan(Axis<A>, I identities, Body body, const Tile<T, S...>&... tiles) {
  return detail::combine<detail::CombineKind::reverse_scan, A>(detail::as_tuple(identities), body,
                                                               tiles...);
}

/// Of a scan: from the first element on, or from the last.
enum class Direction : std::uint8_t { forward, reverse };

#define CUTILE_SCAN(name, fn)                                                                      \
  template <int A, NumberElement T, int... S>                                                      \
  Tile<T, S...> name(const Tile<T, S...>& x, Axis<A>, Direction direction = Direction::forward,    \
                     SourceLoc at = SourceLoc::current()) {                                        \
    static_assert(A < static_cast<int>(sizeof...(S)),                                              \
                  "a scan's axis must be below the tile's rank");                                  \
    return Tile<T, S...>(detail::scan(detail::ReduceFn::fn, x.slot(), A,                           \
                                      direction == Direction::reverse, dtype_of<T>, at));          \
  }
CUTILE_SCAN(cumsum, sum) ///< sums of all prefixes
CUTILE_SCAN(cumprod, prod)
CUTILE_SCAN(cummax, max) ///< NaN is ignored beside a number
CUTILE_SCAN(cummin, min)
#undef CUTILE_SCAN

namespace detail {

template <bool Max, int A, class T, int... S>
auto arg_extreme(const Tile<T, S...>& x, SourceLoc at) {
  static_assert(A < static_cast<int>(sizeof...(S)),
                "ct::argmax and ct::argmin: the axis must be below the tile's rank");
  using Line = ResizedTo<A, extent_at<A, S...>, (S / S)...>;
  const auto position = broadcast(
      reshape(iota<std::int32_t>(shape<extent_at<A, S...>>, at), Line{}, at), Shape<S...>{}, at);
  const auto body = [](const Tile<T>& a, const Tile<std::int32_t>& i, const Tile<T>& b,
                       const Tile<std::int32_t>& j) {
    auto wins = Max ? b > a : b < a;
    auto ties = b == a;
    if constexpr (FloatElement<T>) {
      const auto a_nan = a != a, b_nan = b != b;
      wins = wins | (b_nan & !a_nan);
      ties = ties | (a_nan & b_nan);
    }
    const auto take = wins | (ties & (j < i));
    return std::tuple(select(take, b, a), select(take, j, i));
  };
  using Limits = std::numeric_limits<T>;
  const T worst = [] {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
      return T(Max ? -std::numeric_limits<float>::infinity()
                   : std::numeric_limits<float>::infinity());
    } else if constexpr (FloatElement<T>) {
      return Max ? -Limits::infinity() : Limits::infinity();
    } else {
      return Max ? Limits::min() : Limits::max();
    }
  }();
  return std::get<1>(reduce(axis<A>, std::tuple(worst, std::numeric_limits<std::int32_t>::max()),
                            body, x, position));
}

} // namespace detail

/// Position of the largest element along axis A, which is dropped: of equal ones the first. NaN
/// counts as larger than every number, as in NumPy.
template <int A, NumberElement T, int... S>
auto argmax(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {
  return detail::arg_extreme<true, A>(x, at);
}
/// Position of the smallest element along axis A, which is dropped: of equal ones the first. NaN
/// counts as smaller than every number, as in NumPy.
template <int A, NumberElement T, int... S>
auto argmin(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {
  return detail::arg_extreme<false, A>(x, at);
}

} // namespace cutile
