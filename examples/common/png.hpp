#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cutile/error.hpp"

namespace examples {

/// A picture of 8 bits per channel, row by row from the top; grey (1 channel) or RGB (3 channels,
/// interleaved).
struct Picture {
  int width = 0;
  int height = 0;
  int channels = 1;
  std::vector<std::uint8_t> pixels;
};

/// Reads a PNG file of any kind: colour as RGB, the rest as grey, 16 bits cut to 8, transparent
/// parts over white. The failure names the path, what is wrong and what to do.
[[nodiscard]] cutile::Result<Picture> load_png(const std::string& path);
[[nodiscard]] cutile::Result<void> save_png(const std::string& path, const Picture& picture);

} // namespace examples
