#include "bench/cpu_peers.hpp"

#include <Eigen/Core>
#include <thread>
#include <vector>

namespace cutile::bench {
namespace {

/// Runs body(first, last) over [0, n) on `threads` threads, this one included.
template <class Body> void split(std::size_t n, int threads, Body body) {
  const std::size_t parts = static_cast<std::size_t>(threads);
  std::vector<std::jthread> workers;
  for (std::size_t t = 1; t < parts; ++t)
    workers.emplace_back([=] { body(n * t / parts, n * (t + 1) / parts); });
  body(0, n / parts);
}

} // namespace

void peer_add(const float* x, const float* y, float* z, std::size_t n, int threads) {
  split(n, threads, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) z[i] = x[i] + y[i];
  });
}

void peer_gemm(const float* a, const float* b, float* c, int n, int threads) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<std::size_t>(n);
  split(size, threads, [=](std::size_t first, std::size_t last) {
    const auto rows = static_cast<Eigen::Index>(last - first);
    const Eigen::Map<const Matrix> left(a + first * size, rows, n), right(b, n, n);
    Eigen::Map<Matrix> out(c + first * size, rows, n);
    out.noalias() = left * right;
  });
}

} // namespace cutile::bench
