#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace cutile::bytecode {

/// A growing byte string with the primitive encodings of the format: LEB128 varints, zigzag,
/// little-endian integers.
class Encoder {
 public:
  void byte(std::uint64_t value) { bytes_.push_back(static_cast<std::byte>(value & 0xffU)); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) byte(value | 0x80U);
    byte(value);
  }
  void svarint(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    varint((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
  }
  template <class Int> void fixed(Int value) {
    for (std::size_t i = 0; i < sizeof(Int); ++i)
      byte(static_cast<std::uint64_t>(value) >> (8 * i));
  }
  void raw(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void raw(std::string_view text) { raw(std::as_bytes(std::span(text))); }
  /// Pads with the format's filler until the size is a multiple of `alignment`.
  void pad(std::size_t alignment) {
    while (bytes_.size() % alignment != 0) byte(0xcb);
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

} // namespace cutile::bytecode
