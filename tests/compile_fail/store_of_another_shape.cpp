// expect: store: the tile's shape differs from the partition's
#include <cutile/cutile.hpp>

namespace ct = cutile;

void body(ct::Out<float, 64, 64> z) {
#ifdef CUTILE_EXPECT_FAIL
  z.store(ct::zeros<float>(ct::shape<64, 32>));
#else
  z.store(ct::zeros<float>(ct::shape<64, 64>));
#endif
}
