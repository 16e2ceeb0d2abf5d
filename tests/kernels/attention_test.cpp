#include "kernels/attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/test_device.hpp"

// Attention beside its definition in double, on every device.

namespace cutile::test {
namespace {

struct Case {
  std::int64_t heads, rows, columns;
};

std::vector<float> numbers(std::int64_t n, unsigned seed) {
  std::vector<float> out;
  for (std::int64_t i = 0; i < n; ++i) {
    seed = seed * 1664525U + 1013904223U;
    out.push_back(static_cast<float>(seed >> 8U) / 8388608.0F - 1.0F);
  }
  return out;
}

template <class T, int BM, int D, int BN, bool Causal> void check(Case c, double tolerance) {
  const std::int64_t n = c.heads * c.rows * D, m = c.heads * c.columns * D;
  const std::vector<float> q = numbers(n, 1), k = numbers(m, 2), v = numbers(m, 3);
  const auto tensor = [&](const std::vector<float>& x, std::int64_t rows) {
    std::vector<T> elements;
    for (const float e : x) elements.push_back(T(e));
    return from_vector<T>(elements, {c.heads, rows, D}, device()).sync();
  };
  const float scale = 0.3F;
  auto o = zeros<T>({c.heads, c.rows, D}, device()).sync();
  auto result = kernels::attention(std::move(o).partition(shape<1, BM, D>), tensor(q, c.rows),
                                   tensor(k, c.columns), tensor(v, c.columns), scale, constant<BN>,
                                   constant<Causal>)
                    .sync();
  const auto got = std::get<0>(std::move(result)).unpartition().to_vector();
  const auto at = [](const std::vector<float>& x, std::int64_t i) {
    return static_cast<double>(static_cast<float>(T(x[static_cast<std::size_t>(i)])));
  };
  for (std::int64_t h = 0; h < c.heads; ++h) {
    for (std::int64_t i = 0; i < c.rows; ++i) {
      const std::int64_t seen = Causal ? std::min(i + 1, c.columns) : c.columns;
      std::vector<double> weights, sums(static_cast<std::size_t>(D), 0);
      double total = 0;
      for (std::int64_t j = 0; j < seen; ++j) {
        double score = 0;
        for (std::int64_t d = 0; d < D; ++d)
          score += at(q, (h * c.rows + i) * D + d) * at(k, (h * c.columns + j) * D + d);
        const double weight = std::exp(static_cast<double>(scale) * score);
        total += weight;
        for (std::int64_t d = 0; d < D; ++d)
          sums[static_cast<std::size_t>(d)] += weight * at(v, (h * c.columns + j) * D + d);
      }
      for (std::int64_t d = 0; d < D; ++d) {
        ASSERT_NEAR(static_cast<double>(static_cast<float>(
                        got[static_cast<std::size_t>((h * c.rows + i) * D + d)])),
                    sums[static_cast<std::size_t>(d)] / total, tolerance)
            << h << ", " << i << ", " << d;
      }
    }
  }
}

TEST(Attention, IsWhatItsDefinitionSays) {
  check<float, 32, 32, 16, false>({2, 70, 45}, 2e-6);
  check<float, 16, 16, 32, false>({1, 16, 32}, 2e-6);
  check<f16, 32, 64, 32, false>({2, 64, 64}, 2e-3);
}
TEST(Attention, CausalRowsSeeNoLaterOnes) {
  check<float, 32, 32, 16, true>({2, 70, 70}, 2e-6);
  check<float, 16, 16, 32, true>({1, 50, 50}, 2e-6);
  check<bf16, 32, 64, 32, true>({2, 96, 96}, 2e-2);
}

} // namespace
} // namespace cutile::test
