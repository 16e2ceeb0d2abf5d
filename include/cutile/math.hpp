#pragma once

#include <limits>

#include "cutile/cast.hpp"

// Functions made of several operations. Those of f16 and bf16 are computed in float and rounded
// once; errors are stated in units in the last place of float and double.

namespace cutile {

namespace detail {

/// `f(x)`, of 16-bit floats by way of float.
template <class T, int... S, class F>
Tile<T, S...> in_float(const Tile<T, S...>& x, SourceLoc at, F f) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
    return cast<T>(f(cast<float>(x, at)), at);
  } else {
    return f(x);
  }
}

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// c[0] + c[1] x + c[2] x^2 + ..., from the highest power down.
template <class T, int... S, std::size_t N>
Tile<T, S...> polynomial(const Tile<T, S...>& x, const double (&c)[N], SourceLoc at) {
  Tile<T, S...> sum = full<T>(Shape<S...>{}, c[N - 1], at);
  for (std::size_t i = N - 1; i-- > 0;)
    sum = fma(sum, Operand<T, S...>(x, at), Operand<T, S...>(c[i], at));
  return sum;
}

} // namespace detail

/// Whether an element is NaN.
template <FloatElement T, int... S>
Tile<bool, S...> isnan(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return Tile<bool, S...>(
      detail::compare(detail::CompareFn::ne, x.slot(), x.slot(), dtype_of<T>, at));
}
/// Whether an element is infinite.
template <FloatElement T, int... S>
Tile<bool, S...> isinf(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return abs(x, at) == full<T>(Shape<S...>{}, detail::infinity, at);
}
/// Whether an element is a number: neither infinite nor NaN.
template <FloatElement T, int... S>
Tile<bool, S...> isfinite(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return abs(x, at) < full<T>(Shape<S...>{}, detail::infinity, at);
}

/// -1, 0 or 1; zeros keep their sign and NaN stays NaN.
template <NumberElement T, int... S>
Tile<T, S...> sign(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  const auto zero = zeros<T>(Shape<S...>{}, at), one = ones<T>(Shape<S...>{}, at);
  const auto positive = select(x > zero, one, x);
  if constexpr (std::is_unsigned_v<T>) {
    return positive;
  } else {
    return select(x < zero, -one, positive);
  }
}
/// min(max(x, lower), upper); NaN stays NaN.
template <NumberElement T, int... S>
Tile<T, S...> clamp(const Tile<T, S...>& x, std::type_identity_t<detail::Operand<T, S...>> lower,
                    std::type_identity_t<detail::Operand<T, S...>> upper) {
  if constexpr (FloatElement<T>) {
    constexpr ExtremeOptions keep_nan{.propagate_nan = true};
    return min(max(x, lower, keep_nan), upper, keep_nan);
  } else {
    return min(max(x, lower), upper);
  }
}

/// Rounded towards zero.
template <FloatElement T, int... S>
Tile<T, S...> trunc(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return select(x < zeros<T>(Shape<S...>{}, at), ceil(x, at), floor(x, at));
}
/// Rounded to the nearest integer, ties to the even one, as NumPy and PyTorch do.
template <FloatElement T, int... S>
Tile<T, S...> round(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  const auto number = [&](double v) { return full<T>(Shape<S...>{}, v, at); };
  const auto below = floor(x, at);
  const auto above = below + number(1);
  const auto part = x - below;
  const auto half_below = below * number(0.5);
  const auto to_even = select(floor(half_below, at) == half_below, below, above);
  const auto rounded =
      select(part < number(0.5), below, select(part > number(0.5), above, to_even));
  // Zero has the sign of x; beyond 2^53 the parts are not exact, but x is an integer.
  return select(part == number(0), x, select(rounded == number(0), x * number(0), rounded));
}

