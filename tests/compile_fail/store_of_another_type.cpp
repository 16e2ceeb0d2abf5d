// expect: store: the tile's element type differs from the output.s. use ct::cast
#include <cutile/cutile.hpp>

namespace ct = cutile;

void body(ct::Out<ct::bf16, 64> z) {
#ifdef CUTILE_EXPECT_FAIL
  z.store(ct::zeros<float>(ct::shape<64>));
#else
  z.store(ct::cast<ct::bf16>(ct::zeros<float>(ct::shape<64>)));
#endif
}
