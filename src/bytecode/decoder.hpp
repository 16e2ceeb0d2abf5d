#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cutile::bytecode {

/// What is wrong with a file, and where; thrown by Decoder, caught by read().
struct Malformed {
  std::size_t offset;
  std::string what;
};

/// A cursor over a part of a file; the counterpart of Encoder. Nothing is read past the end.
class Decoder {
 public:
  Decoder() = default;
  explicit Decoder(std::span<const std::byte> bytes, std::size_t offset = 0)
      : bytes_(bytes), offset_(offset) {}

  [[noreturn]] void fail(std::string what) const { throw Malformed{offset(), std::move(what)}; }

  [[nodiscard]] std::uint8_t byte(std::string_view what) {
    if (done()) fail(fmt::format("the file ends in {}", what));
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  [[nodiscard]] std::uint64_t varint(std::string_view what) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t b = byte(what);
      const std::uint64_t low = b & 0x7fU;
      if (shift == 63 && low > 1) break;
      value |= low << shift;
      if (b < 0x80) return value;
    }
    fail(fmt::format("{} does not fit in 64 bits", what));
  }
  [[nodiscard]] std::int64_t svarint(std::string_view what) {
    const std::uint64_t bits = varint(what);
    return static_cast<std::int64_t>((bits >> 1U) ^ (std::uint64_t{0} - (bits & 1U)));
  }
  template <class Int> [[nodiscard]] Int fixed(std::string_view what) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Int); ++i) value |= std::uint64_t{byte(what)} << (8 * i);
    return static_cast<Int>(value);
  }
  /// A number below `limit`.
  [[nodiscard]] std::size_t index(std::string_view what, std::size_t limit) {
    const std::size_t start = at_;
    const std::uint64_t value = varint(what);
    if (value >= limit) {
      at_ = start;
      fail(fmt::format("{} is {}, of {}", what, value, limit));
    }
    return static_cast<std::size_t>(value);
  }
  /// How many items follow; each takes at least `least` bytes.
  [[nodiscard]] std::size_t count(std::string_view what, std::size_t least = 1) {
    const std::size_t start = at_;
    const std::uint64_t value = varint(what);
    if (value > left() / least) {
      at_ = start;
      fail(fmt::format("{} {}, but only {} bytes follow", value, what, left()));
    }
    return static_cast<std::size_t>(value);
  }
  /// The next `size` bytes.
  [[nodiscard]] Decoder take(std::uint64_t size, std::string_view what) {
    if (size > left()) fail(fmt::format("{} of {} bytes, but only {} follow", what, size, left()));
    const Decoder part(bytes_.subspan(at_, static_cast<std::size_t>(size)), offset());
    at_ += static_cast<std::size_t>(size);
    return part;
  }
  /// Skips padding to a multiple of `alignment` of the position in this part.
  void align(std::size_t alignment) {
    while (at_ % alignment != 0) static_cast<void>(byte("padding"));
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

} // namespace cutile::bytecode
