#pragma once

#include <cutile/cutile.hpp>

// Kernels that take whole rows: the tile's last extent must be at least the number of columns.

namespace cutile::kernels {

/// y[i, :] = exp(x[i, :] - max) / sum of those; computed in f32. A NaN makes its row NaN.
inline constexpr auto softmax =
    kernel<"softmax">([]<class T, int R, int N>(Out<T, R, N> y, In<T, dyn, dyn> x) {
      auto rows =
          x.tiles(shape<R, N>, {.padding = Padding::neg_inf}); // exp(-inf) adds nothing to the sum
      auto v = cast<float>(rows.load(y.index(0), 0));
      auto top = broadcast(expand(max(v, axis<1>), axis<1>), v.shape());
      auto e = exp(v - top);
      auto total = broadcast(expand(sum(e, axis<1>), axis<1>), v.shape());
      y.store(cast<T>(e / total));
    });

/// y[i, :] = x[i, :] * w / sqrt(mean(x[i, :]^2) + epsilon); computed in f32.
inline constexpr auto rms_norm =
    kernel<"rms_norm">([]<class T, int R, int N>(Out<T, R, N> y, In<T, dyn, dyn> x, In<T, dyn> w,
                                                 Scalar<float> epsilon) {
      auto v = cast<float>(x.tiles(shape<R, N>).load(y.index(0), 0));
      auto mean = sum(v * v, axis<1>) / cast<float>(x.extent(axis<1>));
      auto scale = broadcast(expand(rsqrt(mean + epsilon), axis<1>), v.shape());
      auto weight =
          broadcast(reshape(cast<float>(w.tiles(shape<N>).load(0)), shape<1, N>), v.shape());
      y.store(cast<T>(v * scale * weight));
    });

} // namespace cutile::kernels
