#include "ir/literals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>

namespace cutile::ir {
namespace {

struct FloatLayout {
  int exponent_bits, mantissa_bits;
  bool is_signed = true;
};

FloatLayout layout(TypeKind kind) {
  switch (kind) {
  case TypeKind::f16: return {5, 10};
  case TypeKind::bf16: return {8, 7};
  case TypeKind::tf32: return {8, 10};
  case TypeKind::f64: return {11, 52};
  case TypeKind::f8e4m3fn: return {4, 3};
  case TypeKind::f8e5m2: return {5, 2};
  case TypeKind::f8e5m3fnu: return {5, 3, false};
  case TypeKind::f8e8m0fnu: return {8, 0, false};
  case TypeKind::f4e2m1fn: return {2, 1};
  default: return {8, 23};
  }
}

bool is_finite(TypeKind kind, std::uint64_t bits) {
  const FloatLayout l = layout(kind);
  const std::uint64_t exponents = (std::uint64_t{1} << static_cast<unsigned>(l.exponent_bits)) - 1;
  const std::uint64_t mantissas = (std::uint64_t{1} << static_cast<unsigned>(l.mantissa_bits)) - 1;
  const bool top = (bits >> static_cast<unsigned>(l.mantissa_bits) & exponents) == exponents;
  switch (kind) {
  case TypeKind::f4e2m1fn: return true;
  case TypeKind::f8e4m3fn: // these spend the uppermost code alone on NaN
  case TypeKind::f8e5m3fnu: return !top || (bits & mantissas) != mantissas;
  default: return !top;
  }
}

double decode(TypeKind kind, std::uint64_t bits) {
  const FloatLayout l = layout(kind);
  const int bias = (1 << (l.exponent_bits - 1)) - 1;
  const auto field = [&](int from, int width) {
    return bits >> static_cast<unsigned>(from) &
           ((std::uint64_t{1} << static_cast<unsigned>(width)) - 1);
  };
  const auto exponent = static_cast<int>(field(l.mantissa_bits, l.exponent_bits));
  const double fraction =
      std::ldexp(static_cast<double>(field(0, l.mantissa_bits)), -l.mantissa_bits);
  const bool subnormal = exponent == 0 && kind != TypeKind::f8e8m0fnu; // which has no zero either
  const double magnitude =
      subnormal ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  const bool negative = l.is_signed && field(l.exponent_bits + l.mantissa_bits, 1) != 0;
  return negative ? -magnitude : magnitude;
}

/// The inverse of `decode`, to nearest, ties to even; nothing where no finite number is near.
std::optional<std::uint64_t> encode(TypeKind kind, double value) {
  const FloatLayout l = layout(kind);
  const int bias = (1 << (l.exponent_bits - 1)) - 1;
  if (!std::isfinite(value) || (std::signbit(value) && !l.is_signed)) return std::nullopt;
  const auto width = static_cast<unsigned>(l.exponent_bits + l.mantissa_bits);
  const std::uint64_t sign = std::signbit(value) ? std::uint64_t{1} << width : 0;
  const double magnitude = std::fabs(value);
  const bool has_zero = kind != TypeKind::f8e8m0fnu;
  if (magnitude == 0) return has_zero ? std::optional(sign) : std::nullopt;
  // The number in units of its last place.
  const int least = has_zero ? 1 - bias : -bias;
  const int exponent = std::max(std::ilogb(magnitude), least);
  const double units = std::ldexp(magnitude, l.mantissa_bits - exponent);
  double whole = std::floor(units);
  const double rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0)) ++whole;
  if (whole == 0 && !has_zero) return std::nullopt;
  // A carry goes on into the exponent, and what has no leading one stays in the lowest.
  const auto mantissa = static_cast<unsigned>(l.mantissa_bits);
  const std::uint64_t bits = (static_cast<std::uint64_t>(exponent + bias) << mantissa) +
                             static_cast<std::uint64_t>(whole) - (std::uint64_t{1} << mantissa);
  if (bits >> width != 0 || !is_finite(kind, bits)) return std::nullopt;
  return bits | sign;
}

/// Whether a decimal number outside the range of doubles is too small, not too large.
bool vanishes(std::string_view text) {
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  std::int64_t exponent = 0;
  if (e < text.size()) {
    std::string_view digits = text.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (parsed.ec != std::errc{}) return digits.starts_with('-');
  }
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = std::min(mantissa.find_first_of("123456789"), mantissa.size());
  return static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) < -exponent;
}

template <class Float> std::optional<double> decimal_value(std::string_view text) {
  Float value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, std::chars_format::general);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc{}) return static_cast<double>(value);
  if (!vanishes(text)) return std::nullopt;
  return text.starts_with('-') ? -0.0 : 0.0;
}

template <class Int>
std::optional<std::uint64_t> integer_bits(std::string_view text, int base, std::uint64_t mask) {
  Int value{};
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, base);
  if (end != last || error != std::errc{}) return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t above = value < Int{} ? ~bits & ~(mask >> 1U) : bits & ~mask;
  return above == 0 ? std::optional(bits & mask) : std::nullopt;
}

