#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cutile::support {

/// 128 bits of XXH3, stable over versions and machines.
struct Hash128 {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};
[[nodiscard]] Hash128 hash128(std::span<const std::byte> bytes);
[[nodiscard]] std::uint64_t hash64(std::span<const std::byte> bytes);

} // namespace cutile::support
