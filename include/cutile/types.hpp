#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "cutile/float_format.hpp"

namespace cutile {

namespace detail {

/// A float stored as its bits. Converts exactly to float, and from it to the nearest value, ties to
/// even.
template <class Self, class Storage, FloatFormat Format> struct SmallFloat {
  Storage bits = 0;

  constexpr SmallFloat() = default;
  constexpr explicit SmallFloat(float value) : bits(static_cast<Storage>(encode(value, Format))) {}
  static constexpr Self from_bits(Storage b) {
    Self r;
    r.bits = b;
    return r;
  }
  constexpr explicit operator float() const { return decode(bits, Format); }
  friend constexpr bool operator==(Self a, Self b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

} // namespace detail

/// IEEE binary16.
struct f16 : detail::SmallFloat<f16, std::uint16_t, detail::format_f16> {
  using SmallFloat::SmallFloat;
};
/// bfloat16: the upper half of an f32.
struct bf16 : detail::SmallFloat<bf16, std::uint16_t, detail::format_bf16> {
  using SmallFloat::SmallFloat;
};

/// The upper 19 bits of an f32, for matrix products: 10 bits of mantissa, as wide as an f32 in
/// memory.
struct tf32 {
  std::uint32_t bits = 0; ///< the lowest 13 are 0

  constexpr tf32() = default;
  constexpr explicit tf32(float value) : bits(detail::encode(value, detail::format_tf32) << 13U) {}
  static constexpr tf32 from_bits(std::uint32_t b) {
    tf32 r;
    r.bits = b & ~0x1fffU;
    return r;
  }
  constexpr explicit operator float() const { return std::bit_cast<float>(bits); }
  friend constexpr bool operator==(tf32 a, tf32 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};
/// 4 bits of exponent, 3 of mantissa; no infinity. Numbers above 448, and infinity, become 448.
struct f8e4m3 : detail::SmallFloat<f8e4m3, std::uint8_t, detail::format_e4m3> {
  using SmallFloat::SmallFloat;
};
/// 5 bits of exponent, 2 of mantissa. Numbers above 57344, and infinity, become 57344.
struct f8e5m2 : detail::SmallFloat<f8e5m2, std::uint8_t, detail::format_e5m2> {
  using SmallFloat::SmallFloat;
};
/// 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, in the low half of a byte. Larger numbers, and
/// NaN, become 6.
struct f4e2m1 : detail::SmallFloat<f4e2m1, std::uint8_t, detail::format_e2m1> {
  using SmallFloat::SmallFloat;
};
/// A power of two from 2^-127 to 2^127, or NaN: the scale of a block of numbers. Of a float between
/// two powers the larger one, so that nothing scaled by it overflows; the sign is dropped.
struct f8e8m0 {
  std::uint8_t bits = 0; ///< exponent + 127; 255 is NaN

  constexpr f8e8m0() = default;
  constexpr explicit f8e8m0(float value)
      : bits(detail::encode_e8m0(value, detail::Rounding::positive_inf)) {}
  static constexpr f8e8m0 from_bits(std::uint8_t b) {
    f8e8m0 r;
    r.bits = b;
    return r;
  }
  constexpr explicit operator float() const { return detail::decode_e8m0(bits); }
  friend constexpr bool operator==(f8e8m0 a, f8e8m0 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};
/// An integer of four bits, -8 to 7: an element type of tiles, for unpacking weights.
struct i4 {
  std::uint8_t bits = 0; ///< in the low half

  constexpr i4() = default;
  constexpr explicit i4(int value) : bits(static_cast<std::uint8_t>(value & 15)) {}
  constexpr explicit operator int() const { return (bits ^ 8) - 8; }
  friend constexpr bool operator==(i4, i4) = default;
};

/// Element types of tensors and tiles.
enum class DType : std::uint8_t {
  b1,
  i4,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  tf32,
  f8e4m3,
  f8e5m2,
  f8e8m0,
  f4e2m1
};

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
template <> struct DTypeOf<tf32> {
  static constexpr DType value = DType::tf32;
};
template <> struct DTypeOf<f8e4m3> {
  static constexpr DType value = DType::f8e4m3;
};
template <> struct DTypeOf<f8e5m2> {
  static constexpr DType value = DType::f8e5m2;
};
template <> struct DTypeOf<f8e8m0> {
  static constexpr DType value = DType::f8e8m0;
};
template <> struct DTypeOf<f4e2m1> {
  static constexpr DType value = DType::f4e2m1;
};
template <> struct DTypeOf<i4> {
  static constexpr DType value = DType::i4;
};
template <> struct DTypeOf<float> {
  static constexpr DType value = DType::f32;
};
template <> struct DTypeOf<double> {
  static constexpr DType value = DType::f64;
};

} // namespace detail

/// Whatever a tile may hold.
template <class T>
concept Element = requires { detail::DTypeOf<T>::value; };
/// Floats with arithmetic; the others are converted first, or go into matrix products.
template <class T>
concept FloatElement = Element<T> && (std::is_floating_point_v<T> || std::is_same_v<T, f16> ||
                                      std::is_same_v<T, bf16>);
template <class T>
concept IntElement = Element<T> && std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept NumberElement = IntElement<T> || FloatElement<T>;
/// What a tensor may hold: all but the types of four bits, which are packed in bytes (see
/// ct::unpack).
template <class T>
concept TensorElement = Element<T> && !std::is_same_v<T, i4> && !std::is_same_v<T, f4e2m1>;

template <Element T> inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

/// Bytes of an element in memory; of types of four bits, by itself.
constexpr int size_of(DType type) {
  switch (type) {
  case DType::b1:
  case DType::i4:
  case DType::i8:
  case DType::u8:
  case DType::f8e4m3:
  case DType::f8e5m2:
  case DType::f8e8m0:
  case DType::f4e2m1: return 1;
  case DType::i16:
  case DType::u16:
  case DType::f16:
  case DType::bf16: return 2;
  case DType::i32:
  case DType::u32:
  case DType::f32:
  case DType::tf32: return 4;
  case DType::i64:
  case DType::u64:
  case DType::f64: return 8;
  }
  return 0;
}

constexpr bool is_float(DType type) { return type >= DType::f16; }
/// Whether it is a float with arithmetic.
constexpr bool has_arithmetic(DType type) { return type >= DType::f16 && type <= DType::f64; }
constexpr bool is_unsigned(DType type) { return type >= DType::u8 && type <= DType::u64; }

/// "f32", "u8", "bool", ...
constexpr std::string_view name_of(DType type) {
  constexpr std::string_view names[] = {"bool", "i4",     "i8",     "i16",    "i32",   "i64", "u8",
                                        "u16",  "u32",    "u64",    "f16",    "bf16",  "f32", "f64",
                                        "tf32", "f8e4m3", "f8e5m2", "f8e8m0", "f4e2m1"};
  return names[static_cast<int>(type)];
}

} // namespace cutile