/// log(1 + x), within 3 units also where x is small.
template <FloatElement T, int... S>
Tile<T, S...> log1p(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    const auto one = ones<W>(Shape<S...>{}, at);
    const auto y = v + one; // its rounding error is made good by the quotient
    const auto corrected = log(y, at) * (v / (y - one));
    const auto limit = full<W>(Shape<S...>{}, detail::infinity, at);
    return select(y == one, v, select(y == limit, y, corrected));
  });
}
/// exp(x) - 1, within 4 units also where x is small.
template <FloatElement T, int... S>
Tile<T, S...> expm1(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    const auto one = ones<W>(Shape<S...>{}, at);
    const auto y = exp(v, at);
    const auto small = (y - one) * (v / log(y, at));
    const auto is_small = abs(v, at) < one;
    return select(y == one, v, select(is_small, small, y - one));
  });
}
/// The error function 2 / sqrt(pi) * integral of exp(-t^2) from 0 to x, within 3 units.
template <FloatElement T, int... S>
Tile<T, S...> erf(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    // erf(x) / x in powers of x^2 up to 1, and erfc(x) * exp(x^2) in powers of 1 / (1 + x / 2)
    // above: interpolated in Chebyshev points, in 40 digits.
    constexpr double near_float[] = {1.128379166,    -0.3761262667,  0.1128359472,
                                     -0.02685421201, 0.005189087423, -0.0008016864287,
                                     7.875875063e-5};
    constexpr double far_float[] = {-8.715692084e-5, 0.283766873,    0.268182217,
                                    0.3121203445,    -0.01073873865, 0.4099001503,
                                    -0.314268871,    0.02837360872,  0.0228795407};
    constexpr double near_double[] = {
        1.128379167095512567,     -0.3761263890318354044,     0.1128379167094500627,
        -0.02686617064323777036,  0.005223977607116422732,    -0.0008548325975389692081,
        0.0001205529490483970792, -0.00001492473690741966034, 1.644742470331736241e-6,
        -1.62084838018717059e-7,  1.37200645467776856e-8,     -7.795898827002142242e-10};
    constexpr double far_double[] = {
        -7.91235844016479156e-9, 0.2820951631701611344, 0.2820866371839274855,
        0.2469441175063750552,   0.1752560799945818291, 0.09109359383190011003,
        -0.04340268331959137081, 0.1035513220346441713, -0.5671368576050860912,
        1.273826856688046126,    -2.370368720556772935, 3.389201348725471243,
        -2.975689410050147405,   0.8694016219936583788, 1.236968701653253822,
        -1.793069924628520345,   1.108803028357048058,  -0.3596407303653203428,
        0.05008023861258768774};
    constexpr bool is_double = std::is_same_v<W, double>;
    const auto number = [&](double n) { return full<W>(Shape<S...>{}, n, at); };
    const auto a = min(abs(v, at), number(is_double ? 6.5 : 4.5)); // beyond it erf is 1
    const auto t = number(1) / (number(1) + a * number(0.5));
    Tile<W, S...> near = number(0), far = number(0);
    if constexpr (is_double) {
      near = detail::polynomial(v * v, near_double, at);
      far = detail::polynomial(t, far_double, at);
    } else {
      near = detail::polynomial(v * v, near_float, at);
      far = detail::polynomial(t, far_float, at);
    }
    const auto large = number(1) - far * exp(-(a * a), at);
    const auto signed_large = select(v < number(0), -large, large);
    const auto is_near = abs(v, at) < number(1);
    return select(isnan(v, at), v, select(is_near, v * near, signed_large));
  });
}

/// 1 / (1 + exp(-x)).
template <FloatElement T, int... S>
Tile<T, S...> sigmoid(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    const auto one = ones<W>(Shape<S...>{}, at);
    return one / (one + exp(-v, at));
  });
}
/// x * sigmoid(x), also called swish.
template <FloatElement T, int... S>
Tile<T, S...> silu(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    return v / (ones<W>(Shape<S...>{}, at) + exp(-v, at));
  });
}
/// x times the normal distribution function of x: x / 2 * (1 + erf(x / sqrt(2))).
template <FloatElement T, int... S>
Tile<T, S...> gelu(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    const auto number = [&](double n) { return full<W>(Shape<S...>{}, n, at); };
    return v * number(0.5) * (number(1) + erf(v * number(0.70710678118654752440), at));
  });
}
/// Its approximation x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))).
template <FloatElement T, int... S>
Tile<T, S...> gelu_tanh(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    const auto number = [&](double n) { return full<W>(Shape<S...>{}, n, at); };
    const auto inner = number(0.79788456080286535588) * (v + number(0.044715) * v * v * v);
    return v * number(0.5) * (number(1) + tanh(inner, at));
  });
}
/// log(1 + exp(x)).
template <FloatElement T, int... S>
Tile<T, S...> softplus(const Tile<T, S...>& x, SourceLoc at = SourceLoc::current()) {
  return detail::in_float(x, at, [at]<class W>(const Tile<W, S...>& v) {
    const auto zero = zeros<W>(Shape<S...>{}, at);
    return max(v, zero, {.propagate_nan = true}) + log1p(exp(-abs(v, at), at), at);
  });
}

} // namespace cutile
