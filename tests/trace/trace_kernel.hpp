#pragma once

#include <array>
#include <vector>

#include "checks/bounds.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/pictures.hpp"
#include "kernels/rows.hpp"
#include "kernels/transpose.hpp"
#include "trace/trace.hpp"

// Traces a kernel on chosen parameter types, without a launch.

namespace cutile::test {

template <class K> struct Spec; // of a kernel parameter
template <class T, int... D> struct Spec<In<T, D...>> {
  static trace::ArgSpec make(trace::Specialisation facts) {
    return {.kind = trace::ArgKind::in,
            .dtype = dtype_of<T>,
            .rank = sizeof...(D),
            .tile = {},
            .facts = facts};
  }
};
template <class T, int... S> struct Spec<Out<T, S...>> {
  static trace::ArgSpec make(trace::Specialisation facts) {
    return {.kind = trace::ArgKind::out,
            .dtype = dtype_of<T>,
            .rank = sizeof...(S),
            .tile = {S...},
            .facts = facts};
  }
};
template <class T, int... S> struct Spec<MappedOut<T, S...>> {
  static trace::ArgSpec make(trace::Specialisation facts) {
    return {.kind = trace::ArgKind::mapped_out,
            .dtype = dtype_of<T>,
            .rank = sizeof...(S),
            .tile = {S...},
            .facts = facts};
  }
};
template <class T> struct Spec<Tile<T>> {
  static trace::ArgSpec make(trace::Specialisation) {
    return {.kind = trace::ArgKind::scalar, .dtype = dtype_of<T>};
  }
};

/// Row-major, aligned, all extents multiples of 16.
inline trace::Specialisation nice(int rank) {
  const auto all = static_cast<std::uint8_t>((1 << rank) - 1);
  const auto last = static_cast<std::uint8_t>(1 << (rank - 1));
  return {.aligned16 = 1,
          .wide = 0,
          .extents_div16 = all,
          .strides_div16 = static_cast<std::uint8_t>(all & ~last),
          .unit_strides = last};
}

template <class K> constexpr int rank_of() {
  if constexpr (requires { K::rank; }) return K::rank;
  return 0;
}

/// Traces the body `f`, which takes parameters K... .
template <class... K, class F>
Result<trace::TracedKernel> trace_with(F f, const char* name = "k", trace::KernelHints hints = {}) {
  std::vector<trace::ArgSpec> specs{Spec<K>::make(nice(rank_of<K>() == 0 ? 1 : rank_of<K>()))...};
  trace::Trace t(name, SourceLoc{"kernel.cpp", 1}, specs, hints);
  [&]<int... I>(std::integer_sequence<int, I...>) {
    f(detail::KernelArgument<K>::make(I)...);
  }(std::make_integer_sequence<int, sizeof...(K)>{});
  Result<trace::TracedKernel> kernel = t.finish();
  if (kernel) checks::place_bounds_checks(*kernel);
  return kernel;
}

} // namespace cutile::test
