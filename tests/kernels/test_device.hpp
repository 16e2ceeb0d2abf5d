#pragma once

#include <cutile/cutile.hpp>
#include <string>

namespace cutile::test {

/// The device that this program tests.
inline Device device() {
#if defined(CUTILE_TEST_CUDA)
  return Device::cuda(0);
#else
  return Device::cpu();
#endif
}

/// Whether the device has all that sm_NN has; the CPU has everything.
inline bool at_least(int sm) {
  const std::string description = device().description();
  const std::size_t found = description.find("sm_");
  return found == std::string::npos || std::stoi(description.substr(found + 3)) >= sm;
}

} // namespace cutile::test
