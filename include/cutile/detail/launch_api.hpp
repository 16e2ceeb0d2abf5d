#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "cutile/detail/storage.hpp"
#include "cutile/detail/trace_api.hpp"
#include "cutile/op.hpp"
#include "cutile/source_loc.hpp"
#include "cutile/types.hpp"

namespace cutile {

/// Options of a kernel or a launch. Hints never change results; 0 leaves the choice to the
/// compiler.
struct Options {
  int occupancy = 0;    ///< wanted resident blocks per multiprocessor, 1 to 32
  int worker_warps = 0; ///< warps that compute, per block: 4 or 8
  int ctas =
      0; ///< thread blocks that share one tile block (sm_100 and newer): a power of two up to 16
  int opt_level = 3; ///< of the compiler, 0 to 3
  friend bool operator==(const Options&, const Options&) = default;
};

namespace detail {

enum class ArgKind : std::uint8_t { in, out, mapped_out, scalar };

/// A kernel argument as the runtime sees it.
struct ArgValue {
  ArgKind kind = ArgKind::scalar;
  DType dtype = DType::f32;
  std::uint8_t position = 0; ///< among all arguments, from 1
  int rank = 0;
  int blocks = 0; ///< mapped_out: at most so many
  const StorageRef* storage = nullptr;
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;
  const int* tile = nullptr; ///< outputs: shape of the pieces
  std::uint64_t bits = 0;    ///< scalars: the value
};

/// A kernel with given argument types: one static object per instantiation. `state` belongs to the
/// runtime.
struct KernelSite {
  const char* name;
  SourceLoc at;
  void (*trace)(); ///< runs the lambda on the tracing types of this thread's trace
  std::atomic<void*> state{nullptr};
};

/// Checks the arguments, compiles the kernel for them where this is new, and puts the launch on the
/// device's stream.
void launch(KernelSite& site, const Options& options, std::span<const ArgValue> args, SourceLoc at,
            Execution& execution);

/// Borrows every tensor argument. Throws UsageError, naming both arguments, where an output
/// overlaps another argument, and where something else holds a tensor.
void borrow_all(const char* kernel, std::span<const ArgValue> args, std::span<Borrow> borrows,
                SourceLoc at);

} // namespace detail
} // namespace cutile
