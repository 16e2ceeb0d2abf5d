#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace cutile::ir {

struct Diagnostic {
  SourceLoc loc;
  std::string message; ///< names the operation and the rule
};

/// Checks everything that Tile IR demands of a module: types, shapes, attributes, dominance,
/// regions, terminators. Empty when the module is well formed.
[[nodiscard]] std::vector<Diagnostic> verify(const Module& module);

} // namespace cutile::ir
