#pragma once

#include <cutile/cutile.hpp>
#include <limits>

namespace cutile::kernels {

/// o[h, i, :] = softmax over j of (scale * q[h, i, :] . k[h, j, :]) times v[h, j, :]; causal: over
/// j up to i alone. Heads, rows and columns are the axes of all four; o is cut into 1 x BM x D
/// pieces with D all columns, and BN rows of k and v are taken at a time. Sums in f32, in one pass
/// over k and v (Milakov, Gimelshein: Online normalizer calculation for softmax, 2018).
inline constexpr auto attention = kernel<"attention">(
    []<class T, int BM, int D, int BN, bool Causal>(
        Out<T, 1, BM, D> o, In<T, dyn, dyn, dyn> q, In<T, dyn, dyn, dyn> k, In<T, dyn, dyn, dyn> v,
        Scalar<float> scale, Constant<BN>, Constant<Causal>) {
      constexpr float lowest = -std::numeric_limits<float>::infinity();
      constexpr auto square = shape<BM, BN>;
      const auto head = o.index(0), row = o.index(1);
      const auto query = reshape(q.tiles(shape<1, BM, D>).load(head, row, 0), shape<BM, D>);
      const auto keys = k.tiles(shape<1, BN, D>), values = v.tiles(shape<1, BN, D>);
      const auto rows =
          broadcast(reshape(iota<std::int32_t>(shape<BM>) + row * BM, shape<BM, 1>), square);
      const auto columns = broadcast(reshape(iota<std::int32_t>(shape<BN>), shape<1, BN>), square);
      const auto length = k.extent(axis<1>);

      auto top = full<float>(shape<BM, 1>, lowest); // largest score of each row so far
      auto total = zeros<float>(shape<BM, 1>);
      auto sums = zeros<float>(shape<BM, D>);
      const auto blocks = keys.count(axis<1>);
      const auto last = Causal ? min(blocks, ceil_div((row + 1) * BM, BN)) : blocks;
      for (auto j : range(last)) {
        const auto key = reshape(keys.load(head, j, 0), shape<BN, D>);
        // exp(x) is taken as 2^(x log2 e).
        auto scores = mma(query, transpose(key), zeros<float>(square)) * (scale * 1.44269504F);
        const auto at = columns + j * BN;
        const auto seen = Causal ? (at < length) & (at <= rows) : at < length;
        scores = select(seen, scores, full<float>(square, lowest));
        const auto higher = max(top, max(scores, axis<1>, keepdims));
        const auto weights = exp2(scores - broadcast(higher, square));
        const auto fade = exp2(top - higher); // of what was summed under the old maximum
        total = total * fade + sum(weights, axis<1>, keepdims);
        const auto value = reshape(values.load(head, j, 0), shape<BN, D>);
        sums = mma(cast<T>(weights), value, sums * broadcast(fade, shape<BM, D>));
        top = higher;
      }
      o.store(reshape(cast<T>(sums / broadcast(total, shape<BM, D>)), shape<1, BM, D>));
    });

} // namespace cutile::kernels
