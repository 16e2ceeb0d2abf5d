#pragma once

#include <cutile/cutile.hpp>

namespace cutile::kernels {

/// z = x + y, element by element; rank 1, all of one extent.
inline constexpr auto add =
    kernel<"add">([]<class T, int B>(Out<T, B> z, In<T, dyn> x, In<T, dyn> y) {
      z.store(x.load_like(z) + y.load_like(z));
    });

/// y = alpha * x + y, in place.
inline constexpr auto saxpy =
    kernel<"saxpy">([]<class T, int B>(Out<T, B> y, In<T, dyn> x, Scalar<T> alpha) {
      y.store(alpha * x.load_like(y) + y.load());
    });

} // namespace cutile::kernels
