#include "cpu/print.hpp"

#include <fmt/printf.h>

#include <cstring>

#include "cutile/float_format.hpp"
#include "ir/ops.hpp"

namespace cutile::cpu {
namespace {

template <class T> T read(const std::byte* at) {
  T v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

double float_at(const std::byte* at, ir::TypeKind kind) {
  using ir::TypeKind;
  switch (kind) {
  case TypeKind::f16: return detail::decode(read<std::uint16_t>(at), detail::format_f16);
  case TypeKind::bf16: return detail::decode(read<std::uint16_t>(at), detail::format_bf16);
  case TypeKind::f8e4m3fn: return detail::decode(read<std::uint8_t>(at), detail::format_e4m3);
  case TypeKind::f8e5m2: return detail::decode(read<std::uint8_t>(at), detail::format_e5m2);
  case TypeKind::f4e2m1fn: return detail::decode(read<std::uint8_t>(at), detail::format_e2m1);
  case TypeKind::f8e8m0fnu: return detail::decode_e8m0(read<std::uint8_t>(at));
  case TypeKind::f64: return read<double>(at);
  default: return read<float>(at); // f32, tf32
  }
}

std::uint64_t unsigned_at(const std::byte* at, ir::TypeKind kind) {
  std::uint64_t v = 0;
  std::memcpy(&v, at, static_cast<std::size_t>(ir::storage_bytes(kind)));
  return v;
}
std::int64_t signed_at(const std::byte* at, ir::TypeKind kind) {
  const auto unused = static_cast<unsigned>(64 - ir::bit_width(kind));
  return static_cast<std::int64_t>(unsigned_at(at, kind) << unused) >> unused;
}

/// One element as `conversion`, such as "%-8.3f", asks; an integer printed as a float is converted.
std::string element_text(const std::string& conversion, const std::byte* at, ir::TypeKind kind) {
  const bool wants_float = std::strchr("eEfFgGaA", conversion.back()) != nullptr;
  const bool wants_signed = conversion.back() == 'd' || conversion.back() == 'i';
  const bool is_float = ir::is_float(kind);
  if (wants_float)
    return fmt::sprintf(conversion,
                        is_float ? float_at(at, kind) : static_cast<double>(signed_at(at, kind)));
  const std::int64_t value = is_float       ? static_cast<std::int64_t>(float_at(at, kind))
                             : wants_signed ? signed_at(at, kind)
                                            : 0;
  if (is_float || wants_signed) return fmt::sprintf(conversion, value);
  return fmt::sprintf(conversion, unsigned_at(at, kind));
}

void append(std::string& out, const std::string& conversion, const Printed& tile, std::size_t axis,
            std::size_t& next) {
  if (axis == tile.shape.size()) {
    const auto size = static_cast<std::size_t>(ir::storage_bytes(tile.kind));
    out += element_text(conversion, tile.data + size * next++, tile.kind);
    return;
  }
  out += '[';
  for (std::int64_t i = 0; i < tile.shape[axis]; ++i) {
    if (i > 0) out += ", ";
    append(out, conversion, tile, axis + 1, next);
  }
  out += ']';
}

} // namespace

std::string print_text(std::string_view format, const std::vector<Printed>& tiles) {
  std::string out;
  std::size_t tile = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
    } else if (i + 1 < format.size() && format[i + 1] == '%') {
      out += format[++i];
    } else {
      const std::size_t end = format.find_first_of("diuoxXeEfFgGaAcsp", i);
      if (end == std::string_view::npos || tile == tiles.size()) break; // refused by the verifier
      std::string conversion;
      for (const char c : format.substr(i, end - i + 1)) {
        if (std::strchr("hlqjzt", c) == nullptr) conversion += c; // the element's width is known
      }
      std::size_t next = 0;
      append(out, conversion, tiles[tile++], 0, next);
      i = end;
    }
  }
  return out;
}

} // namespace cutile::cpu
