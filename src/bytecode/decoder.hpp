#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutile::bytecode {

/// What is wrong with a file, and where. Thrown inside the reader; `read` turns it into a Failure.
struct Malformed {
  std::size_t offset;
  std::string what;
};

/// How deep regions and attributes may nest, so that no file exhausts the stack.
inline constexpr int most_nested = 128;

/// A cursor over a part of a file, the counterpart of Encoder. Nothing is read past the end of the
/// part. `what` names the thing to be read, for messages.
class Decoder {
 public:
  Decoder() = default;
  /// `bytes` start at `offset` of the file.
  explicit Decoder(std::span<const std::byte> bytes, std::size_t offset = 0)
      : bytes_(bytes), offset_(offset) {}

  [[noreturn]] void fail(std::string what) const { throw Malformed{offset(), std::move(what)}; }

  [[nodiscard]] std::uint8_t byte(std::string_view what) {
    if (done()) fail(fmt::format("expected {}, but the data ends here", what));
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  [[nodiscard]] std::uint64_t varint(std::string_view what) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte(what);
      const std::uint64_t bits = next & 0x7fU;
      if (shift == 63 && bits > 1) break;
      value |= bits << shift;
      if (next < 0x80) return value;
    }
    fail(fmt::format("expected {}, but a number here does not fit in 64 bits", what));
  }
  [[nodiscard]] std::int64_t svarint(std::string_view what) {
    const std::uint64_t bits = varint(what);
    return std::bit_cast<std::int64_t>((bits >> 1U) ^ (0 - (bits & 1U)));
  }
  template <class Int> [[nodiscard]] Int fixed(std::string_view what) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Int); ++i) value |= std::uint64_t{byte(what)} << (8 * i);
    return static_cast<Int>(value);
  }

  /// A number below `size`, into a list of `size` items.
  [[nodiscard]] std::size_t index(std::string_view what, std::size_t size) {
    const Decoder start = *this;
    const std::uint64_t value = varint(what);
    if (value >= size)
      start.fail(fmt::format("{} {} does not exist: there are {}", what, value, size));
    return static_cast<std::size_t>(value);
  }
  /// How many `what` follow, of at least `item_bytes` each.
  [[nodiscard]] std::size_t count(std::string_view what, std::size_t item_bytes = 1) {
    const Decoder start = *this;
    const std::uint64_t value = varint(what);
    if (value > left() / item_bytes)
      start.fail(fmt::format("{} {} cannot stand in the {} bytes left", value, what, left()));
    return static_cast<std::size_t>(value);
  }
  /// The next `size` bytes.
  [[nodiscard]] Decoder take(std::uint64_t size, std::string_view what) {
    if (size > left())
      fail(fmt::format("{} of {} bytes does not fit in the {} bytes left", what, size, left()));
    const Decoder part(bytes_.subspan(at_, static_cast<std::size_t>(size)), offset());
    at_ += static_cast<std::size_t>(size);
    return part;
  }
  void skip(std::size_t bytes) { at_ += bytes; } ///< at most `left()`
  /// Skips filler until the position in this part is a multiple of `alignment`.
  void align(std::uint64_t alignment) {
    while (at_ % alignment != 0) static_cast<void>(byte("filler"));
  }
  /// Demands that everything has been read.
  void end(std::string_view what) const {
    if (!done()) fail(fmt::format("{} bytes are left over after {}", left(), what));
  }

  [[nodiscard]] bool done() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  [[nodiscard]] std::size_t offset() const { return offset_ + at_; } ///< in the file
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_.subspan(at_); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
  std::size_t at_ = 0;
};

/// The items of an offset table: their number, filler, offsets of type `Offset`, data.
template <class Offset>
[[nodiscard]] std::vector<Decoder> offset_table(Decoder section, std::string_view what) {
  const std::size_t count = section.count(what, sizeof(Offset));
  section.align(sizeof(Offset));
  Decoder offsets = section.take(count * sizeof(Offset), "a list of offsets");
  const std::uint64_t size = section.left();
  std::vector<Decoder> out;
  out.reserve(count);
  std::uint64_t start = count != 0 ? offsets.fixed<Offset>("an offset") : size;
  if (count != 0 && start != 0) offsets.fail("expected the first offset to be 0");
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t end = i + 1 < count ? offsets.fixed<Offset>("an offset") : size;
    if (end < start || end > size)
      offsets.fail(fmt::format("expected an offset from {} to {}, not {}", start, size, end));
    out.push_back(section.take(end - start, what));
    start = end;
  }
  section.end(what);
  return out;
}

} // namespace cutile::bytecode
