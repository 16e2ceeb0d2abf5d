#include "support/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>

namespace cutile::support {

static_assert(std::endian::native == std::endian::little,
              "npy: elements are copied as they lie in memory");

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;
constexpr std::size_t max_axes = 64; // NumPy's own limit

struct Descr {
  std::string_view text;
  std::size_t bytes;
};
// One-byte elements are written "|i1"; "<i1" means the same.
constexpr auto known_descrs = std::to_array<Descr>({{"<f8", 8},
                                                    {"<f4", 4},
                                                    {"<f2", 2},
                                                    {"|b1", 1},
                                                    {"|i1", 1},
                                                    {"<i1", 1},
                                                    {"<i2", 2},
                                                    {"<i4", 4},
                                                    {"<i8", 8},
                                                    {"|u1", 1},
                                                    {"<u1", 1},
                                                    {"<u2", 2},
                                                    {"<u4", 4},
                                                    {"<u8", 8},
                                                    {"<V2", 2},
                                                    {"|V2", 2},
                                                    {"<b1", 1}});

Failure damaged(std::string_view why) {
  return device_failure(
      fmt::format("not a usable .npy file: {}. Write it again with numpy.save", why));
}

/// Reads the dictionary, of which only the three known keys with plain values can occur.
class DictReader {
 public:
  explicit DictReader(std::string_view text) : rest_(text) {}

  Result<void> read(NpyHeader& header) {
    if (!take('{')) return damaged("its header is no dictionary");
    bool has_descr = false, has_order = false, has_shape = false;
    while (!take('}')) {
      const std::optional<std::string_view> key = quoted();
      if (!key || !take(':')) return damaged("its header is cut off or garbled");
      bool* seen = *key == "descr"           ? &has_descr
                   : *key == "fortran_order" ? &has_order
                   : *key == "shape"         ? &has_shape
                                             : nullptr;
      if (seen == nullptr) return damaged("its header has a key that the format does not know");
      if (*seen) return damaged(fmt::format("its header has {} twice", *key));
      *seen = true;
      Result<void> value = *key == "descr"   ? descr(header.descr)
                           : *key == "shape" ? shape(header.shape)
                                             : boolean(header.fortran_order);
      if (!value) return value;
      if (!take(',') && !next_is('}')) return damaged("its header is cut off or garbled");
    }
    if (!has_descr || !has_order || !has_shape)
      return damaged("its header lacks descr, fortran_order or shape");
    skip_space();
    if (!rest_.empty()) return damaged("its header goes on after the dictionary");
    return {};
  }

 private:
  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  bool next_is(char c) {
    skip_space();
    return rest_.starts_with(c);
  }
  bool take(char c) {
    if (!next_is(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string_view> quoted() {
    skip_space();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) return std::nullopt;
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }
  Result<void> descr(std::string& out) {
    if (next_is('[')) {
      return usage_failure(
          "the .npy file holds records of several fields. Save each field as an array of its own");
    }
    const std::optional<std::string_view> text = quoted();
    if (!text) return damaged("its element type is garbled");
    out = *text;
    return {};
  }
  Result<void> boolean(bool& out) {
    out = take("True");
    if (!out && !take("False")) return damaged("its fortran_order is neither True nor False");
    return {};
  }
  Result<void> shape(std::vector<std::int64_t>& out) {
    if (!take('(')) return damaged("its shape is no tuple");
    while (!take(')')) {
      skip_space();
      std::int64_t extent = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), extent);
      if (error == std::errc::result_out_of_range)
        return damaged("an extent of its shape does not fit 64 bits");
      if (error != std::errc{}) return damaged("its shape is garbled");
      if (extent < 0) return damaged(fmt::format("its shape has the negative extent {}", extent));
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      take('L'); // a long integer, as Python 2 wrote it
      out.push_back(extent);
      if (out.size() > max_axes)
        return damaged(fmt::format("its shape has more than {} axes", max_axes));
      if (!take(',') && (out.size() < 2 || !next_is(')'))) return damaged("its shape is garbled");
    }
    return {};
  }
  std::string_view rest_;
};

/// Bytes of all elements; nothing if they exceed what can be addressed.
std::optional<std::size_t> total_bytes(std::span<const std::int64_t> shape, std::size_t element) {
  std::size_t bytes = element;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    if (extent == 0) {
      empty = true;
      continue;
    }
    if (bytes > static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()) /
                    static_cast<std::size_t>(extent)) {
      return std::nullopt;
    }
    bytes *= static_cast<std::size_t>(extent);
  }
  return empty ? 0 : bytes;
}

