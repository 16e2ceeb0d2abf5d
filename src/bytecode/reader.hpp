#pragma once

#include <cstddef>
#include <span>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// Reads Tile IR bytecode of versions 13.1 to 13.5, whoever wrote it. What it gives is sound (every
/// id exists, operands are as many as the table says) but not verified: see ir::verify. Fails with
/// the offset in the file and what was expected there; no input makes it crash or take more than a
/// small multiple of its size.
[[nodiscard]] Result<ir::Module> read(std::span<const std::byte> file);

/// The version that the header states.
[[nodiscard]] Result<ir::Version> version_of(std::span<const std::byte> file);

} // namespace cutile::bytecode
