#pragma once

#include "cutile/options.hpp"
#include "cutile/tile.hpp"

// Arithmetic on tiles. All functions act element by element unless they say otherwise, on tiles of
// one shape; the last argument is always the place in the user's program. Semantics are those of
// the CUDA Tile IR operation that each function names.

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

#define CUTILE_UNARY(name, fn, concept_name)                                                       \
  template <concept_name T, int... S>                                                              \
  Tile<T, S...> name(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {                \
    return Tile<T, S...>(detail::unary(detail::UnaryFn::fn, x.slot(), dtype_of<T>, at));           \
  }
// The same, and with options.
#define CUTILE_UNARY_WITH(name, fn, Options)                                                       \
  CUTILE_UNARY(name, fn, FloatElement)                                                             \
  template <FloatElement T, int... S> Tile<T, S...> name(const Tile<T, S...>& x, Options options,  \
                                                         SourceLoc at = SourceLoc::current()) {    \
    return Tile<T, S...>(                                                                          \
        detail::unary(detail::UnaryFn::fn, x.slot(), dtype_of<T>, at, options.bits()));            \
  }
CUTILE_UNARY(abs, abs, NumberElement)       ///< |x|; of the most negative integer, itself
CUTILE_UNARY_WITH(exp, exp, FloatOptions)   ///< options: approx or full, of float
CUTILE_UNARY_WITH(exp2, exp2, FloatOptions) ///< options: flush_to_zero
CUTILE_UNARY(log, log, FloatElement)
CUTILE_UNARY(log2, log2, FloatElement)
CUTILE_UNARY(sin, sin, FloatElement)
CUTILE_UNARY(cos, cos, FloatElement)
CUTILE_UNARY(tan, tan, FloatElement)
CUTILE_UNARY(sinh, sinh, FloatElement)
CUTILE_UNARY(cosh, cosh, FloatElement)
CUTILE_UNARY_WITH(tanh, tanh, FloatOptions) ///< options: approx or full, of float
CUTILE_UNARY_WITH(sqrt, sqrt, FloatOptions) ///< options: rounding (approx of float), flush_to_zero
CUTILE_UNARY_WITH(rsqrt, rsqrt, FloatOptions) ///< 1 / sqrt(x); options: flush_to_zero
CUTILE_UNARY(floor, floor, FloatElement)
CUTILE_UNARY(ceil, ceil, FloatElement)
#undef CUTILE_UNARY_WITH
#undef CUTILE_UNARY

#define CUTILE_BINARY(name, fn, concept_name)                                                      \
  template <concept_name T, int... S>                                                              \
  Tile<T, S...> name(const Tile<T, S...>& a, std::type_identity_t<detail::Operand<T, S...>> b) {   \
    return Tile<T, S...>(                                                                          \
        detail::binary(detail::BinaryFn::fn, a.slot(), b.slot, dtype_of<T>, b.at));                \
  }
#define CUTILE_BINARY_WITH(name, fn, concept_name, Options)                                        \
  template <concept_name T, int... S> Tile<T, S...> name(                                          \
      const Tile<T, S...>& a, std::type_identity_t<detail::Operand<T, S...>> b, Options options) { \
    return Tile<T, S...>(detail::binary(detail::BinaryFn::fn, a.slot(), b.slot, dtype_of<T>, b.at, \
                                        options.bits()));                                          \
  }
CUTILE_BINARY(max, max, NumberElement) ///< of a number and a NaN: the number; +0 is above -0
CUTILE_BINARY(min, min, NumberElement) ///< of a number and a NaN: the number; -0 is below +0
CUTILE_BINARY_WITH(max, max, FloatElement, ExtremeOptions)
CUTILE_BINARY_WITH(min, min, FloatElement, ExtremeOptions)
CUTILE_BINARY(pow, pow, FloatElement)
CUTILE_BINARY(atan2, atan2, FloatElement) ///< angle of (b, a): the first argument is the numerator

// The operators with options: how floats round, and what the overflow of integers may be taken for.
CUTILE_BINARY_WITH(add, add, FloatElement, FloatOptions)
CUTILE_BINARY_WITH(sub, sub, FloatElement, FloatOptions)
CUTILE_BINARY_WITH(mul, mul, FloatElement, FloatOptions)
CUTILE_BINARY_WITH(div, div, FloatElement, FloatOptions) ///< approx and full of float
CUTILE_BINARY_WITH(add, add, IntElement, IntOptions)
CUTILE_BINARY_WITH(sub, sub, IntElement, IntOptions)
CUTILE_BINARY_WITH(mul, mul, IntElement, IntOptions)
CUTILE_BINARY_WITH(shl, shl, IntElement, IntOptions)

// Integer division, as / and % (which truncate) but rounded otherwise. By zero: see /.
CUTILE_BINARY(floor_div, floor_div, IntElement) ///< towards minus infinity, as Python's //
CUTILE_BINARY(ceil_div, ceil_div, IntElement)   ///< towards plus infinity
CUTILE_BINARY(cdiv, ceil_div, IntElement)       ///< the same, by the name that Triton gives it
#undef CUTILE_BINARY_WITH
#undef CUTILE_BINARY

/// The upper half of the product of unsigned integers. Tile IR: mulhii.
template <IntElement T, int... S>
  requires std::is_unsigned_v<T>
Tile<T, S...> mul_high(const Tile<T, S...>& a, std::type_identity_t<detail::Operand<T, S...>> b) {
  return Tile<T, S...>(
      detail::binary(detail::BinaryFn::mul_high, a.slot(), b.slot, dtype_of<T>, b.at));
}
/// What is left of `floor_div`: the sign of `b`, as Python's %.
template <IntElement T, int... S>
Tile<T, S...> floor_mod(const Tile<T, S...>& a, std::type_identity_t<detail::Operand<T, S...>> b) {
  const Tile<T, S...> divisor = b.tile();
  const Tile<T, S...> rest(
      detail::binary(detail::BinaryFn::rem, a.slot(), b.slot, dtype_of<T>, b.at));
  if constexpr (std::is_unsigned_v<T>) {
    return rest;
  } else {
    const Tile<T, S...> zero = zeros<T>(Shape<S...>{}, b.at);
    const auto other_sign = (rest ^ divisor) < zero;
    return select((rest != zero) & other_sign, rest + divisor, rest);
  }
}
/// x to an integer power. Tile IR: fpowi, from 13.4 on.
template <FloatElement T, int... S, IntElement E> Tile<T, S...>
pow(const Tile<T, S...>& x, const Tile<E, S...>& exponent, SourceLoc at = SourceLoc::current()) {
  return Tile<T, S...>(
      detail::binary(detail::BinaryFn::pow_int, x.slot(), exponent.slot(), dtype_of<T>, at));
}

/// a * b + c with one rounding. Tile IR: fma.
template <FloatElement T, int... S>
Tile<T, S...> fma(const Tile<T, S...>& a, std::type_identity_t<detail::Operand<T, S...>> b,
                  std::type_identity_t<detail::Operand<T, S...>> c, FloatOptions options = {}) {
  return Tile<T, S...>(detail::fma(a.slot(), b.slot, c.slot, dtype_of<T>, b.at, options.bits()));
}

} // namespace cutile
