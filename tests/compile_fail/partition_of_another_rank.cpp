// expect: partition: give one extent for each axis of the tensor
#include <cutile/cutile.hpp>

void cut(cutile::Tensor<float, 2> z) {
#ifdef CUTILE_EXPECT_FAIL
  static_cast<void>(std::move(z).partition(cutile::shape<128>));
#else
  static_cast<void>(std::move(z).partition(cutile::shape<128, 1>));
#endif
}
