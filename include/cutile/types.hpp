#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace cutile {

namespace detail {

/// Rounds f32 bits to a binary float of 1 + `exponent_bits` + `mantissa_bits`, nearest even;
/// overflow gives infinity, NaN stays NaN. IEEE 754-2019, section 4.3.1.
constexpr std::uint16_t float_to_bits16(float value, int exponent_bits, int mantissa_bits) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint32_t>(
      (bits >> 31U) << static_cast<unsigned>(exponent_bits + mantissa_bits));
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t infinity = ((1U << static_cast<unsigned>(exponent_bits)) - 1U)
                                 << static_cast<unsigned>(mantissa_bits);
  if (magnitude > 0x7f800000U)
    return static_cast<std::uint16_t>(sign | infinity |
                                      (1U << static_cast<unsigned>(mantissa_bits - 1)));
  if (magnitude == 0x7f800000U) return static_cast<std::uint16_t>(sign | infinity);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = static_cast<int>(magnitude >> 23U) - 127 + bias;
  std::uint32_t mantissa = (magnitude & 0x7fffffU) | (magnitude >= 0x800000U ? 0x800000U : 0U);
  int shift = 23 - mantissa_bits;
  if (magnitude < 0x800000U) exponent += 1; // an f32 subnormal
  if (exponent <= 0) {
    shift += 1 - exponent;
    exponent = 0;
  }
  if (shift > 25) return static_cast<std::uint16_t>(sign);
  const std::uint32_t half = 1U << static_cast<unsigned>(shift - 1);
  const std::uint32_t rest = mantissa & ((half << 1U) - 1U);
  std::uint32_t rounded = mantissa >> static_cast<unsigned>(shift);
  if (rest > half || (rest == half && (rounded & 1U) != 0)) rounded += 1;
  // A carry out of the mantissa moves into the exponent by itself; the hidden bit is worth one
  // exponent step.
  const std::uint32_t base = exponent == 0 ? 0U
                                           : static_cast<std::uint32_t>(exponent - 1)
                                                 << static_cast<unsigned>(mantissa_bits);
  const std::uint32_t result = base + rounded;
  return static_cast<std::uint16_t>(sign | (result >= infinity ? infinity : result));
}

} // namespace detail

/// IEEE binary16, stored as its bits. Converts exactly to float and rounds to nearest even from it.
struct f16 {
  std::uint16_t bits = 0;

  constexpr f16() = default;
  constexpr explicit f16(float value) : bits(detail::float_to_bits16(value, 5, 10)) {}
  static constexpr f16 from_bits(std::uint16_t b) {
    f16 r;
    r.bits = b;
    return r;
  }
  constexpr explicit operator float() const {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
    const std::uint32_t magnitude = bits & 0x7fffU;
    if (magnitude >= 0x7c00U)
      return std::bit_cast<float>(sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13U));
    if (magnitude < 0x400U) { // zero or subnormal: magnitude * 2^-24
      const float v = static_cast<float>(magnitude) * 0x1p-24F;
      return sign != 0 ? -v : v;
    }
    return std::bit_cast<float>(sign | ((magnitude << 13U) + 0x38000000U));
  }
  friend constexpr bool operator==(f16 a, f16 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// bfloat16: the upper half of an f32. Converts exactly to float and rounds to nearest even from
/// it.
struct bf16 {
  std::uint16_t bits = 0;

  constexpr bf16() = default;
  constexpr explicit bf16(float value) : bits(detail::float_to_bits16(value, 8, 7)) {}
  static constexpr bf16 from_bits(std::uint16_t b) {
    bf16 r;
    r.bits = b;
    return r;
  }
  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
  }
  friend constexpr bool operator==(bf16 a, bf16 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// Element types of tensors and tiles.
enum class DType : std::uint8_t { b1, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64 };

namespace detail {

template <class T> struct DTypeOf; // no element type of tensors
template <> struct DTypeOf<bool> {
  static constexpr DType value = DType::b1;
};
template <> struct DTypeOf<std::int8_t> {
  static constexpr DType value = DType::i8;
};
template <> struct DTypeOf<std::int16_t> {
  static constexpr DType value = DType::i16;
};
template <> struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::i32;
};
template <> struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::i64;
};
template <> struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::u8;
};
template <> struct DTypeOf<std::uint16_t> {
  static constexpr DType value = DType::u16;
};
template <> struct DTypeOf<std::uint32_t> {
  static constexpr DType value = DType::u32;
};
template <> struct DTypeOf<std::uint64_t> {
  static constexpr DType value = DType::u64;
};
template <> struct DTypeOf<f16> {
  static constexpr DType value = DType::f16;
};
template <> struct DTypeOf<bf16> {
  static constexpr DType value = DType::bf16;
};
template <> struct DTypeOf<float> {
  static constexpr DType value = DType::f32;
};
template <> struct DTypeOf<double> {
  static constexpr DType value = DType::f64;
};

} // namespace detail

/// bool, the integers of 8 to 64 bits, f16, bf16, float and double.
template <class T>
concept Element = requires { detail::DTypeOf<T>::value; };
template <class T>
concept FloatElement = Element<T> && (std::is_floating_point_v<T> || std::is_same_v<T, f16> ||
                                      std::is_same_v<T, bf16>);
template <class T>
concept IntElement = Element<T> && std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <Element T> inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

/// Bytes of an element in memory.
constexpr int size_of(DType type) {
  switch (type) {
  case DType::b1:
  case DType::i8:
  case DType::u8: return 1;
  case DType::i16:
  case DType::u16:
  case DType::f16:
  case DType::bf16: return 2;
  case DType::i32:
  case DType::u32:
  case DType::f32: return 4;
  case DType::i64:
  case DType::u64:
  case DType::f64: return 8;
  }
  return 0;
}

constexpr bool is_float(DType type) { return type >= DType::f16; }
constexpr bool is_unsigned(DType type) { return type >= DType::u8 && type <= DType::u64; }

/// "f32", "u8", "bool", ...
constexpr std::string_view name_of(DType type) {
  constexpr std::string_view names[] = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                        "u32",  "u64", "f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(type)];
}

} // namespace cutile
