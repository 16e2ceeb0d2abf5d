// expect: use ct::if_ or ct::while_ for a scalar condition, ct::select for one element by element
#include <cutile/cutile.hpp>

namespace ct = cutile;

void body(ct::Out<float, 64> z, ct::Scalar<float> limit) {
  auto tile = z.load();
#ifdef CUTILE_EXPECT_FAIL
  if (ct::sum(tile) > limit) tile = tile * 2;
#else
  ct::if_(ct::sum(tile) > limit, [&] { tile = tile * 2; });
#endif
  z.store(tile);
}
