#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "cutile/error.hpp"

namespace cutile::support {

/// How a program ended.
struct ProcessResult {
  int exit_code = 0; ///< -1 when a signal ended it
  int signal = 0;    ///< that signal, else 0
  bool timed_out = false;
  std::string output; ///< standard output and error together, the first 64 KiB
  [[nodiscard]] bool good() const { return exit_code == 0 && signal == 0 && !timed_out; }
};

/// Runs a program without a shell and with an environment of PATH, HOME, TMPDIR and LANG alone, and
/// waits; past `limit` the program and its children are killed. Fails only when the program cannot
/// be started.
[[nodiscard]] Result<ProcessResult> run_process(const std::filesystem::path& program,
                                                const std::vector<std::string>& arguments,
                                                std::chrono::milliseconds limit);

} // namespace cutile::support
