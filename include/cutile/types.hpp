#pragma once

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
