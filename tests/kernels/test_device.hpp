#pragma once

#include <cutile/cutile.hpp>

namespace cutile::test {

/// The device that this program tests.
inline Device device() {
#if defined(CUTILE_TEST_CUDA)
  return Device::cuda(0);
#else
  return Device::cpu();
#endif
}

} // namespace cutile::test
