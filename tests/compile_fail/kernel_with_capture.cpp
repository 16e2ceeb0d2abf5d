// expect: the lambda must not capture. pass what it needs as arguments
#include <cutile/cutile.hpp>

namespace ct = cutile;

void make() {
  [[maybe_unused]] const int captured = 3;
#ifdef CUTILE_EXPECT_FAIL
  auto k = ct::kernel<"k">(
      [captured](ct::Out<float, 64> z) { z.store(ct::full<float>(ct::shape<64>, captured)); });
#else
  auto k =
      ct::kernel<"k">([](ct::Out<float, 64> z) { z.store(ct::full<float>(ct::shape<64>, 3)); });
#endif
  static_cast<void>(k);
}
