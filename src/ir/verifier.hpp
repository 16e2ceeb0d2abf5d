#pragma once

#include <string>
#include <vector>

#include "ir/module.hpp"

namespace cutile::ir {

struct Diagnostic {
  SourceLoc loc;
  std::string message; ///< names the operation and the rule
};

/// A module gets at most so many, lest one of millions of faults take the memory.
inline constexpr std::size_t most_diagnostics = 100;

/// Checks everything that Tile IR demands of a module: types, shapes, attributes, dominance,
/// regions, terminators. Empty when the module is well formed. All ids in it must exist.
[[nodiscard]] std::vector<Diagnostic> verify(const Module& module);

} // namespace cutile::ir
