// Compiled once for each instruction set, with CUTILE_ISA naming the namespace. Eigen gets a
// namespace of its own too: its templates must not be merged by the linker with those of a build
// for another CPU.

#define Eigen CUTILE_EIGEN
#include <Eigen/Core>
#undef Eigen

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "cpu/isa/kernels.hpp"
#include "cutile/types.hpp"

#if defined(__clang__)
#define CUTILE_VECTORISE _Pragma("clang loop vectorize(assume_safety)")
#else
#define CUTILE_VECTORISE _Pragma("GCC ivdep")
#endif

namespace cutile::cpu::CUTILE_ISA {
namespace {

namespace eigen = ::CUTILE_EIGEN;
using ir::Op;
using ir::TypeKind;

struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};

constexpr std::size_t block = 256; // elements of 16-bit floats that are widened at a time

void widen(const Half* in, float* out, std::size_t n) {
  std::size_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) {
    _mm256_storeu_ps(out + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
  }
#endif
  for (; i < n; ++i) out[i] = static_cast<float>(f16::from_bits(in[i].bits));
}
void narrow(const float* in, Half* out, std::size_t n) {
  std::size_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  }
#endif
  for (; i < n; ++i) out[i].bits = f16(in[i]).bits;
}
void widen(const Brain* in, float* out, std::size_t n) {
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < n; ++i)
    out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(in[i].bits) << 16U);
}
void narrow(const float* in, Brain* out, std::size_t n) {
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(in[i]);
    const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
    const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
    out[i].bits = static_cast<std::uint16_t>(nan ? (bits >> 16U) | 0x40U : rounded);
  }
}

template <class T> inline constexpr bool is_small_float =
    std::is_same_v<T, Half> || std::is_same_v<T, Brain>;
template <class T> using Wide = std::conditional_t<is_small_float<T>, float, T>;

/// Calls `f(out, in...)` on arrays of the wide types, block by block where elements must be
/// widened.
template <class Out, class... In, class F> bool apply(const ElementArgs& a, F f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    Out* out = reinterpret_cast<Out*>(a.out);
    if constexpr (!is_small_float<Out> && (!is_small_float<In> && ...)) {
      return f(a.n, out, reinterpret_cast<const In*>(a.in[I])...);
    } else {
      float wide_out[block];
      float wide_in[sizeof...(In)][block];
      for (std::size_t i = 0; i < a.n; i += block) {
        const std::size_t n = a.n - i < block ? a.n - i : block;
        const auto operand = [&]<class T>(const T* p, float* wide) {
          if constexpr (is_small_float<T>) {
            widen(p + i, wide, n);
            return static_cast<const float*>(wide);
          } else {
            return p + i;
          }
        };
        if constexpr (is_small_float<Out>) {
          f(n, wide_out, operand(reinterpret_cast<const In*>(a.in[I]), wide_in[I])...);
          narrow(wide_out, out + i, n);
        } else {
          f(n, out + i, operand(reinterpret_cast<const In*>(a.in[I]), wide_in[I])...);
        }
      }
      return true;
    }
  }(std::index_sequence_for<In...>{});
}

template <class T, class F> bool unary(const ElementArgs& a) {
  return apply<T, T>(a, [](std::size_t n, auto* out, const auto* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i]);
    return true;
  });
}
template <class T, class F> bool binary(const ElementArgs& a) {
  return apply<T, T, T>(a, [](std::size_t n, auto* out, const auto* x, const auto* y) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i], y[i]);
    return true;
  });
}
template <class T, class F> bool compare(const ElementArgs& a) {
  return apply<std::uint8_t, T, T>(a, [](std::size_t n, auto* out, const auto* x, const auto* y) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i], y[i]) ? 1 : 0;
    return true;
  });
}
/// A function of Eigen on whole arrays, which it vectorises.
template <class T, class F> bool array(const ElementArgs& a) {
  return apply<T, T>(a, [](std::size_t n, auto* out, const auto* x) {
    using W = std::remove_pointer_t<decltype(out)>;
    using Array = eigen::Array<W, eigen::Dynamic, 1>;
    eigen::Map<Array>(out, static_cast<eigen::Index>(n)) =
        F{}(eigen::Map<const Array>(x, static_cast<eigen::Index>(n)));
    return true;
  });
}

