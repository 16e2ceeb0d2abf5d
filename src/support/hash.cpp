#include "support/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace cutile::support {

Hash128 hash128(std::span<const std::byte> bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
  return {h.low64, h.high64};
}

std::uint64_t hash64(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

} // namespace cutile::support
