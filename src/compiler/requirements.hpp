#pragma once

#include <string>
#include <string_view>

#include "cutile/error.hpp"
#include "cutile/source_loc.hpp"
#include "ir/module.hpp"

namespace cutile::compiler {

/// The oldest architecture that has all that a module uses, as far as it is known, and what needs
/// it.
struct Requirement {
  int sm = 0; ///< 90 for sm_90
  std::string what{};
  SourceLoc at{};
};
[[nodiscard]] Requirement requirement(const ir::Module& module);

/// Fails, naming the operation or type and its place, when `arch` ("sm_80") lacks something.
[[nodiscard]] Result<void> check_requirement(const ir::Module& module, std::string_view arch);

} // namespace cutile::compiler