template <class To, class From> bool convert(const ElementArgs& a) {
  return apply<To, From>(a, [](std::size_t n, auto* out, const auto* x) {
    using W = std::remove_pointer_t<decltype(out)>;
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<W>(x[i]);
    return true;
  });
}

template <class To, class From> bool truncate(const ElementArgs& a) {
  return apply<To, From>(a, [](std::size_t n, auto* out, const auto* x) {
    using Limit = std::conditional_t<
        sizeof(To) == 1, std::conditional_t<std::is_signed_v<To>, std::int16_t, std::uint16_t>, To>;
    using W = std::remove_cvref_t<decltype(x[0])>;
    const W low = static_cast<W>(std::numeric_limits<Limit>::min());
    constexpr Limit nan =
        std::is_same_v<To, std::int64_t> ? std::numeric_limits<Limit>::min() : Limit{0};
    const W high =
        std::ldexp(W{1}, std::numeric_limits<Limit>::digits); // the first value that is too large
    for (std::size_t i = 0; i < n; ++i) {
      const W v = x[i];
      const Limit clamped = v != v      ? nan
                            : v < low   ? std::numeric_limits<Limit>::min()
                            : v >= high ? std::numeric_limits<Limit>::max()
                                        : static_cast<Limit>(v);
      out[i] = static_cast<To>(clamped);
    }
    return true;
  });
}

template <std::size_t Size> using Bits = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

template <class T> bool select(const ElementArgs& a) {
  const auto* c = reinterpret_cast<const std::uint8_t*>(a.in[0]);
  const T* x = reinterpret_cast<const T*>(a.in[1]);
  const T* y = reinterpret_cast<const T*>(a.in[2]);
  T* out = reinterpret_cast<T*>(a.out);
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < a.n; ++i) out[i] = c[i] != 0 ? x[i] : y[i];
  return true;
}
template <std::size_t Size> bool copy(const ElementArgs& a) {
  std::memmove(a.out, a.in[0], a.n * Size);
  return true;
}

template <class T> bool fused(const ElementArgs& a) {
  return apply<T, T, T, T>(
      a, [](std::size_t n, auto* out, const auto* x, const auto* y, const auto* z) {
        CUTILE_VECTORISE
        for (std::size_t i = 0; i < n; ++i) out[i] = std::fma(x[i], y[i], z[i]);
        return true;
      });
}

// Functions of one element.
#define CUTILE_FUNCTION1(name, expression)                                                         \
  struct name {                                                                                    \
    template <class T> T operator()(T x) const { return static_cast<T>(expression); }              \
  };
#define CUTILE_FUNCTION2(name, expression)                                                         \
  struct name {                                                                                    \
    template <class T> auto operator()(T x, T y) const { return expression; }                      \
  };
#define CUTILE_INTEGER2(name, expression)                                                          \
  struct name {                                                                                    \
    template <class T> T operator()(T x, T y) const { return static_cast<T>(expression); }         \
  };

