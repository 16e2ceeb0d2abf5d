// Part of kernels.inl, inside its namespace: functions of one element.

template <std::size_t Size> using Bits = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

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

/// `F` with subnormal arguments and results as zero of the same sign.
template <class F> struct Flushed {
  static float flush(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return std::bit_cast<float>((bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits);
  }
  float operator()(auto... x) const { return flush(F{}(flush(x)...)); }
};

/// x * y + z, rounded once.
struct Fma {
  double operator()(double x, double y, double z) const { return std::fma(x, y, z); }
  float operator()(float x, float y, float z) const { return std::fma(x, y, z); }
};
/// The same for arguments of 16 bits, whose product is exact: rounded to odd, so that rounding it
/// again to 16 bits gives the nearest value.
struct FmaToOdd {
  float operator()(float x, float y, float z) const {
    const double product = static_cast<double>(x) * static_cast<double>(y), addend = z;
    const double sum = product + addend;
    const double moved = sum - product;
    const double error = (product - (sum - moved)) + (addend - moved);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    const bool finite = sum - sum == 0;
    if (finite && error != 0 && (bits & 1U) == 0)
      bits += (error > 0) == (sum > 0) ? 1U : ~std::uint64_t{0};
    return detail::round_to_odd(std::bit_cast<double>(bits));
  }
};

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
