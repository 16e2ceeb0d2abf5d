#pragma once

#include "cutile/tile.hpp"

// Matrix products.

namespace cutile {

namespace detail {

/// Checks M x K times K x N plus M x N, or B x M x K and so on.
template <class A, class B, class C> struct Product {
  static_assert(
      always_false<A>,
      "ct::mma: all three tiles must have rank 2, or rank 3 with matrices in the last two axes");
  static constexpr bool ok = false;
};
template <int M, int K, int K2, int N, int M2, int N2>
struct Product<Shape<M, K>, Shape<K2, N>, Shape<M2, N2>> {
  static_assert(K == K2, "ct::mma: the second extent of a must be the first extent of b");
  static_assert(M == M2 && N == N2,
                "ct::mma: the accumulator must have the rows of a and the columns of b");
  static constexpr bool ok = true;
};
template <int X, int M, int K, int X2, int K2, int N, int X3, int M2, int N2>
struct Product<Shape<X, M, K>, Shape<X2, K2, N>, Shape<X3, M2, N2>> {
  static_assert(X == X2 && X == X3,
                "ct::mma: all three tiles must have the same number of matrices");
  static constexpr bool ok = Product<Shape<M, K>, Shape<K2, N>, Shape<M2, N2>>::ok;
};
template <class T> inline constexpr bool is_f8 =
    std::is_same_v<T, f8e4m3> || std::is_same_v<T, f8e5m2>;
template <class T> inline constexpr bool is_byte =
    std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>;

} // namespace detail

/// a (M x K) times b (K x N) plus c (M x N); of rank 3, matrix by matrix. ct::f8e4m3, ct::f8e5m2
/// and f16 accumulate in f16 or float; bf16, ct::tf32 and float in float; double in double; bytes,
/// signed or not, in std::int32_t, where sums wrap. The order of a float sum is not specified;
/// float times float is computed in full f32. Tile IR: mmaf, mmai.
template <class T, class U, class Acc, int... A, int... B, int... C>
Tile<Acc, C...> mma(const Tile<T, A...>& a, const Tile<U, B...>& b, const Tile<Acc, C...>& c,
                    SourceLoc at = SourceLoc::current()) {
  static_assert(detail::Product<Shape<A...>, Shape<B...>, Shape<C...>>::ok);
  if constexpr (detail::is_byte<T> && detail::is_byte<U>) {
    static_assert(std::is_same_v<Acc, std::int32_t>, "ct::mma: bytes accumulate in std::int32_t");
    return Tile<Acc, C...>(detail::mma_int(a.slot(), b.slot(), c.slot(), std::is_signed_v<T>,
                                           std::is_signed_v<U>, at));
  } else {
    static_assert(std::is_same_v<T, U>,
                  "ct::mma: a and b must have the same element type, or both be bytes");
    static_assert(
        ((std::is_same_v<T, f16> || detail::is_f8<T>) &&
         (std::is_same_v<Acc, f16> || std::is_same_v<Acc, float>)) ||
            ((std::is_same_v<T, bf16> || std::is_same_v<T, tf32> || std::is_same_v<T, float>) &&
             std::is_same_v<Acc, float>) ||
            (std::is_same_v<T, double> && std::is_same_v<Acc, double>),
        "ct::mma: f16, f8e4m3 and f8e5m2 accumulate in f16 or float, bf16, tf32 and float in "
        "float, double in double");
    return Tile<Acc, C...>(detail::mma(a.slot(), b.slot(), c.slot(), at));
  }
}

/// The same with a power of two for each block of elements along K: element (i, k) of a counts
/// times a_scale (i, k / block), element (k, j) of b times b_scale (k / block, j). ct::f8e4m3 and
/// ct::f8e5m2 have blocks of 32 and scales of ct::f8e8m0; ct::f4e2m1 blocks of 16 or 32, or blocks
/// of 16 with scales of ct::f8e4m3. For sm_100 and newer. Tile IR: mmaf_scaled, from 13.3 on.
template <class T, class Scale, int M, int K, int N, int KS>
Tile<float, M, N> mma_scaled(const Tile<T, M, K>& a, const Tile<Scale, M, KS>& a_scale,
                             const Tile<T, K, N>& b, const Tile<Scale, KS, N>& b_scale,
                             const Tile<float, M, N>& c, SourceLoc at = SourceLoc::current()) {
  constexpr int block = K / KS;
  constexpr bool f4 = std::is_same_v<T, f4e2m1>, e8m0 = std::is_same_v<Scale, f8e8m0>;
  static_assert(detail::is_f8<T> || f4,
                "ct::mma_scaled: the elements are f8e4m3, f8e5m2 or f4e2m1");
  static_assert(e8m0 || (f4 && std::is_same_v<Scale, f8e4m3>),
                "ct::mma_scaled: the scales are f8e8m0, or of f4e2m1 also f8e4m3");
  static_assert(K % KS == 0 && ((block == 32 && e8m0) || (block == 16 && f4)),
                "ct::mma_scaled: a scale is for 32 elements along K, of f4e2m1 also for 16");
  return Tile<float, M, N>(
      detail::mma_scaled(a.slot(), b.slot(), c.slot(), a_scale.slot(), b_scale.slot(), at));
}

} // namespace cutile