CUTILE_FUNCTION1(Neg, -x)
CUTILE_FUNCTION1(Abs, std::fabs(x))
CUTILE_FUNCTION1(Exp2, std::exp2(x))
CUTILE_FUNCTION1(Log2, std::log2(x))
CUTILE_FUNCTION1(Tan, std::tan(x))
CUTILE_FUNCTION1(Sinh, std::sinh(x))
CUTILE_FUNCTION1(Cosh, std::cosh(x))
CUTILE_FUNCTION1(Tanh, std::tanh(x))
CUTILE_FUNCTION1(Sqrt, std::sqrt(x))
CUTILE_FUNCTION1(Rsqrt, T{1} / std::sqrt(x))
CUTILE_FUNCTION1(Floor, std::floor(x))
CUTILE_FUNCTION1(Ceil, std::ceil(x))
CUTILE_FUNCTION1(NegInt, T{0} - x)
CUTILE_FUNCTION1(AbsInt, (static_cast<std::make_signed_t<T>>(x) < 0 ? T{0} - x : x))
CUTILE_FUNCTION2(Add, x + y)
CUTILE_FUNCTION2(Sub, x - y)
CUTILE_FUNCTION2(Mul, x* y)
CUTILE_FUNCTION2(Div, x / y)
CUTILE_FUNCTION2(Rem, std::fmod(x, y))
CUTILE_FUNCTION2(Pow, std::pow(x, y))
CUTILE_FUNCTION2(Atan2, std::atan2(x, y))
CUTILE_FUNCTION2(Equal, x == y)
CUTILE_FUNCTION2(NotEqual, x != y)
CUTILE_FUNCTION2(Less, x < y)
CUTILE_FUNCTION2(LessEqual, x <= y)
CUTILE_FUNCTION2(Greater, x > y)
CUTILE_FUNCTION2(GreaterEqual, x >= y)
// Unordered comparisons are true where an operand is NaN.
CUTILE_FUNCTION2(EqualOrNan, !(x < y) && !(x > y))
CUTILE_FUNCTION2(NotEqualOrdered, x<y || x> y)
CUTILE_FUNCTION2(LessOrNan, !(x >= y))
CUTILE_FUNCTION2(LessEqualOrNan, !(x > y))
CUTILE_FUNCTION2(GreaterOrNan, !(x <= y))
CUTILE_FUNCTION2(GreaterEqualOrNan, !(x < y))
CUTILE_INTEGER2(AddInt, x + y)
CUTILE_INTEGER2(SubInt, x - y)
CUTILE_INTEGER2(And, x& y)
CUTILE_INTEGER2(Or, x | y)
CUTILE_INTEGER2(Xor, x ^ y)
CUTILE_INTEGER2(MaxInt, x > y ? x : y)
CUTILE_INTEGER2(MinInt, x < y ? x : y)

struct MulInt { // without the promotion of 16 bits to a signed int, which could overflow
  template <class T> T operator()(T x, T y) const {
    return static_cast<T>(std::uint64_t{x} * std::uint64_t{y});
  }
};
struct MulHigh {
  template <class T> T operator()(T x, T y) const {
    __extension__ using Wide128 = unsigned __int128;
    return static_cast<T>((static_cast<Wide128>(x) * static_cast<Wide128>(y)) >> (8 * sizeof(T)));
  }
};
// Amounts are unsigned; those past the width shift everything out.
struct ShiftLeft {
  template <class T> T operator()(T x, T y) const {
    return y < 8 * sizeof(T) ? static_cast<T>(std::uint64_t{x} << y) : T{0};
  }
};
struct ShiftRight {
  template <class T> T operator()(T x, T y) const {
    return y < 8 * sizeof(T) ? static_cast<T>(x >> y) : T{0};
  }
};
struct ShiftRightSigned {
  template <class T> T operator()(T x, T y) const {
    using S = std::make_signed_t<T>;
    const T limit = static_cast<T>(8 * sizeof(T) - 1);
    return static_cast<T>(static_cast<S>(x) >> (y < limit ? y : limit));
  }
};

/// Maximum and minimum of IEEE 754-2019 maximumNumber, or maximum where NaN propagates: +0 is above
/// -0.
template <bool Max, bool Propagate> struct Extreme {
  template <class T> T operator()(T x, T y) const {
    using U = Bits<sizeof(T)>;
    const U bx = std::bit_cast<U>(x), by = std::bit_cast<U>(y);
    const T zero_wise = std::bit_cast<T>(static_cast<U>(Max ? bx & by : bx | by));
    T r = (Max ? x > y : x < y) ? x : y;
    r = x == y ? zero_wise : r;
    if constexpr (Propagate) {
      r = y != y ? y : r;
      return x != x ? x : r;
    } else {
      r = x != x ? y : r;
      return y != y ? x : r;
    }
  }
};

