// expect: deleted.*partition
#include <cutile/cutile.hpp>

// A tensor that stays usable cannot be cut into pieces that a kernel writes.
void write(cutile::Tensor<float, 1> z) {
#ifdef CUTILE_EXPECT_FAIL
  auto pieces = z.partition(cutile::shape<128>);
#else
  auto pieces = std::move(z).partition(cutile::shape<128>);
#endif
  static_cast<void>(pieces);
}
