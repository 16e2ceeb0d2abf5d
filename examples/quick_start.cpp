#include <cutile/cutile.hpp>

namespace ct = cutile;

// Each tile block adds one B-wide piece. `z` is written by exactly one block per piece; `x` and `y`
// are shared, read-only.
inline constexpr auto add = ct::kernel<"add">(
    []<int B>(ct::Out<float, B> z, ct::In<float, ct::dyn> x, ct::In<float, ct::dyn> y) {
      z.store(x.load_like(z) + y.load_like(z));
    });

int main() {
  auto x = ct::ones<float>({1024}).sync();
  auto y = ct::ones<float>({1024}).sync();
  auto z = ct::zeros<float>({1024}).sync();
  auto [sum, x1, y1] =
      add(std::move(z).partition(ct::shape<128>), std::move(x), std::move(y)).sync(); // 8 blocks
  ct::print(std::move(sum).unpartition());
}
