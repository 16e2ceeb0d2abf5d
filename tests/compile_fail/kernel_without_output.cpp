// expect: a kernel needs at least one output
#include <cutile/cutile.hpp>

namespace ct = cutile;

inline constexpr auto look = ct::kernel<"look">([](auto...) {});

void launch(ct::Tensor<float, 1> z, ct::Tensor<float, 1> x) {
#ifdef CUTILE_EXPECT_FAIL
  static_cast<void>(look(std::move(x)));
#else
  static_cast<void>(look(std::move(z).partition(ct::shape<8>), std::move(x)));
#endif
}
