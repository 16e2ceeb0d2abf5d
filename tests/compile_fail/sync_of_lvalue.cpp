// expect: deleted.*sync
#include <cutile/cutile.hpp>

float run(cutile::DeviceOp<float> op) {
#ifdef CUTILE_EXPECT_FAIL
  return op.sync();
#else
  return std::move(op).sync();
#endif
}