Result<std::size_t> element_bytes(std::string_view descr) {
  const auto* known = std::ranges::find(known_descrs, descr, &Descr::text);
  if (known != known_descrs.end()) return known->bytes;
  if (descr.starts_with('>')) {
    return usage_failure(
        fmt::format("the .npy file holds big-endian elements ('{}'). Save array.astype(array.dtype"
                    ".newbyteorder('<')) instead",
                    descr));
  }
  return usage_failure(fmt::format(
      "the .npy file holds elements of type '{}', which no tensor has. Types that can be read: {}",
      descr.substr(0, 32), "f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1 and bf16 (V2)"));
}

} // namespace

Result<NpyHeader> parse_npy_header(std::span<const std::byte> file) {
  const auto byte = [&](std::size_t at) { return std::to_integer<std::size_t>(file[at]); };
  if (file.size() < magic.size() + 2)
    return damaged(fmt::format("it has only {} bytes", file.size()));
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(magic)) return damaged("it does not start with \\x93NUMPY");
  const std::size_t major = byte(magic.size()), minor = byte(magic.size() + 1);
  if (major < 1 || major > 3 || minor != 0)
    return damaged(fmt::format("its format version is {}.{}", major, minor));

  const std::size_t length_at = magic.size() + 2, length_bytes = major == 1 ? 2 : 4;
  if (file.size() < length_at + length_bytes)
    return damaged(fmt::format("it has only {} bytes", file.size()));
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8U | byte(length_at + i);

  NpyHeader header;
  header.data_offset = length_at + length_bytes + length;
  if (file.size() < header.data_offset) {
    return damaged(
        fmt::format("its header needs {} bytes, the file has {}", header.data_offset, file.size()));
  }
  if (Result<void> dict = DictReader(text.substr(length_at + length_bytes, length)).read(header);
      !dict)
    return dict.failure();

  const Result<std::size_t> element = element_bytes(header.descr);
  if (!element) return element.failure();
  const std::optional<std::size_t> bytes = total_bytes(header.shape, *element);
  if (!bytes)
    return damaged(fmt::format("the elements of its shape ({}) exceed 2^63 bytes",
                               fmt::join(header.shape, ", ")));
  if (const std::size_t present = file.size() - header.data_offset; present < *bytes) {
    return damaged(fmt::format("its shape ({}) needs {} bytes of elements, the file has {}",
                               fmt::join(header.shape, ", "), *bytes, present));
  }
  header.data_bytes = *bytes;
  return header;
}

std::vector<std::byte> npy_header(std::string_view descr, std::span<const std::int64_t> shape) {
  const std::string dict =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const auto padded = [&](std::size_t length_bytes) { // the dictionary ends in a newline
    const std::size_t before = magic.size() + 2 + length_bytes;
    return (before + dict.size() + 1 + alignment - 1) / alignment * alignment - before;
  };
  const std::size_t length_bytes = padded(2) <= 0xffff ? 2 : 4;
  const std::size_t length = padded(length_bytes);
  std::string text(magic);
  text += length_bytes == 2 ? '\x01' : '\x02';
  text += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i)
    text += static_cast<char>(length >> (8 * i) & 0xffU);
  text += dict;
  text.append(length - dict.size() - 1, ' ');
  text += '\n';
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string_view npy_descr(DType type) {
  switch (type) {
  case DType::b1: return "|b1";
  case DType::i8: return "|i1";
  case DType::i16: return "<i2";
  case DType::i32: return "<i4";
  case DType::i64: return "<i8";
  case DType::u8: return "|u1";
  case DType::u16: return "<u2";
  case DType::u32: return "<u4";
  case DType::u64: return "<u8";
  case DType::f16: return "<f2";
  case DType::bf16: return "<u2";
  case DType::f32: return "<f4";
  case DType::f64: return "<f8";
  case DType::tf32: return "<f4";
  case DType::f8e4m3:
  case DType::f8e5m2:
  case DType::f8e8m0: return "|u1"; // their bits, as NumPy has no such types
  case DType::i4:
  case DType::f4e2m1: break;
  }
  throw InternalError("npy_descr: no such element type");
}

bool npy_holds(std::string_view descr, DType type) {
  const std::string_view wanted = npy_descr(type);
  // The byte order says nothing about elements of one byte.
  if (descr.size() == 3 && descr[2] == '1') return descr.substr(1) == wanted.substr(1);
  return descr == wanted || (type == DType::bf16 && (descr == "<V2" || descr == "|V2"));
}

} // namespace cutile::support
