// expect: ct::mma: the second extent of a must be the first extent of b
#include <cutile/cutile.hpp>

namespace ct = cutile;

void body() {
  auto acc = ct::zeros<float>(ct::shape<16, 16>);
  auto a = ct::zeros<ct::f16>(ct::shape<16, 32>);
#ifdef CUTILE_EXPECT_FAIL
  acc = ct::mma(a, ct::zeros<ct::f16>(ct::shape<16, 16>), acc);
#else
  acc = ct::mma(a, ct::zeros<ct::f16>(ct::shape<32, 16>), acc);
#endif
}
