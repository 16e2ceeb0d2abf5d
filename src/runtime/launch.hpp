#pragma once

#include <array>
#include <cstdint>

#include "cpu/program.hpp"
#include "cuda/driver.hpp"
#include "cutile/detail/launch_api.hpp"

namespace cutile::detail {

inline constexpr std::size_t max_params = 256;

/// A launch that has been checked and compiled: what is left is the call.
struct PreparedLaunch {
  Device device = Device::cpu();
  std::array<std::int64_t, 3> grid{};       ///< a zero: nothing to do
  const cpu::Program* program = nullptr;    ///< CPU
  const cuda::Function* function = nullptr; ///< GPU
  std::size_t count = 0;                    ///< of parameters
  // Left uninitialised: only the first `count` are used.
  std::array<std::uint64_t, max_params> values;
  std::array<void*, max_params> pointers; ///< of the values: the object must not move

  PreparedLaunch() = default; // leaves the arrays as they are
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;

  /// Puts it on the device's default stream, or runs it on the CPU.
  void run();
};

/// Checks the arguments, finds or makes the compiled form and fills in the parameters.
void prepare(KernelSite& site, const Options& options, std::span<const ArgValue> args, SourceLoc at,
             PreparedLaunch& prepared);

} // namespace cutile::detail
