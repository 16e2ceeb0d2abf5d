#pragma once

#include <string>

#include "ir/types.hpp"

namespace cutile::bytecode {

/// Thrown inside the writer when a module uses what the version asked for has not got; `write`
/// turns it into a Failure.
struct TooNew {
  std::string what; ///< "operation insert"
  ir::Version needed;
};

} // namespace cutile::bytecode
