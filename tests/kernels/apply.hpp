#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/test_device.hpp"

// Runs one function of tiles on vectors, on the device under test.

namespace cutile::test {

inline constexpr int lanes = 32;

/// `F` on tiles of `lanes` elements of the vectors, which have one size.
template <class R, class F, class... T> std::vector<R> apply(F, const std::vector<T>&... in) {
  static constexpr auto run =
      kernel<"apply">([]<int N>(Out<R, N> z, In<T, dyn>... x) { z.store(F{}(x.load_like(z)...)); });
  const std::int64_t n = static_cast<std::int64_t>(std::max({in.size()...}));
  auto z = zeros<R>({n}, device()).sync();
  auto result =
      run(std::move(z).partition(shape<lanes>), from_vector<T>(in, {n}, device()).sync()...).sync();
  return std::get<0>(std::move(result)).unpartition().to_vector();
}

/// Units in the last place of R between `got` and `wanted`.
template <class R> double ulps(R got, double wanted) {
  const double value = static_cast<double>(got);
  if (std::isnan(wanted)) return std::isnan(value) ? 0 : std::numeric_limits<double>::infinity();
  if (value == static_cast<double>(static_cast<R>(wanted))) return 0;
  const double magnitude = std::abs(wanted);
  if (!std::isfinite(value) || std::isinf(wanted)) return std::numeric_limits<double>::infinity();
  const R here = static_cast<R>(magnitude);
  const double unit =
      static_cast<double>(std::nextafter(here, std::numeric_limits<R>::infinity())) -
      static_cast<double>(here);
  return std::abs(value - wanted) / unit;
}

/// Numbers of all magnitudes and both signs, and those that are special.
template <class T> std::vector<T> numbers() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> out{T(0),
                     T(-0.0),
                     T(1),
                     T(-1),
                     T(0.5),
                     T(-0.5),
                     T(1.5),
                     T(2.5),
                     T(-2.5),
                     T(3.7),
                     Limits::infinity(),
                     -Limits::infinity(),
                     Limits::quiet_NaN(),
                     Limits::min(),
                     -Limits::min(),
                     Limits::max()};
  for (int e = -20; e <= 5; ++e) {
    for (const double m : {1.0, 1.1, 1.37, 1.9}) {
      out.push_back(static_cast<T>(std::ldexp(m, e)));
      out.push_back(static_cast<T>(-std::ldexp(m, e)));
    }
  }
  return out;
}

} // namespace cutile::test