/// Integer division or remainder. Mode: ir::RoundingMode of a division.
template <class T, bool Remainder> bool divide(const ElementArgs& a, std::int64_t mode) {
  const T* x = reinterpret_cast<const T*>(a.in[0]);
  const T* y = reinterpret_cast<const T*>(a.in[1]);
  T* out = reinterpret_cast<T*>(a.out);
  for (std::size_t i = 0; i < a.n; ++i) {
    if (y[i] == 0) return false;
    if constexpr (std::is_signed_v<T>) {
      if (y[i] == -1) { // INT_MIN / -1 wraps
        using U = std::make_unsigned_t<T>;
        out[i] = Remainder ? T{0} : static_cast<T>(U{0} - static_cast<U>(x[i]));
        continue;
      }
    }
    const T q = static_cast<T>(x[i] / y[i]), r = static_cast<T>(x[i] % y[i]);
    if constexpr (Remainder) {
      out[i] = r;
    } else {
      const bool same_sign = (r < 0) == (y[i] < 0);
      const auto rounding = static_cast<ir::RoundingMode>(mode);
      T adjust = 0;
      if (r != 0 && rounding == ir::RoundingMode::positive_inf && same_sign) adjust = 1;
      if (r != 0 && rounding == ir::RoundingMode::negative_inf && !same_sign)
        adjust = static_cast<T>(-1);
      out[i] = static_cast<T>(q + adjust);
    }
  }
  return true;
}
template <class T, bool Remainder, int Mode> bool divide_as(const ElementArgs& a) {
  return divide<T, Remainder>(a, Mode);
}

// Eigen's exp and log treat subnormal numbers as zero, and its exp(-inf) is not 0; these do as IEEE
// 754 says. Both are within 2 ulp; polynomials and constants are those of Cephes (S. Moshier,
// expf.c and logf.c), in the public domain.
struct Exp {
  double operator()(double x) const { return std::exp(x); }
  float operator()(float x) const {
    // Beyond the limits the result is 0 and infinity all the same; NaN becomes a number here, and
    // itself again at the end.
    const float above = x > -110.0F ? x : -110.0F;
    const float clamped = above < 90.0F ? above : 90.0F;
    constexpr float round_to_integer = 12582912.0F; // 1.5 * 2^23
    const float n = (clamped * 1.44269504088896341F + round_to_integer) - round_to_integer;
    const float r = (clamped - n * 0.693359375F) - n * -2.12194440e-4F; // ln 2 in two parts
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * (r * r) + r + 1.0F;
    // 2^n in two factors: one would leave the range where the result is subnormal or just below
    // infinity.
    const auto power = static_cast<std::int32_t>(n);
    const std::int32_t half = power >> 1;
    const auto scale = [](std::int32_t e) { return std::bit_cast<float>((e + 127) << 23); };
    const float result = p * scale(half) * scale(power - half);
    return x != x ? x : result;
  }
};
struct Log {
  double operator()(double x) const { return std::log(x); }
  float operator()(float x) const {
    const bool subnormal = x < 1.17549435e-38F;
    const float scaled = subnormal ? x * 8388608.0F : x; // 2^23
    const std::int32_t bits = std::bit_cast<std::int32_t>(scaled);
    // x = m * 2^e with m from sqrt(1/2) to sqrt(2).
    std::int32_t e = ((bits >> 23) & 0xff) - 126;
    float m = std::bit_cast<float>((bits & 0x007fffff) | 0x3f000000);
    const bool low = m < 0.707106781186547524F;
    e = low ? e - 1 : e;
    m = low ? m + m - 1.0F : m - 1.0F;
    const float z = m * m;
    float p = 7.0376836292e-2F;
    p = p * m - 1.1514610310e-1F;
    p = p * m + 1.1676998740e-1F;
    p = p * m - 1.2420140846e-1F;
    p = p * m + 1.4249322787e-1F;
    p = p * m - 1.6668057665e-1F;
    p = p * m + 2.0000714765e-1F;
    p = p * m - 2.4999993993e-1F;
    p = p * m + 3.3333331174e-1F;
    const auto power = static_cast<float>(subnormal ? e - 23 : e);
    float result = m * z * p;
    result = result + power * -2.12194440e-4F;
    result = result - 0.5F * z;
    result = (m + result) + power * 0.693359375F;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    result = x == infinity ? infinity : result;
    result = x == 0.0F ? -infinity : result;
    return x < 0.0F || x != x ? std::numeric_limits<float>::quiet_NaN() : result;
  }
};
struct ArraySin {
  auto operator()(const auto& x) const { return x.sin(); }
};
struct ArrayCos {
  auto operator()(const auto& x) const { return x.cos(); }
};

