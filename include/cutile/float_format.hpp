#pragma once

#include <bit>
#include <cstdint>

// Conversions between float and binary floats of at most 19 bits, by integer arithmetic.

namespace cutile::detail {

/// Of a value between two neighbours; numbered as in Tile IR.
enum class Rounding : std::uint8_t {
  nearest_even = 0,
  zero = 1,
  negative_inf = 2,
  positive_inf = 3
};

/// A binary float: sign, exponent, mantissa, from the highest bit down, with subnormal numbers.
struct FloatFormat {
  /// What the largest exponent holds besides numbers.
  enum class Top : std::uint8_t { infinity_and_nan, one_nan, numbers };
  int exponent_bits, mantissa_bits;
  Top top = Top::infinity_and_nan;
  bool saturates = false; ///< overflow gives the largest number, not infinity

  [[nodiscard]] constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  /// All bits below the sign.
  [[nodiscard]] constexpr std::uint32_t ones() const {
    return (1U << static_cast<unsigned>(exponent_bits + mantissa_bits)) - 1U;
  }
  [[nodiscard]] constexpr std::uint32_t infinity() const {
    return ones() & ~((1U << static_cast<unsigned>(mantissa_bits)) - 1U);
  }
  [[nodiscard]] constexpr std::uint32_t largest() const {
    return top == Top::infinity_and_nan ? infinity() - 1U
           : top == Top::one_nan        ? ones() - 1U
                                        : ones();
  }
  [[nodiscard]] constexpr std::uint32_t nan() const {
    return top == Top::infinity_and_nan
               ? infinity() | (1U << static_cast<unsigned>(mantissa_bits - 1))
               : largest() + (top == Top::one_nan ? 1U : 0U);
  }
};

inline constexpr FloatFormat format_f16{5, 10};
inline constexpr FloatFormat format_bf16{8, 7};
inline constexpr FloatFormat format_tf32{8, 10};
inline constexpr FloatFormat format_e4m3{4, 3, FloatFormat::Top::one_nan, true};
inline constexpr FloatFormat format_e5m2{5, 2, FloatFormat::Top::infinity_and_nan, true};
inline constexpr FloatFormat format_e2m1{2, 1, FloatFormat::Top::numbers, true};

// Always inlined: the executor's inner loops are compiled for several instruction sets, and one
// must not call what was compiled for another.
#define CUTILE_INLINE [[gnu::always_inline]] constexpr

/// The bits of `value` in `format` (IEEE 754-2019, section 4.3). NaN stays NaN where the format has
/// one, else it becomes the largest number.
CUTILE_INLINE std::uint32_t encode(float value, FloatFormat format,
                                   Rounding rounding = Rounding::nearest_even) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const bool negative = (bits >> 31U) != 0;
  const std::uint32_t sign = negative ? format.ones() + 1U : 0U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return sign | format.nan();
  const bool away = rounding == Rounding::positive_inf
                        ? !negative
                        : rounding == Rounding::negative_inf && negative;
  const std::uint32_t overflow = format.saturates                             ? format.largest()
                                 : rounding == Rounding::nearest_even || away ? format.infinity()
                                                                              : format.largest();
  if (magnitude == 0x7f800000U)
    return sign | (format.saturates ? format.largest() : format.infinity());
  const bool subnormal = magnitude < 0x800000U;
  const std::uint64_t mantissa = (magnitude & 0x7fffffU) | (subnormal ? 0U : 0x800000U);
  int exponent = (subnormal ? 1 : static_cast<int>(magnitude >> 23U)) - 127 + format.bias();
  int shift = 23 - format.mantissa_bits;
  if (exponent <= 0) { // subnormal in the format
    shift += 1 - exponent;
    exponent = 1;
  }
  if (shift > 40) shift = 40;
  const std::uint64_t half = std::uint64_t{1} << static_cast<unsigned>(shift - 1);
  const std::uint64_t rest = mantissa & (2 * half - 1);
  std::uint64_t rounded = mantissa >> static_cast<unsigned>(shift);
  const bool up = rounding == Rounding::nearest_even
                      ? rest > half || (rest == half && (rounded & 1U) != 0)
                      : away && rest != 0;
  if (up) rounded += 1;
  // The hidden bit is worth one exponent step; a carry out of the mantissa moves into the exponent
  // by itself.
  const std::uint64_t result =
      (static_cast<std::uint64_t>(exponent - 1) << static_cast<unsigned>(format.mantissa_bits)) +
      rounded;
  return sign | (result > format.largest() ? overflow : static_cast<std::uint32_t>(result));
}

/// 2^`exponent` as a float, from 2^-149 to 2^127.
CUTILE_INLINE float power_of_two(int exponent) {
  return exponent < -126 ? std::bit_cast<float>(1U << static_cast<unsigned>(exponent + 149))
                         : std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23U);
}

/// The value of `bits` in `format`, exactly.
CUTILE_INLINE float decode(std::uint32_t bits, FloatFormat format) {
  const std::uint32_t sign = (bits & (format.ones() + 1U)) != 0 ? 0x80000000U : 0U;
  const std::uint32_t magnitude = bits & format.ones();
  const auto mantissa_bits = static_cast<unsigned>(format.mantissa_bits);
  const std::uint32_t mantissa = magnitude & ((1U << mantissa_bits) - 1U);
  if (magnitude > format.largest()) {
    const bool nan = format.top != FloatFormat::Top::infinity_and_nan || mantissa != 0;
    return std::bit_cast<float>(sign | 0x7f800000U |
                                (nan ? 0x400000U | mantissa << (23U - mantissa_bits) : 0U));
  }
  const std::uint32_t exponent = magnitude >> mantissa_bits;
  if (exponent == 0) {
    const float v =
        static_cast<float>(mantissa) * power_of_two(1 - format.bias() - format.mantissa_bits);
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(v));
  }
  return std::bit_cast<float>(
      sign | ((exponent + 127U - static_cast<std::uint32_t>(format.bias())) << 23U) |
      mantissa << (23U - mantissa_bits));
}

/// e8m0: 2^(bits - 127), 0xff is NaN; there is neither zero nor sign. The sign of `value` is
/// dropped; what is below the range becomes 2^-127, what is above it 2^127.
CUTILE_INLINE std::uint8_t encode_e8m0(float value, Rounding rounding) {
  const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return 0xff;
  const std::uint32_t exponent = magnitude >> 23U;
  if (exponent >= 0xfe) return 0xfe;
  if (exponent == 0) return rounding == Rounding::positive_inf && magnitude > 0x400000U ? 1 : 0;
  const bool up = rounding == Rounding::positive_inf
                      ? (magnitude & 0x7fffffU) != 0
                      : rounding == Rounding::nearest_even && (magnitude & 0x7fffffU) > 0x400000U;
  return static_cast<std::uint8_t>(exponent + (up ? 1U : 0U));
}
CUTILE_INLINE float decode_e8m0(std::uint8_t bits) {
  if (bits == 0xff) return std::bit_cast<float>(0x7fc00000U);
  return power_of_two(static_cast<int>(bits) - 127);
}

/// `value` as a float whose last bit is 1 where it is inexact: rounding that to at most 22 bits
/// gives what rounding `value` itself would (Boldo, Melquiond: When double rounding is odd, 2005).
CUTILE_INLINE float round_to_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  const bool inexact = back != value && value == value;
  const bool above = (value < 0 ? -back : back) > (value < 0 ? -value : value);
  bits = inexact ? (above ? bits - 1U : bits) | 1U : bits;
  return std::bit_cast<float>(bits);
}

} // namespace cutile::detail
