#pragma once

#include <cutile/cutile.hpp>
#include <functional>
#include <string>
#include <vector>

namespace examples {

/// One line of the demo's table.
struct Row {
  std::string kernel, shape, type;
  double seconds = 0;
  double amount = 0;     ///< bytes moved or operations done by one run
  const char* unit = ""; ///< of amount per second, in 10^9: "GB/s" or "GFLOP/s"
  std::string checked;   ///< what the result was compared with
};

/// What the demo measures on one device.
struct Demo {
  cutile::Device device = cutile::Device::cpu();
  bool quick = false;       ///< small sizes and one run
  std::string output = "."; ///< folder for pictures
  std::vector<Row> rows;

  /// Median seconds of one call of `run`, which waits for the device.
  [[nodiscard]] double time(const std::function<void()>& run) const;
  /// Throws when `good` is false: the demo never shows a time of a wrong result.
  static void require(bool good, const std::string& what);
};

void run_kernels(Demo& demo);
void run_pictures(Demo& demo);

} // namespace examples
