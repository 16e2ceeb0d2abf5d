#pragma once

#include <string_view>

namespace cutile {

/// `text` in memory that is never freed; equal texts share it. For file names of locations.
[[nodiscard]] const char* static_text(std::string_view text);

} // namespace cutile
