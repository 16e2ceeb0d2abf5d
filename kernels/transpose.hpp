#pragma once

#include <cutile/cutile.hpp>

namespace cutile::kernels {

/// y = x transposed: x is M x N, y is N x M.
inline constexpr auto transpose =
    kernel<"transpose">([]<class T, int BN, int BM>(Out<T, BN, BM> y, In<T, dyn, dyn> x) {
      auto pieces = x.tiles(shape<BM, BN>);
      y.store(cutile::transpose(pieces.load(y.index(1), y.index(0))));
    });

} // namespace cutile::kernels
