#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "cutile/detail/storage.hpp"

// A tensor as text, laid out as NumPy does: brackets per axis, long axes cut in the middle.

namespace cutile::detail {
namespace {

template <class T> T read(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::string element_text(DType dtype, const std::byte* p) {
  const auto number = [](double v) { return fmt::format("{:.8g}", v); };
  switch (dtype) {
  case DType::b1: return read<std::uint8_t>(p) != 0 ? "True" : "False";
  case DType::i8: return fmt::format("{}", static_cast<int>(read<std::int8_t>(p)));
  case DType::i16: return fmt::format("{}", read<std::int16_t>(p));
  case DType::i32: return fmt::format("{}", read<std::int32_t>(p));
  case DType::i64: return fmt::format("{}", read<std::int64_t>(p));
  case DType::u8: return fmt::format("{}", static_cast<unsigned>(read<std::uint8_t>(p)));
  case DType::u16: return fmt::format("{}", read<std::uint16_t>(p));
  case DType::u32: return fmt::format("{}", read<std::uint32_t>(p));
  case DType::u64: return fmt::format("{}", read<std::uint64_t>(p));
  case DType::f16:
    return fmt::format("{:.4g}", static_cast<float>(f16::from_bits(read<std::uint16_t>(p))));
  case DType::bf16:
    return fmt::format("{:.3g}", static_cast<float>(bf16::from_bits(read<std::uint16_t>(p))));
  case DType::f32: return number(static_cast<double>(read<float>(p)));
  case DType::f64: return fmt::format("{:.17g}", read<double>(p));
  case DType::tf32: return fmt::format("{:.4g}", read<float>(p));
  case DType::f8e4m3:
    return fmt::format("{:g}", static_cast<float>(f8e4m3::from_bits(read<std::uint8_t>(p))));
  case DType::f8e5m2:
    return fmt::format("{:g}", static_cast<float>(f8e5m2::from_bits(read<std::uint8_t>(p))));
  case DType::f8e8m0:
    return fmt::format("{:g}", static_cast<float>(f8e8m0::from_bits(read<std::uint8_t>(p))));
  case DType::i4:
  case DType::f4e2m1: break; // no element of a tensor
  }
  return {};
}

constexpr std::int64_t whole_limit = 1000; // elements printed without a cut
constexpr std::int64_t edge = 3;           // elements at each end of a cut axis

struct Printer {
  DType dtype;
  std::span<const std::int64_t> extents;
  bool cut = false;
  std::size_t width = 0;

  template <class Visit> void along(std::size_t axis, Visit visit) const {
    const std::int64_t n = extents[axis];
    for (std::int64_t i = 0; i < n; ++i) {
      if (cut && n > 2 * edge && i == edge) {
        visit(std::int64_t{-1});
        i = n - edge;
      }
      visit(i);
    }
  }

  std::string text(const std::byte* data, std::size_t axis) const {
    if (axis == extents.size()) return fmt::format("{:>{}}", element_text(dtype, data), width);
    std::int64_t step = size_of(dtype);
    for (std::size_t a = axis + 1; a < extents.size(); ++a) step *= extents[a];
    const bool innermost = axis + 1 == extents.size();
    const std::string separator =
        innermost ? " " : std::string(extents.size() - axis - 1, '\n') + std::string(axis + 1, ' ');
    std::string out;
    along(axis, [&](std::int64_t i) {
      if (!out.empty()) out += separator;
      out += i < 0 ? "..." : text(data + i * step, axis + 1);
    });
    return "[" + out + "]";
  }

  void measure(const std::byte* data, std::size_t axis) {
    if (axis == extents.size()) {
      width = std::max(width, element_text(dtype, data).size());
      return;
    }
    std::int64_t step = size_of(dtype);
    for (std::size_t a = axis + 1; a < extents.size(); ++a) step *= extents[a];
    along(axis, [&](std::int64_t i) {
      if (i >= 0) measure(data + i * step, axis + 1);
    });
  }
};

} // namespace

std::string to_text(const TensorRef& tensor) {
  const std::int64_t n = element_count(tensor.extents);
  std::vector<std::byte> data(static_cast<std::size_t>(n) *
                              static_cast<std::size_t>(size_of(tensor.dtype)));
  download(tensor, data.data());
  Printer p{.dtype = tensor.dtype, .extents = tensor.extents, .cut = n > whole_limit};
  p.measure(data.data(), 0);
  return p.text(data.data(), 0);
}

void print_line(const std::string& text) { fmt::print("{}\n", text); }

} // namespace cutile::detail
