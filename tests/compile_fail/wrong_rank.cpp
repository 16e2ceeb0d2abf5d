// expect: launch: argument 2 has the wrong rank
#include <cutile/cutile.hpp>

namespace ct = cutile;

inline constexpr auto copy = ct::kernel<"copy">(
    []<int B>(ct::Out<float, B> z, ct::In<float, ct::dyn> x) { z.store(x.load_like(z)); });

void launch(ct::Tensor<float, 1> z, ct::Tensor<float, 1> vector, ct::Tensor<float, 2> matrix) {
#ifdef CUTILE_EXPECT_FAIL
  static_cast<void>(copy(std::move(z).partition(ct::shape<64>), std::move(matrix)));
#else
  static_cast<void>(copy(std::move(z).partition(ct::shape<64>), std::move(vector)));
  static_cast<void>(matrix);
#endif
}
