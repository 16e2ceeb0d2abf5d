// expect: tiles: the tile shape must have as many axes as the tensor
#include <cutile/cutile.hpp>

namespace ct = cutile;

void body(ct::In<float, ct::dyn, ct::dyn> x) {
#ifdef CUTILE_EXPECT_FAIL
  auto view = x.tiles(ct::shape<64>);
#else
  auto view = x.tiles(ct::shape<64, 32>);
#endif
  static_cast<void>(view);
}
