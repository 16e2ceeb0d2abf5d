#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::cpu {

/// Number of tile blocks along x, y and z.
using Grid = std::array<std::int64_t, 3>;

/// An entry of a Tile IR module, prepared to run on the CPU. Immutable and safe to run from many
/// threads.
class Program {
 public:
  /// Prepares `entry` of `module`. Fails, naming the operation and its source line, where an
  /// operation cannot be run.
  static Result<std::shared_ptr<const Program>> compile(const ir::Module& module,
                                                        std::string_view entry);

  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  /// Runs all tile blocks of `grid` on `threads` threads (0: all cores) and waits. `params` holds
  /// the address of each entry parameter's value, in order, as cuLaunchKernel takes them. Fails
  /// when a device assertion fails (message, source line and block id).
  [[nodiscard]] virtual Result<void> run(Grid grid, std::span<const void* const> params,
                                         int threads = 0) const = 0;

 protected:
  Program() = default;
};

/// Instruction sets that the executor chose among and the one it uses, for `cutile doctor`.
[[nodiscard]] std::string cpu_features();
/// Threads that `run` uses for 0: CUTILE_NUM_THREADS or the number of cores this process may run
/// on.
[[nodiscard]] int default_threads();

} // namespace cutile::cpu
