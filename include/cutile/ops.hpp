#pragma once

#include "cutile/tile.hpp"

// Functions on tiles. All act element by element unless they say otherwise, on tiles of one shape;
// the last argument is always the place in the user's program. Semantics are those of the CUDA Tile
// IR operation that each function names.

namespace cutile {

/// A tile whose elements are all `value`. Tile IR: constant.
template <Element T, int... S, detail::HostScalarFor<T> N>
Tile<T, S...> full(Shape<S...>, N value, SourceLoc at = SourceLoc::current()) {
  return Tile<T, S...>::full(value, at);
}
template <Element T, int... S>
Tile<T, S...> zeros(Shape<S...>, SourceLoc at = SourceLoc::current()) {
  return Tile<T, S...>(detail::constant(detail::tile_type<T, S...>(), 0, at));
}
template <Element T, int... S>
Tile<T, S...> ones(Shape<S...>, SourceLoc at = SourceLoc::current()) {
  return Tile<T, S...>(detail::constant(detail::tile_type<T, S...>(),
                                        detail::bits_of(detail::to_element<T>(1)), at));
}
/// 0, 1, ..., N-1. Tile IR: iota.
template <IntElement T, int N> Tile<T, N> iota(Shape<N>, SourceLoc at = SourceLoc::current()) {
  return Tile<T, N>(detail::iota(detail::tile_type<T, N>(), at));
}

#define CUTILE_UNARY(name, fn, concept_name)                                                       \
  template <concept_name T, int... S>                                                              \
  Tile<T, S...> name(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {                \
    return Tile<T, S...>(detail::unary(detail::UnaryFn::fn, x.slot(), dtype_of<T>, at));           \
  }
CUTILE_UNARY(abs, abs, Element) ///< |x|; of the most negative integer, itself
CUTILE_UNARY(exp, exp, FloatElement)
CUTILE_UNARY(exp2, exp2, FloatElement)
CUTILE_UNARY(log, log, FloatElement)
CUTILE_UNARY(log2, log2, FloatElement)
CUTILE_UNARY(sin, sin, FloatElement)
CUTILE_UNARY(cos, cos, FloatElement)
CUTILE_UNARY(tan, tan, FloatElement)
CUTILE_UNARY(sinh, sinh, FloatElement)
CUTILE_UNARY(cosh, cosh, FloatElement)
CUTILE_UNARY(tanh, tanh, FloatElement)
CUTILE_UNARY(sqrt, sqrt, FloatElement)
CUTILE_UNARY(rsqrt, rsqrt, FloatElement) ///< 1 / sqrt(x)
CUTILE_UNARY(floor, floor, FloatElement)
CUTILE_UNARY(ceil, ceil, FloatElement)
#undef CUTILE_UNARY

#define CUTILE_BINARY(name, fn, concept_name)                                                      \
  template <concept_name T, int... S>                                                              \
  Tile<T, S...> name(const Tile<T, S...>& a, std::type_identity_t<detail::Operand<T, S...>> b) {   \
    return Tile<T, S...>(                                                                          \
        detail::binary(detail::BinaryFn::fn, a.slot(), b.slot, dtype_of<T>, b.at));                \
  }
CUTILE_BINARY(max, max, Element) ///< of a number and a NaN: the number; +0 is above -0
CUTILE_BINARY(min, min, Element) ///< of a number and a NaN: the number; -0 is below +0
CUTILE_BINARY(pow, pow, FloatElement)
CUTILE_BINARY(atan2, atan2, FloatElement) ///< angle of (b, a): the first argument is the numerator
#undef CUTILE_BINARY

/// a * b + c with one rounding. Tile IR: fma.
template <FloatElement T, int... S>
Tile<T, S...> fma(const Tile<T, S...>& a, std::type_identity_t<detail::Operand<T, S...>> b,
                  std::type_identity_t<detail::Operand<T, S...>> c) {
  return Tile<T, S...>(detail::fma(a.slot(), b.slot, c.slot, dtype_of<T>, b.at));
}

/// `condition ? a : b`, element by element. Tile IR: select.
template <class T, int... S>
Tile<T, S...> select(const Tile<bool, S...>& condition, const Tile<T, S...>& a,
                     std::type_identity_t<detail::Operand<T, S...>> b) {
  return Tile<T, S...>(detail::select(condition.slot(), a.slot(), b.slot, b.at));
}
/// The same with a number first.
template <class T, int... S, detail::HostScalarFor<T> N>
Tile<T, S...> select(const Tile<bool, S...>& condition, N a, const Tile<T, S...>& b,
                     SourceLoc at = SourceLoc::current()) {
  return Tile<T, S...>(
      detail::select(condition.slot(), Tile<T, S...>::full(a, at).slot(), b.slot(), at));
}

/// Converts the elements: integers wrap, floats round to nearest even, float to integer truncates
/// (out of range is undefined on the GPU), to bool is `x != 0`. Tile IR: ftof, ftoi, itof, exti,
/// trunci.
template <Element To, class T, int... S>
Tile<To, S...> cast(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  if constexpr (std::is_same_v<To, bool> && !std::is_same_v<T, bool>) {
    return Tile<bool, S...>(detail::compare(detail::CompareFn::ne, x.slot(),
                                            zeros<T>(Shape<S...>{}, at).slot(), dtype_of<T>, at));
  } else {
    return Tile<To, S...>(detail::cast(x.slot(), dtype_of<T>, dtype_of<To>, at));
  }
}

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

} // namespace detail

#define CUTILE_REDUCE(name, fn, condition)                                                         \
  /* Over one axis, which is dropped. */                                                           \
  template <int A, class T, int... S>                                                              \
    requires(condition)                                                                            \
  auto name(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {                \
    return detail::reduce_axis<detail::ReduceFn::fn, A>(x, at);                                    \
  }                                                                                                \
  /* Over all elements. */                                                                         \
  template <class T, int... S>                                                                     \
    requires(condition)                                                                            \
  Tile<T> name(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {                      \
    return detail::reduce_all<detail::ReduceFn::fn>(x, at);                                        \
  }
CUTILE_REDUCE(sum, sum, (!std::is_same_v<T, bool>)) ///< in an unspecified but fixed order
CUTILE_REDUCE(prod, prod, (!std::is_same_v<T, bool>))
CUTILE_REDUCE(max, max, (!std::is_same_v<T, bool>)) ///< NaN is ignored beside a number
CUTILE_REDUCE(min, min, (!std::is_same_v<T, bool>))
CUTILE_REDUCE(all, all, (std::is_same_v<T, bool>))
CUTILE_REDUCE(any, any, (std::is_same_v<T, bool>))
#undef CUTILE_REDUCE

/// Puts back an axis of extent 1, so that a reduced tile can be broadcast: `ct::expand(ct::max(x,
/// ct::axis<1>), ct::axis<1>)`.
template <int A, class T, int... S>
auto expand(const Tile<T, S...>& x, Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(A <= static_cast<int>(sizeof...(S)),
                "ct::expand: the new axis must be at most the tile's rank");
  using To = typename detail::TileOf<T, typename detail::Inserted<Shape<>, A, S...>::type>::type;
  return reshape(x, To::shape(), at);
}

/// a (M x K) times b (K x N) plus c (M x N). f16 -> f16 or float; bf16, float -> float; double ->
/// double. The order of the sum is not specified; float x float is computed in full f32. Tile IR:
/// mmaf.
template <FloatElement T, class Acc, int M, int K, int K2, int N, int M2, int N2>
Tile<Acc, M, N> mma(const Tile<T, M, K>& a, const Tile<T, K2, N>& b, const Tile<Acc, M2, N2>& c,
                    SourceLoc at = SourceLoc::current()) {
  static_assert(K == K2, "ct::mma: the second extent of a must be the first extent of b");
  static_assert(M == M2 && N == N2,
                "ct::mma: the accumulator must have the rows of a and the columns of b");
  static_assert(
      (std::is_same_v<T, f16> && (std::is_same_v<Acc, f16> || std::is_same_v<Acc, float>)) ||
          (std::is_same_v<T, bf16> && std::is_same_v<Acc, float>) ||
          (std::is_same_v<T, float> && std::is_same_v<Acc, float>) ||
          (std::is_same_v<T, double> && std::is_same_v<Acc, double>),
      "ct::mma: f16 accumulates in f16 or float, bf16 and float in float, double in double");
  return Tile<Acc, M, N>(detail::mma(a.slot(), b.slot(), c.slot(), dtype_of<T>, at));
}

} // namespace cutile
