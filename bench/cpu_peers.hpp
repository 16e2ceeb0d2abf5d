#pragma once

#include <cstddef>

namespace cutile::bench {

/// z = x + y, a plain loop built with -O3 -march=native, on `threads` threads.
void peer_add(const float* x, const float* y, float* z, std::size_t n, int threads);
/// c = a * b by Eigen, row-major n x n, on `threads` threads (blocks of rows).
void peer_gemm(const float* a, const float* b, float* c, int n, int threads);

} // namespace cutile::bench
