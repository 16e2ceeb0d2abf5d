#pragma once

#include "compiler/compiler.hpp"

namespace cutile::runtime {

/// With CUTILE_BUNDLE_RECORD (a path) and CUTILE_BUNDLE_ARCHS ("sm_90,sm_100") set, every kernel
/// that a program launches on the CPU device is also compiled for those architectures and added to
/// that bundle. So a bundle is made on a machine without a GPU, by running the program that will
/// use it.
void record_for_bundle(const ir::Module& module, const compiler::Options& options);

/// CUTILE_BUNDLE_DRY=1: while recording, kernels are compiled and not run.
[[nodiscard]] bool recording_dry();

} // namespace cutile::runtime
