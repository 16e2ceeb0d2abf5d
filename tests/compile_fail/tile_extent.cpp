// expect: every extent of a tile must be a power of two
#include <cutile/cutile.hpp>

void trace() {
#ifdef CUTILE_EXPECT_FAIL
  auto tile = cutile::zeros<float>(cutile::shape<100>);
#else
  auto tile = cutile::zeros<float>(cutile::shape<128>);
#endif
  static_cast<void>(tile);
}
