#pragma once

#include <cstddef>
#include <vector>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

/// Writes `module` as Tile IR bytecode of `version`, with a debug section where locations are
/// known. Fails, naming the operation, type or attribute, when the module needs a newer version.
[[nodiscard]] Result<std::vector<std::byte>> write(const ir::Module& module, ir::Version version);

} // namespace cutile::bytecode