template <class T> ElementFn float_fn(const ElementKey& key) {
  switch (key.op) {
  case Op::addf: return binary<T, Add>;
  case Op::subf: return binary<T, Sub>;
  case Op::mulf: return binary<T, Mul>;
  case Op::divf: return binary<T, Div>;
  case Op::remf: return binary<T, Rem>;
  case Op::pow: return binary<T, Pow>;
  case Op::atan2: return binary<T, Atan2>;
  case Op::maxf: return key.flag ? binary<T, Extreme<true, true>> : binary<T, Extreme<true, false>>;
  case Op::minf:
    return key.flag ? binary<T, Extreme<false, true>> : binary<T, Extreme<false, false>>;
  case Op::fma: return fused<T>;
  case Op::negf: return unary<T, Neg>;
  case Op::absf: return unary<T, Abs>;
  case Op::exp: return unary<T, Exp>;
  case Op::exp2: return unary<T, Exp2>;
  case Op::log: return unary<T, Log>;
  case Op::log2: return unary<T, Log2>;
  case Op::sin: return array<T, ArraySin>;
  case Op::cos: return array<T, ArrayCos>;
  case Op::tan: return unary<T, Tan>;
  case Op::sinh: return unary<T, Sinh>;
  case Op::cosh: return unary<T, Cosh>;
  case Op::tanh: return unary<T, Tanh>;
  case Op::sqrt: return unary<T, Sqrt>;
  case Op::rsqrt: return unary<T, Rsqrt>;
  case Op::floor: return unary<T, Floor>;
  case Op::ceil: return unary<T, Ceil>;
  case Op::cmpf: {
    constexpr ElementFn ordered[] = {compare<T, Equal>,   compare<T, NotEqualOrdered>,
                                     compare<T, Less>,    compare<T, LessEqual>,
                                     compare<T, Greater>, compare<T, GreaterEqual>};
    constexpr ElementFn unordered[] = {compare<T, EqualOrNan>,   compare<T, NotEqual>,
                                       compare<T, LessOrNan>,    compare<T, LessEqualOrNan>,
                                       compare<T, GreaterOrNan>, compare<T, GreaterEqualOrNan>};
    return key.flag ? ordered[key.mode] : unordered[key.mode];
  }
  default: return nullptr;
  }
}

template <class U> ElementFn int_fn(const ElementKey& key) {
  using S = std::make_signed_t<U>;
  switch (key.op) {
  case Op::addi: return binary<U, AddInt>;
  case Op::subi: return binary<U, SubInt>;
  case Op::muli: return binary<U, MulInt>;
  case Op::mulhii: return binary<U, MulHigh>;
  case Op::andi: return binary<U, And>;
  case Op::ori: return binary<U, Or>;
  case Op::xori: return binary<U, Xor>;
  case Op::shli: return binary<U, ShiftLeft>;
  case Op::shri: return key.flag ? binary<U, ShiftRightSigned> : binary<U, ShiftRight>;
  case Op::maxi: return key.flag ? binary<S, MaxInt> : binary<U, MaxInt>;
  case Op::mini: return key.flag ? binary<S, MinInt> : binary<U, MinInt>;
  case Op::negi: return unary<U, NegInt>;
  case Op::absi: return unary<U, AbsInt>;
  case Op::remi: return key.flag ? divide_as<S, true, 1> : divide_as<U, true, 1>;
  case Op::divi:
    if (key.mode == 1) return key.flag ? divide_as<S, false, 1> : divide_as<U, false, 1>;
    if (key.mode == 2) return divide_as<S, false, 2>;
    return key.flag ? divide_as<S, false, 3> : divide_as<U, false, 3>;
  case Op::cmpi: {
    constexpr ElementFn as_signed[] = {compare<S, Equal>,   compare<S, NotEqual>,
                                       compare<S, Less>,    compare<S, LessEqual>,
                                       compare<S, Greater>, compare<S, GreaterEqual>};
    constexpr ElementFn as_unsigned[] = {compare<U, Equal>,   compare<U, NotEqual>,
                                         compare<U, Less>,    compare<U, LessEqual>,
                                         compare<U, Greater>, compare<U, GreaterEqual>};
    return key.flag ? as_signed[key.mode] : as_unsigned[key.mode];
  }
  default: return nullptr;
  }
}

