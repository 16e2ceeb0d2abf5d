#include <cutile/cutile.hpp>
#include <cutile/kernels/elementwise.hpp>

#include <iostream>
#include <numeric>

namespace ct = cutile;

int main() {
  auto x = ct::ones<float>({1024}).sync();
  auto y = ct::full<float>({1024}, 2).sync();
  auto z = ct::zeros<float>({1024}).sync();
  auto [sum, x1, y1] =
      ct::kernels::add(std::move(z).partition(ct::shape<128>), std::move(x), std::move(y)).sync();
  const std::vector<float> values = std::move(sum).unpartition().to_vector();
  std::cout << "sum of the result: " << std::accumulate(values.begin(), values.end(), 0.0) << "\n";
}
