#include <cstdio>
#include <cutile/cutile.hpp>
#include <utility>

// A kernel with a number as argument, an output that is read before it is written, and two launches
// in a row.

namespace ct = cutile;

inline constexpr auto saxpy = ct::kernel<"saxpy">(
    []<int B>(ct::Out<float, B> y, ct::In<float, ct::dyn> x, ct::Scalar<float> alpha) {
      y.store(alpha * x.load_like(y) + y.load()); // load() is this block's own piece
    });

int main() {
  auto x = ct::arange<float>(1000).sync();
  auto y = ct::full<float>({1000}, 0.5F).sync();
  // The second launch follows the first on the device; the host waits once, for both. `x` is shared
  // by both.
  auto shared = std::move(x).share();
  auto [result, x1] = saxpy(std::move(y).partition(ct::shape<256>), shared, 2.0F)
                          .then([](auto partition, auto input) {
                            return saxpy(std::move(partition), std::move(input), 3.0F);
                          })
                          .sync();
  const auto values = std::move(result).unpartition().to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != 5.0F * static_cast<float>(i) + 0.5F) {
      std::printf("element %zu is %f\n", i, static_cast<double>(values[i]));
      return 1;
    }
  }
  std::printf("y = 5 x + 0.5 on %s\n", ct::Device::default_device().name().c_str());
}
