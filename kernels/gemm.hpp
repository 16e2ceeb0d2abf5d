#pragma once

#include <cutile/cutile.hpp>

namespace cutile::kernels {

/// c (M x N) = a (M x K) times b (K x N), accumulated in f32 (f64 for f64); one block for each
/// piece of c.
inline constexpr auto gemm =
    kernel<"gemm">([]<class T, int BM, int BN, int BK>(Out<T, BM, BN> c, In<T, dyn, dyn> a,
                                                       In<T, dyn, dyn> b, Constant<BK>) {
      using Acc = std::conditional_t<std::is_same_v<T, double>, double, float>;
      auto rows = a.tiles(shape<BM, BK>);
      auto cols = b.tiles(shape<BK, BN>);
      auto acc = zeros<Acc>(shape<BM, BN>);
      for (auto k : rows.indices(axis<1>))
        acc = mma(rows.load(c.index(0), k), cols.load(k, c.index(1)), acc);
      c.store(cast<T>(acc));
    });

/// The same product by persistent blocks that walk over the pieces of c, `Group` rows of pieces at
/// a time, so that blocks running together find each other's inputs in the L2 cache.
inline constexpr auto gemm_persistent =
    kernel<"gemm_persistent">([]<class T, int BM, int BN, int BK, int Group>(
                                  MappedOut<T, BM, BN> c, In<T, dyn, dyn> a, In<T, dyn, dyn> b,
                                  Constant<BK>, Constant<Group>) {
      using Acc = std::conditional_t<std::is_same_v<T, double>, double, float>;
      auto rows = a.tiles(shape<BM, BK>);
      auto cols = b.tiles(shape<BK, BN>);
      for (auto piece : c.pieces(Group)) {
        auto acc = zeros<Acc>(shape<BM, BN>);
        for (auto k : rows.indices(axis<1>))
          acc = mma(rows.load(piece[0], k), cols.load(k, piece[1]), acc);
        c.store(piece, cast<T>(acc));
      }
    });

} // namespace cutile::kernels
