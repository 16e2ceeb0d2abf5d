// expect: then: this operation borrows its arguments
#include <cutile/cutile.hpp>

namespace ct = cutile;

inline constexpr auto copy = ct::kernel<"copy">(
    []<int B>(ct::Out<float, B> z, ct::In<float, ct::dyn> x) { z.store(x.load_like(z)); });

void launch(ct::Tensor<float, 1> z, ct::Tensor<float, 1> x) {
  const auto next = [](auto&&...) { return ct::value(1); };
#ifdef CUTILE_EXPECT_FAIL
  static_cast<void>(copy(std::move(z).partition(ct::shape<64>), x).then(next));
#else
  static_cast<void>(copy(std::move(z).partition(ct::shape<64>), std::move(x)).then(next));
#endif
}