/// A decimal number: 0.d1d2d3... x 10^(point).
struct Decimal {
  std::string digits; ///< no zeros at the end
  int point = 0;
};

/// `magnitude` to `count` significant digits as LLVM's APFloat rounds: digits that about 3.3 bits
/// each do not need are cut off, then a last one of 5 or more rounds away from zero.
Decimal decimal(double magnitude, std::size_t count) {
  const std::string exact = fmt::format("{:.780e}", magnitude); // d.ddd...e+xx, every digit
  const std::size_t e = exact.find('e');
  std::string digits = exact.substr(0, 1) + exact.substr(2, e - 2);
  int point = std::atoi(exact.c_str() + e + 1) + 1;

  const std::size_t whole = static_cast<std::size_t>(std::max(point, 0));
  digits.resize(std::max(digits.find_last_not_of('0') + 1, whole)); // an integer, or ends in 5
  const double scale = static_cast<double>(digits.size()) - point;
  const double bits = std::floor(std::log2(magnitude) + scale * std::log2(10.0)) + 1;
  const std::size_t needed = (count * 196 + 58) / 59;
  const double surplus = bits - static_cast<double>(needed);
  if (surplus > 0) digits.resize(digits.size() - static_cast<std::size_t>(surplus * 59 / 196));

  if (digits.size() > count) {
    const bool up = digits[count] >= '5';
    digits.resize(count);
    if (up) {
      digits.erase(digits.find_last_not_of('9') + 1);
      if (digits.empty()) {
        digits = "1";
        ++point;
      } else {
        ++digits.back();
      }
    }
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  return {digits, point};
}

/// Digits with a point in their midst, unless that takes more than three zeros: then an exponent.
std::string shortest(const Decimal& d, std::size_t precision) {
  const auto count = static_cast<int>(d.digits.size());
  const bool exponent = d.point >= count
                            ? d.point - count > 3 || d.point > static_cast<int>(precision)
                            : d.point < -2;
  if (exponent) {
    std::string fraction = d.digits.substr(1);
    if (fraction.empty()) fraction = "0";
    return fmt::format("{}.{}E{:+}", d.digits[0], fraction, d.point - 1);
  }
  if (d.point >= count)
    return d.digits + std::string(static_cast<std::size_t>(d.point - count), '0');
  if (d.point > 0) {
    const auto whole = static_cast<std::size_t>(d.point);
    return d.digits.substr(0, whole) + "." + d.digits.substr(whole);
  }
  return "0." + std::string(static_cast<std::size_t>(-d.point), '0') + d.digits;
}

std::string float_text(TypeKind kind, std::uint64_t bits) {
  const std::string hex = fmt::format("0x{:X}", bits);
  if (!is_finite(kind, bits)) return hex;
  const double value = decode(kind, bits);
  const std::string sign = std::signbit(value) ? "-" : "";
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign + "0.000000e+00";
  const Decimal six = decimal(magnitude, 6);
  const std::string text =
      fmt::format("{}{}.{:0<6}e{:+03}", sign, six.digits[0], six.digits.substr(1), six.point - 1);
  const bool exact = kind == TypeKind::f64 ? std::strtod(text.c_str(), nullptr) == value
                     : kind == TypeKind::f32
                         ? static_cast<double>(std::strtof(text.c_str(), nullptr)) == value
                         : true; // at most 11 bits of precision
  if (exact) return text;
  const std::size_t precision = kind == TypeKind::f64 ? 17 : 9;
  const std::string longer = sign + shortest(decimal(magnitude, precision), precision);
  return longer.find('.') != std::string::npos ? longer : hex;
}

/// The bytes of element `i`.
std::span<const std::byte> element(const Constant& c, TypeKind kind, std::size_t i) {
  const auto size = static_cast<std::size_t>(storage_bytes(kind));
  return std::span(c.data).subspan(i * size, size);
}

bool all_equal(const Constant& c, TypeKind kind) {
  const auto size = static_cast<std::size_t>(storage_bytes(kind));
  const auto first = element(c, kind, 0);
  for (std::size_t i = 1; i * size < c.data.size(); ++i) {
    if (!std::ranges::equal(first, element(c, kind, i))) return false;
  }
  return true;
}

/// Element `next` and those that follow it along `axis` and all further ones, in nested brackets.
std::string nested(const TypeTable& types, const Constant& c, std::size_t axis, std::size_t& next) {
  const std::vector<std::int64_t>& shape = types[c.type].shape;
  const TypeKind kind = types.element_kind(c.type);
  if (axis == shape.size()) {
    std::uint64_t bits = 0;
    const auto bytes = element(c, kind, next++);
    std::memcpy(&bits, bytes.data(), bytes.size());
    return literal_text(kind, bits);
  }
  std::string out;
  for (std::int64_t i = 0; i < shape[axis]; ++i)
    out += (i == 0 ? "" : ", ") + nested(types, c, axis + 1, next);
  return "[" + out + "]";
}

} // namespace

