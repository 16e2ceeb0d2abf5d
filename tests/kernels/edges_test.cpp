#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/rows.hpp"
#include "kernels/test_device.hpp"
#include "kernels/transpose.hpp"

// Sizes at the edges, and control flow, on every device.

namespace cutile::test {
namespace {

using testing::Each;
using testing::ElementsAre;

TEST(Edges, AnEmptyOutputIsALaunchThatDoesNothing) {
  auto x = zeros<float>({0}, device()).sync();
  auto z = zeros<float>({0}, device()).sync();
  auto [sum, x1, y1] = kernels::add(std::move(z).partition(shape<128>), x, x).sync();
  EXPECT_TRUE(std::move(sum).unpartition().to_vector().empty());
  auto c = zeros<float>({0, 64}, device()).sync();
  auto a = zeros<float>({0, 32}, device()).sync();
  auto b = zeros<float>({32, 64}, device()).sync();
  auto [product, a1, b1] =
      kernels::gemm(std::move(c).partition(shape<32, 32>), a, b, constant<32>).sync();
  EXPECT_EQ(std::move(product).unpartition().size(), 0);
}

TEST(Edges, AProductOverNothingIsZero) {
  auto c = ones<float>({33, 65}, device()).sync();
  auto a = zeros<float>({33, 0}, device()).sync();
  auto b = zeros<float>({0, 65}, device()).sync();
  auto [product, a1, b1] =
      kernels::gemm(std::move(c).partition(shape<32, 32>), a, b, constant<32>).sync();
  EXPECT_THAT(std::move(product).unpartition().to_vector(), Each(0.0F));
}

TEST(Edges, OneTwoAndThreeTilesPerAxis) {
  for (const std::int64_t m : {1, 31, 32, 33, 64, 65, 96}) {
    for (const std::int64_t n : {1, 16, 17, 47, 48}) {
      std::vector<float> values(static_cast<std::size_t>(m * n));
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
      auto x = from_vector<float>(values, {m, n}, device()).sync();
      auto y = zeros<float>({n, m}, device()).sync();
      auto [t, x1] = kernels::transpose(std::move(y).partition(shape<16, 32>), x).sync();
      const auto out = std::move(t).unpartition().to_vector();
      for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          ASSERT_EQ(out[static_cast<std::size_t>(j * m + i)],
                    values[static_cast<std::size_t>(i * n + j)])
              << m << " x " << n;
        }
      }
    }
  }
}

/// Rows of a matrix of NaN that the kernel is not given must not leak into what it is given.
TEST(Edges, NothingOutsideTheTensorLeaksIn) {
  constexpr std::int64_t n = 70;
  auto a = full<float>({n, n}, 1, device()).sync();
  auto before = full<float>({4096}, std::numeric_limits<float>::quiet_NaN(), device()).sync();
  auto b = full<float>({n, n}, 2, device()).sync();
  auto after = full<float>({4096}, std::numeric_limits<float>::quiet_NaN(), device()).sync();
  auto c = zeros<float>({n, n}, device()).sync();
  auto [product, a1, b1] =
      kernels::gemm(std::move(c).partition(shape<64, 64>), a, b, constant<64>).sync();
  EXPECT_THAT(std::move(product).unpartition().to_vector(), Each(140.0F));
}

TEST(Edges, PersistentBlocksCoverEveryPieceOnce) {
  constexpr std::int64_t m = 7 * 32 + 5, n = 5 * 32 + 1, k = 40;
  for (const int blocks : {1, 2, 3, 8, 0}) {
    auto a = full<float>({m, k}, 1, device()).sync();
    auto b = full<float>({k, n}, 1, device()).sync();
    auto c = full<float>({m, n}, -1, device()).sync();
    auto [product, a1, b1] =
        kernels::gemm_persistent(mapped(std::move(c).partition(shape<32, 32>), blocks), a, b,
                                 constant<32>, constant<4>)
            .sync();
    EXPECT_THAT(std::move(product).unpartition().to_vector(), Each(40.0F)) << blocks;
  }
}

constexpr auto powers =
    kernel<"powers">([]<int B>(Out<std::int32_t, B> steps, In<std::int32_t, dyn> x) {
      // Rounds of the Collatz sequence of each number, data-dependent.
      auto n = x.load_like(steps);
      auto count = zeros<std::int32_t>(shape<B>);
      while_([&] { return any(n > 1); },
             [&] {
               auto odd = (n & 1) == 1;
               auto next = select(odd, 3 * n + 1, n / 2);
               auto going = n > 1;
               n = select(going, next, n);
               count += cast<std::int32_t>(going);
             });
      steps.store(count);
    });

TEST(Control, WhileRunsUntilTheLastElementIsDone) {
  auto x = from_vector<std::int32_t>({1, 2, 3, 6, 7, 27, 97}, device()).sync();
  auto steps = zeros<std::int32_t>({7}, device()).sync();
  auto [result, x1] = powers(std::move(steps).partition(shape<4>), x).sync();
  EXPECT_THAT(std::move(result).unpartition().to_vector(), ElementsAre(0, 1, 7, 8, 16, 111, 118));
}

constexpr auto branches = kernel<"branches">([]<int B>(Out<float, B> y, In<float, dyn> x,
                                                       Scalar<float> limit) {
  auto v = x.load_like(y);
  auto total = sum(v);
  auto kind = zeros<float>(shape<B>);
  if_(total > limit, [&] { kind = kind + 1; }, [&] { if_(total < 0, [&] { kind = kind - 1; }); });
  auto scaled = if_(total > limit, [&] { return v * 2.0F; }, [&] { return v; });
  y.store(scaled + 100 * kind);
});

