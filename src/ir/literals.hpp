#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/types.hpp"

namespace cutile::ir {

/// A number of element type `kind` as the text form writes it. `bits` is laid out as in `Constant`
/// (tf32 in the upper bits of 32). Floats have six digits where these read back as the same value,
/// else as many as it takes; what has no decimal point then, infinity and NaN are written in hex.
[[nodiscard]] std::string literal_text(TypeKind kind, std::uint64_t bits);

/// `text` in quotes, with everything that is not plain ASCII as \XX.
[[nodiscard]] std::string quoted(std::string_view text);

} // namespace cutile::ir