std::vector<std::byte> packed(const Constant& c, TypeKind kind) {
  std::vector<std::byte> out;
  if (kind == TypeKind::i1 && c.data.size() == 1) {
    out.push_back(c.data[0] != std::byte{0} ? std::byte{0xff} : std::byte{0});
  } else if (kind == TypeKind::i1) {
    out.resize((c.data.size() + 7) / 8);
    for (std::size_t i = 0; i < c.data.size(); ++i) {
      if (c.data[i] != std::byte{0}) out[i / 8] |= std::byte{1} << (i % 8);
    }
  } else if (kind == TypeKind::tf32) {
    for (std::size_t i = 0; i + 4 <= c.data.size(); i += 4) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, c.data.data() + i, 4);
      bits >>= 13U;
      for (unsigned shift = 0; shift < 24; shift += 8)
        out.push_back(static_cast<std::byte>(bits >> shift & 0xffU));
    }
  } else {
    out = c.data;
  }
  return out;
}

std::optional<std::vector<std::byte>> unpacked(std::span<const std::byte> bytes, TypeKind kind,
                                               std::int64_t elements) {
  const auto stored = static_cast<std::size_t>(storage_bytes(kind));
  const std::size_t size = kind == TypeKind::tf32 ? 3 : stored;
  if (elements <= 0 || size == 0) return std::nullopt;
  const auto n = static_cast<std::uint64_t>(elements);
  if (kind == TypeKind::i1) {
    // One byte is a splat where its bits are all alike, or where there is but one element.
    const bool splat =
        bytes.size() == 1 && (n == 1 || bytes[0] == std::byte{0} || bytes[0] == std::byte{0xff});
    if (splat) return std::vector{bytes[0] != std::byte{0} ? std::byte{1} : std::byte{0}};
    if (bytes.size() != (n - 1) / 8 + 1) return std::nullopt;
    std::vector<std::byte> out(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (bytes[i / 8] >> (i % 8)) & std::byte{1};
    return out;
  }
  if (bytes.size() != size && (bytes.size() % size != 0 || bytes.size() / size != n))
    return std::nullopt;
  if (kind != TypeKind::tf32) return std::vector<std::byte>(bytes.begin(), bytes.end());
  std::vector<std::byte> out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + i, 3);
    if (bits >> 19U != 0) return std::nullopt; // no tf32
    bits <<= 13U;
    const auto at = out.size();
    out.resize(at + 4);
    std::memcpy(out.data() + at, &bits, 4);
  }
  return out;
}

std::string constant_text(const TypeTable& types, const Constant& c) {
  constexpr std::int64_t most_listed = 100;
  const TypeKind kind = types.element_kind(c.type);
  std::string values;
  std::size_t next = 0;
  if (all_equal(c, kind)) {
    values = nested(types, c, types[c.type].shape.size(), next);
  } else if (types.elements(c.type) <= most_listed) {
    values = nested(types, c, 0, next);
  } else {
    values = "\"0x";
    for (const std::byte b : kind == TypeKind::i1 ? c.data : packed(c, kind))
      values += fmt::format("{:02X}", b);
    values += '"';
  }
  return fmt::format("<{}: {}>", spelling(kind), values);
}

std::string literal_text(TypeKind kind, std::uint64_t bits) {
  if (kind == TypeKind::i1) return bits != 0 ? "true" : "false";
  if (is_float(kind)) return float_text(kind, kind == TypeKind::tf32 ? bits >> 13U : bits);
  const auto unused = static_cast<unsigned>(64 - bit_width(kind));
  return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
}

std::optional<std::uint64_t> literal_bits(TypeKind kind, std::string_view text) {
  if (!is_number(kind)) return std::nullopt;
  if (kind == TypeKind::i1 && (text == "true" || text == "false")) return text == "true" ? 1 : 0;
  const auto width = static_cast<unsigned>(bit_width(kind));
  const std::uint64_t mask = ~std::uint64_t{0} >> (64U - width);
  const unsigned unused = kind == TypeKind::tf32 ? 13 : 0;
  std::optional<std::uint64_t> bits;
  if (text.starts_with("0x")) {
    bits = integer_bits<std::uint64_t>(text.substr(2), 16, mask);
  } else if (is_integer(kind)) {
    bits = text.starts_with('-') ? integer_bits<std::int64_t>(text, 10, mask)
                                 : integer_bits<std::uint64_t>(text, 10, mask);
  } else {
    const std::optional<double> value =
        kind == TypeKind::f32 ? decimal_value<float>(text) : decimal_value<double>(text);
    bits = value ? encode(kind, *value) : std::nullopt;
  }
  return bits ? std::optional(*bits << unused) : std::nullopt;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      out += "\\\\";
    } else if (byte < 0x20 || byte >= 0x7f || c == '"') {
      out += fmt::format("\\{:02X}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string symbol_text(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                             others = "0123456789.$";
  const auto accepted = [&](char c) {
    return letters.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
  };
  const bool plain = !name.empty() && others.find(name[0]) == std::string_view::npos &&
                     std::ranges::all_of(name, accepted);
  return "@" + (plain ? std::string(name) : quoted(name));
}

} // namespace cutile::ir
