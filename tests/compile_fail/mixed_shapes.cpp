// expect: no match for 'operator\+'|invalid operands to binary expression
#include <cutile/cutile.hpp>

namespace ct = cutile;

void body() {
  auto row = ct::zeros<float>(ct::shape<1, 64>);
  auto tile = ct::zeros<float>(ct::shape<32, 64>);
#ifdef CUTILE_EXPECT_FAIL
  tile = tile + row;
#else
  tile = tile + ct::broadcast(row, tile.shape());
#endif
}
