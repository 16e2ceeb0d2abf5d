#pragma once

#include <cstddef>
#include <span>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// Reads Tile IR bytecode of version 13.1 to 13.5, whoever wrote it. The module is sound (every id
/// exists, operands and results are as many as the table says) but not verified: see ir::verify.
/// Fails with the place in the file and what was expected there. Whatever the bytes are, it takes
/// time and memory of the order of their number.
[[nodiscard]] Result<ir::Module> read(std::span<const std::byte> bytes);

/// The version that the file states.
[[nodiscard]] Result<ir::Version> version_of(std::span<const std::byte> bytes);

} // namespace cutile::bytecode
