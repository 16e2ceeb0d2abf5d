#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "compiler/compiler.hpp"
#include "support/hash.hpp"

namespace cutile::compiler {

/// What a compiled kernel is known by: its bytecode, architecture and options.
[[nodiscard]] support::Hash128 kernel_key(std::span<const std::byte> bytecode,
                                          std::string_view arch, const Options& options);

struct BundledCubin {
  std::shared_ptr<const Cubin> cubin; ///< null: in none of them
  std::string looked_at;              ///< their paths, each after a blank
};
/// Looks in the bundles of CUTILE_BUNDLE and of load_bundle. Fails when one of them is damaged.
[[nodiscard]] Result<BundledCubin> find_in_bundles(const ir::Module& module, std::string_view arch,
                                                   const Options& options);

} // namespace cutile::compiler
