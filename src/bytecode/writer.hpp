#pragma once

#include <cstddef>
#include <vector>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// Writes `module`, which must verify, as Tile IR bytecode of `version`, with a debug section where
/// the functions' locations are known. Fails, naming the operation, type or attribute and the
/// version, when the module needs a newer one.
[[nodiscard]] Result<std::vector<std::byte>> write(const ir::Module& module, ir::Version version);

} // namespace cutile::bytecode
