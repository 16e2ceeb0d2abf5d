// expect: a partition is given away. pass it with std::move
#include <cutile/cutile.hpp>

namespace ct = cutile;

inline constexpr auto zero =
    ct::kernel<"zero">([]<int B>(ct::Out<float, B> z) { z.store(ct::zeros<float>(ct::shape<B>)); });

void launch(ct::Partition<float, 64> pieces) {
#ifdef CUTILE_EXPECT_FAIL
  static_cast<void>(zero(pieces));
#else
  static_cast<void>(zero(std::move(pieces)));
#endif
}
