#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::bytecode {

enum class Layout : std::uint8_t {
  compact, ///< tables in the order of use, what is empty left out
  as_read, ///< tables in the order of the module, and the sections that cuTile Python always
           ///< writes: what such a writer wrote is, once read, written again byte for byte
};

/// Writes `module`, which must verify, as Tile IR bytecode of `version`, with a debug section where
/// the functions' locations are known. Fails, naming the operation, type or attribute and the
/// version, when the module needs a newer one.
[[nodiscard]] Result<std::vector<std::byte>> write(const ir::Module& module, ir::Version version,
                                                   Layout layout = Layout::compact);

} // namespace cutile::bytecode
