#pragma once

#include <string>

#include "ir/module.hpp"

namespace cutile::ir {

/// The text form of a module, entry by entry, as `tileirdisasm` prints it except for value names.
/// It need not verify; what is missing in it is printed as ?.
[[nodiscard]] std::string print(const Module& module);
[[nodiscard]] std::string print(const Module& module, const Function& function);

} // namespace cutile::ir