TEST(Control, BranchesGiveValues) {
  auto x = from_vector<float>({1, 2, 3, 4, -1, -2, -3, -4, 1, 0, 0, 0}, device()).sync();
  auto y = zeros<float>({12}, device()).sync();
  auto [result, x1] = branches(std::move(y).partition(shape<4>), x, 5.0F).sync();
  EXPECT_THAT(std::move(result).unpartition().to_vector(),
              ElementsAre(102, 104, 106, 108, -101, -102, -103, -104, 1, 0, 0, 0));
}

constexpr auto loops =
    kernel<"loops">([]<int B>(Out<std::int32_t, B> y, Scalar<std::int32_t> rounds) {
      auto a = zeros<std::int32_t>(shape<B>);
      auto b = ones<std::int32_t>(shape<B>);
      for (auto i : range(rounds)) { // Fibonacci, by a swap that both loop values take part in
        auto next = a + b;
        a = b;
        b = next;
        for (auto j : range(Index(0), i, Index(2))) b = b + (j - j);
      }
      Index n = 0;
      loop([&] {
        n += 1;
        if_(n >= 7, [&] { break_(); });
        if_((n & 1) == 1, [&] { continue_(); });
        a = a + 1000;
      });
      y.store(a + n * 100000);
    });

TEST(Control, LoopsCarryWhatTheyAssign) {
  auto y = zeros<std::int32_t>({8}, device()).sync();
  auto [result] = loops(std::move(y).partition(shape<8>), 10).sync();
  EXPECT_THAT(std::move(result).unpartition().to_vector(), Each(55 + 3000 + 700000));
  auto z = zeros<std::int32_t>({8}, device()).sync();
  auto [none] = loops(std::move(z).partition(shape<8>), 0).sync();
  EXPECT_THAT(std::move(none).unpartition().to_vector(), Each(0 + 3000 + 700000));
}

constexpr auto in_place = kernel<"in_place">([]<int B>(Out<float, B> y) {
  y.store(y.load() + 1);
  y.store(y.load() * 2);
});

TEST(Memory, ProgramOrderHoldsWithinABlock) {
  auto y = arange<float>(300, device()).sync();
  auto [result] = in_place(std::move(y).partition(shape<128>)).sync();
  const auto out = std::move(result).unpartition().to_vector();
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 2 * (static_cast<float>(i) + 1));
}

template <class T> void arithmetic() {
  auto x = from_vector<T>({T(7), T(-7), T(6), T(1)}, device()).sync();
  auto y = from_vector<T>({T(3), T(3), T(-3), T(2)}, device()).sync();
  auto z = zeros<T>({4}, device()).sync();
  static constexpr auto k =
      kernel<"divide">([]<class U, int B>(Out<U, B> out, In<U, dyn> a, In<U, dyn> b) {
        auto p = a.load_like(out, {}), q = b.load_like(out, {});
        q = select(q == 0, 1, q); // the tail
        out.store(p / q * 10 + p % q);
      });
  auto [r, x1, y1] = k(std::move(z).partition(shape<4>), x, y).sync();
  const auto out = std::move(r).unpartition().to_vector();
  for (std::size_t i = 0; i < 4; ++i) {
    const T p = std::vector<T>{T(7), T(-7), T(6), T(1)}[i],
            q = std::vector<T>{T(3), T(3), T(-3), T(2)}[i];
    EXPECT_EQ(out[i], static_cast<T>(static_cast<T>(p / q) * 10 + p % q)) << i;
  }
}

TEST(Numbers, IntegerDivisionIsThatOfCpp) {
  arithmetic<std::int8_t>();
  arithmetic<std::int16_t>();
  arithmetic<std::int32_t>();
  arithmetic<std::int64_t>();
  arithmetic<std::uint8_t>();
  arithmetic<std::uint16_t>();
  arithmetic<std::uint32_t>();
  arithmetic<std::uint64_t>();
}

constexpr auto reduces =
    kernel<"reduces">([]<int R, int N>(Out<float, R, N> y, In<float, dyn, dyn> x) {
      auto v = x.tiles(shape<R, N>, {.padding = Padding::neg_inf}).load(y.index(0), 0);
      auto top = broadcast(expand(max(v, axis<1>), axis<1>), shape<R, N>);
      auto low = broadcast(reshape(min(v, axis<0>), shape<1, N>), shape<R, N>);
      y.store(select(v == top, low, v));
    });

TEST(Numbers, ReductionsOverEitherAxis) {
  auto x = from_vector<float>({1, 5, 3, 2, -4, 8, 0, 7}, {2, 4}, device()).sync();
  auto y = zeros<float>({2, 4}, device()).sync();
  auto [r, x1] = reduces(std::move(y).partition(shape<2, 4>), x).sync();
  EXPECT_THAT(std::move(r).unpartition().to_vector(), ElementsAre(1, 5, 3, 2, -4, 5, 0, 7));
}

TEST(Determinism, AThousandRunsGiveTheSameBits) {
  std::vector<float> values(64 * 200);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
  auto x = from_vector<float>(values, {64, 200}, device()).sync();
  auto y = zeros<float>({64, 200}, device()).sync();
  std::vector<float> first;
  for (int i = 0; i < 1000; ++i) {
    static_cast<void>(kernels::softmax(y.borrow_mut().partition(shape<4, 256>), x).sync());
    if (i == 0) first = y.to_vector();
  }
  EXPECT_EQ(y.to_vector(), first);
}

} // namespace
} // namespace cutile::test
