#pragma once

#include <cstdint>

namespace cutile {

/// A place in the user's program. Every traced operation takes one as a defaulted last argument, so
/// that errors, dumps and line tables point into the user's file.
struct SourceLoc {
  const char* file = "";    ///< as the compiler spells it; has static lifetime
  std::uint32_t line = 0;   ///< 1-based; 0 when unknown
  std::uint32_t column = 0; ///< 1-based; 0 when unknown

  static constexpr SourceLoc current(const char* file = __builtin_FILE(),
                                     std::uint32_t line = __builtin_LINE()) noexcept {
    return {file, line};
  }
  friend constexpr bool operator==(const SourceLoc&, const SourceLoc&) = default;
};

} // namespace cutile