/// Calls `f` with a value of the C++ type that stands for `kind`; integers unsigned unless
/// `as_signed`. i1 is a byte 0 or 1.
template <class F> ElementFn with_float(TypeKind kind, F f) {
  switch (kind) {
  case TypeKind::f16: return f(Half{});
  case TypeKind::bf16: return f(Brain{});
  case TypeKind::f32: return f(float{});
  case TypeKind::f64: return f(double{});
  default: return nullptr;
  }
}
template <class F> ElementFn with_unsigned(TypeKind kind, F f) {
  switch (kind) {
  case TypeKind::i8: return f(std::uint8_t{});
  case TypeKind::i16: return f(std::uint16_t{});
  case TypeKind::i32: return f(std::uint32_t{});
  case TypeKind::i64: return f(std::uint64_t{});
  default: return nullptr;
  }
}
template <class F> ElementFn with_int(TypeKind kind, bool as_signed, F f) {
  return with_unsigned(kind,
                       [&]<class U>(U u) { return as_signed ? f(std::make_signed_t<U>{}) : f(u); });
}

/// From a byte 0 or 1 to all bits clear or set.
template <class To> bool spread(const ElementArgs& a) {
  return apply<To, std::uint8_t>(a, [](std::size_t n, To* out, const std::uint8_t* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<To>(To{0} - static_cast<To>(x[i]));
    return true;
  });
}
template <class From> bool lowest_bit(const ElementArgs& a) {
  return apply<std::uint8_t, From>(a, [](std::size_t n, std::uint8_t* out, const From* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::uint8_t>(x[i] & 1U);
    return true;
  });
}

