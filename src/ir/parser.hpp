#pragma once

#include <string_view>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::ir {

/// Reads the text form, as `print` and tileirdisasm write it, or wrapped in `cuda_tile.module`. The
/// module is sound (every id exists, operands are as many as the table says, each is defined before
/// its uses) but not verified: see `verify`. An operation without `loc(...)` is located in the
/// text, which messages call `file_name`. Fails with the line and column and what was expected
/// there; no text makes it crash or take more than a small multiple of its size.
[[nodiscard]] Result<Module> parse(std::string_view text, std::string_view file_name = "<text>");

} // namespace cutile::ir
