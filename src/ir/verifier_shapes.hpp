#pragma once

#include <string>

#include "ir/module.hpp"

namespace cutile::ir {

/// What is wrong with the shapes, element types and attribute values of `op`, or an empty text.
/// Relies on the counts and type sets of the table having been checked.
[[nodiscard]] std::string check_shapes(const Module& module, const Function& function,
                                       const Operation& op);

} // namespace cutile::ir