ElementFn cast_fn(const ElementKey& key) {
  switch (key.op) {
  case Op::ftof:
    return with_float(key.in, [&]<class From>(From) {
      return with_float(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::ftoi:
    return with_float(key.in, [&]<class From>(From) {
      return with_int(key.out, key.flag,
                      []<class To>(To) -> ElementFn { return truncate<To, From>; });
    });
  case Op::itof:
    if (key.in == TypeKind::i1)
      return with_float(key.out,
                        []<class To>(To) -> ElementFn { return convert<To, std::uint8_t>; });
    return with_int(key.in, key.flag, [&]<class From>(From) {
      return with_float(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::exti:
    if (key.in == TypeKind::i1) {
      return with_unsigned(key.out, [&]<class To>(To) -> ElementFn {
        return key.flag ? spread<To> : convert<To, std::uint8_t>;
      });
    }
    return with_int(key.in, key.flag, [&]<class From>(From) {
      return with_int(key.out, key.flag,
                      []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::trunci:
    return with_unsigned(key.in, [&]<class From>(From) -> ElementFn {
      if (key.out == TypeKind::i1) return lowest_bit<From>;
      return with_unsigned(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  default: return nullptr;
  }
}

ElementFn element(const ElementKey& key) {
  const int size = ir::storage_bytes(key.in);
  if (key.op == Op::select)
    return size == 1   ? select<std::uint8_t>
           : size == 2 ? select<std::uint16_t>
           : size == 4 ? select<std::uint32_t>
                       : select<std::uint64_t>;
  if (key.op == Op::bitcast)
    return size == 1 ? copy<1> : size == 2 ? copy<2> : size == 4 ? copy<4> : copy<8>;
  if (const ElementFn fn = cast_fn(key)) return fn;
  if (ir::is_float(key.in)) return with_float(key.in, [&]<class T>(T) { return float_fn<T>(key); });
  if (key.in == TypeKind::i1) {
    // Bytes 0 and 1: what keeps them so.
    const bool closed =
        key.op == Op::andi || key.op == Op::ori || key.op == Op::xori || key.op == Op::cmpi;
    ElementKey unsigned_key = key;
    unsigned_key.flag = false;
    return closed ? int_fn<std::uint8_t>(unsigned_key) : nullptr;
  }
  return with_unsigned(key.in, [&]<class T>(T) { return int_fn<T>(key); });
}

template <class T, class F> void reduce(std::byte* to, const std::byte* from, std::size_t outer,
                                        std::size_t extent, std::size_t inner) {
  using W = Wide<T>;
  const T* in = reinterpret_cast<const T*>(from);
  T* out = reinterpret_cast<T*>(to);
  constexpr std::size_t lanes = 64;
  const auto fetch = [](const T* p, W* wide, std::size_t n) -> const W* {
    if constexpr (is_small_float<T>) {
      widen(p, wide, n);
      return wide;
    } else {
      return p;
    }
  };
  const auto put = [](const W* wide, T* p, std::size_t n) {
    if constexpr (is_small_float<T>) {
      narrow(wide, p, n);
    } else {
      std::memcpy(p, wide, n * sizeof(T));
    }
  };
  W acc[lanes], wide[lanes];
  if (inner == 1) {
    for (std::size_t o = 0; o < outer; ++o, in += extent) {
      std::size_t width = extent < lanes ? extent : lanes;
      std::memcpy(acc, fetch(in, wide, width), width * sizeof(W));
      for (std::size_t i = lanes; i + lanes <= extent; i += lanes) { // extents are powers of two
        const W* x = fetch(in + i, wide, lanes);
        CUTILE_VECTORISE
        for (std::size_t l = 0; l < lanes; ++l) acc[l] = static_cast<W>(F{}(acc[l], x[l]));
      }
      for (; width > 1; width /= 2) {
        for (std::size_t l = 0; l < width / 2; ++l)
          acc[l] = static_cast<W>(F{}(acc[l], acc[l + width / 2]));
      }
      put(acc, out + o, 1);
    }
    return;
  }
  for (std::size_t o = 0; o < outer; ++o, in += extent * inner, out += inner) {
    for (std::size_t i = 0; i < inner; i += lanes) {
      const std::size_t width = inner - i < lanes ? inner - i : lanes;
      std::memcpy(acc, fetch(in + i, wide, width), width * sizeof(W));
      for (std::size_t e = 1; e < extent; ++e) {
        const W* x = fetch(in + e * inner + i, wide, width);
        CUTILE_VECTORISE
        for (std::size_t l = 0; l < width; ++l) acc[l] = static_cast<W>(F{}(acc[l], x[l]));
      }
      put(acc, out + i, width);
    }
  }
}

template <class T> ReduceFn float_reduce(Op op) {
  switch (op) {
  case Op::addf: return reduce<T, Add>;
  case Op::mulf: return reduce<T, Mul>;
  case Op::maxf: return reduce<T, Extreme<true, false>>;
  case Op::minf: return reduce<T, Extreme<false, false>>;
  default: return nullptr;
  }
}
template <class U> ReduceFn int_reduce(Op op, bool is_signed) {
  using S = std::make_signed_t<U>;
  switch (op) {
  case Op::addi: return reduce<U, AddInt>;
  case Op::muli: return reduce<U, MulInt>;
  case Op::maxi: return is_signed ? reduce<S, MaxInt> : reduce<U, MaxInt>;
  case Op::mini: return is_signed ? reduce<S, MinInt> : reduce<U, MinInt>;
  case Op::andi: return reduce<U, And>;
  case Op::ori: return reduce<U, Or>;
  case Op::xori: return reduce<U, Xor>;
  default: return nullptr;
  }
}

ReduceFn reduction(Op op, TypeKind type, bool is_signed) {
  switch (type) {
  case TypeKind::f16: return float_reduce<Half>(op);
  case TypeKind::bf16: return float_reduce<Brain>(op);
  case TypeKind::f32: return float_reduce<float>(op);
  case TypeKind::f64: return float_reduce<double>(op);
  case TypeKind::i1:
    return op == Op::andi || op == Op::ori || op == Op::xori ? int_reduce<std::uint8_t>(op, false)
                                                             : nullptr;
  case TypeKind::i8: return int_reduce<std::uint8_t>(op, is_signed);
  case TypeKind::i16: return int_reduce<std::uint16_t>(op, is_signed);
  case TypeKind::i32: return int_reduce<std::uint32_t>(op, is_signed);
  case TypeKind::i64: return int_reduce<std::uint64_t>(op, is_signed);
  default: return nullptr;
  }
}

template <class T>
void product(T* acc, const T* a, const T* b, std::int64_t m, std::int64_t n, std::int64_t k) {
  using Matrix = eigen::Matrix<T, eigen::Dynamic, eigen::Dynamic, eigen::RowMajor>;
  eigen::Map<Matrix>(acc, m, n).noalias() +=
      eigen::Map<const Matrix>(a, m, k) * eigen::Map<const Matrix>(b, k, n);
}

template <class T, class Acc> void matmul(std::byte* acc, const std::byte* a, const std::byte* b,
                                          std::int64_t m, std::int64_t n, std::int64_t k,
                                          float* scratch) {
  if constexpr (!is_small_float<T>) {
    product(reinterpret_cast<T*>(acc), reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
            m, n, k);
  } else {
    float* wide_a = scratch;
    float* wide_b = wide_a + m * k;
    widen(reinterpret_cast<const T*>(a), wide_a, static_cast<std::size_t>(m * k));
    widen(reinterpret_cast<const T*>(b), wide_b, static_cast<std::size_t>(k * n));
    if constexpr (std::is_same_v<Acc, float>) {
      product(reinterpret_cast<float*>(acc), wide_a, wide_b, m, n, k);
    } else {
      float* wide_acc = wide_b + k * n;
      widen(reinterpret_cast<const Acc*>(acc), wide_acc, static_cast<std::size_t>(m * n));
      product(wide_acc, wide_a, wide_b, m, n, k);
      narrow(wide_acc, reinterpret_cast<Acc*>(acc), static_cast<std::size_t>(m * n));
    }
  }
}

MatmulFn matmul_for(TypeKind operands, TypeKind accumulator) {
  if (operands == TypeKind::f32 && accumulator == TypeKind::f32) return matmul<float, float>;
  if (operands == TypeKind::f64 && accumulator == TypeKind::f64) return matmul<double, double>;
  if (operands == TypeKind::bf16 && accumulator == TypeKind::f32) return matmul<Brain, float>;
  if (operands == TypeKind::f16 && accumulator == TypeKind::f32) return matmul<Half, float>;
  if (operands == TypeKind::f16 && accumulator == TypeKind::f16) return matmul<Half, Half>;
  return nullptr;
}

template <class T>
void transpose_of(std::byte* to, const std::byte* from, std::size_t m, std::size_t n) {
  using Matrix = eigen::Matrix<T, eigen::Dynamic, eigen::Dynamic, eigen::RowMajor>;
  const auto rows = static_cast<eigen::Index>(m), columns = static_cast<eigen::Index>(n);
  eigen::Map<Matrix>(reinterpret_cast<T*>(to), columns, rows) =
      eigen::Map<const Matrix>(reinterpret_cast<const T*>(from), rows, columns).transpose();
}
void transpose(std::byte* to, const std::byte* from, std::size_t m, std::size_t n,
               std::size_t size) {
  switch (size) {
  case 1: transpose_of<std::uint8_t>(to, from, m, n); return;
  case 2: transpose_of<std::uint16_t>(to, from, m, n); return;
  case 4: transpose_of<std::uint32_t>(to, from, m, n); return;
  default: transpose_of<std::uint64_t>(to, from, m, n); return;
  }
}

} // namespace

#define CUTILE_TEXT_(x) #x
#define CUTILE_TEXT(x) CUTILE_TEXT_(x)

const Kernels& table() {
  static constexpr Kernels k{CUTILE_TEXT(CUTILE_ISA), element, reduction, matmul_for, transpose};
  return k;
}

} // namespace cutile::cpu::CUTILE_ISA
