// expect: launch: the kernel's parameters do not take these arguments
#include <cutile/cutile.hpp>

namespace ct = cutile;

inline constexpr auto copy = ct::kernel<"copy">(
    []<int B>(ct::Out<float, B> z, ct::In<float, ct::dyn> x) { z.store(x.load_like(z)); });

void launch(ct::Tensor<float, 1> z, ct::Tensor<float, 1> floats, ct::Tensor<double, 1> doubles) {
#ifdef CUTILE_EXPECT_FAIL
  static_cast<void>(copy(std::move(z).partition(ct::shape<64>), std::move(doubles)));
#else
  static_cast<void>(copy(std::move(z).partition(ct::shape<64>), std::move(floats)));
  static_cast<void>(doubles);
#endif
}
