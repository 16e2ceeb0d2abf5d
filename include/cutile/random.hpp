#pragma once

#include <array>

#include "cutile/cast.hpp"

// Random numbers that are functions of a seed and a counter: no state, the same on every device,
// and any element can be computed by itself.

namespace cutile {

/// The four words of Philox4x32-10 (Salmon et al., Parallel random numbers: as easy as 1, 2, 3,
/// 2011) for the counter (counter, stream) and the key `seed`.
template <int... S> std::array<Tile<std::uint32_t, S...>, 4>
philox(const Tile<std::uint64_t>& seed, const Tile<std::uint64_t, S...>& counter,
       const Tile<std::uint64_t>& stream = Tile<std::uint64_t>(0),
       SourceLoc at = SourceLoc::current()) {
  using Words = Tile<std::uint32_t, S...>;
  const auto low = [&](const auto& v) { return cast<std::uint32_t>(v, at); };
  const auto high = [&](const auto& v) { return cast<std::uint32_t>(v >> 32, at); };
  const auto all = [&](const Tile<std::uint32_t>& v) { return broadcast(v, Shape<S...>{}, at); };
  Words c0 = low(counter), c1 = high(counter), c2 = all(low(stream)), c3 = all(high(stream));
  Tile<std::uint32_t> k0 = low(seed), k1 = high(seed);
  constexpr std::uint32_t m0 = 0xd2511f53U, m1 = 0xcd9e8d57U, w0 = 0x9e3779b9U, w1 = 0xbb67ae85U;
  for (int round = 0; round < 10; ++round) {
    const Words h0 = mul_high(c0, m0), l0 = c0 * m0;
    const Words h1 = mul_high(c2, m1), l1 = c2 * m1;
    c0 = h1 ^ c1 ^ k0;
    c1 = l1;
    c2 = h0 ^ c3 ^ k1;
    c3 = l0;
    k0 += w0;
    k1 += w1;
  }
  return {c0, c1, c2, c3};
}

/// Floats from 0 (included) to 1 (excluded), one for each counter: multiples of 2^-24.
template <int... S> Tile<float, S...> uniform(const Tile<std::uint64_t>& seed,
                                              const Tile<std::uint64_t, S...>& counter,
                                              SourceLoc at = SourceLoc::current()) {
  const auto words = philox(seed, counter, Tile<std::uint64_t>(0, at), at);
  return cast<float>(words[0] >> 8, at) * 0x1p-24F;
}

} // namespace cutile
