#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "kernels/apply.hpp"

// Integers, casts, shapes, reductions, scans, products and control flow, on every device.

namespace cutile::test {
namespace {

using testing::ElementsAre;
using testing::Pointwise;

template <class T> std::vector<T> counted(int n, int first = 0) {
  std::vector<T> out(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = detail::to_element<T>(first + i);
  return out;
}

template <int, int Value> inline constexpr int same = Value;

/// F on one tile, the whole tensor, of shape S; the result has shape R.
template <class Out_, class F, class T, int... S, int... R>
std::vector<Out_> on_tile(F, const std::vector<T>& in, Shape<S...>, Shape<R...>) {
  static constexpr auto run =
      kernel<"on_tile">([]<int... Z>(Out<Out_, Z...> z, In<T, same<S, dyn>...> x) {
        z.store(F{}(x.tiles(Shape<S...>{}).load(same<S, 0>...)));
      });
  auto z = zeros<Out_>({R...}, device()).sync();
  auto x = from_vector<T>(in, {S...}, device()).sync();
  auto result = run(std::move(z).partition(Shape<R...>{}), std::move(x)).sync();
  return std::get<0>(std::move(result)).unpartition().to_vector();
}

template <class T> void division() {
  std::vector<T> a, b;
  const int first = std::is_signed_v<T> ? -9 : 0;
  for (int x = first; x <= 9; ++x) {
    for (int y = first; y <= 9; ++y) {
      if (y == 0) continue;
      a.push_back(static_cast<T>(x));
      b.push_back(static_cast<T>(y));
    }
  }
  // Whole tiles: past the edge, division is by the padding, zero.
  while (a.size() % lanes != 0) {
    a.push_back(1);
    b.push_back(1);
  }
  const auto check = [&](auto f, auto reference) {
    const auto q = apply<T>(f, a, b);
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_EQ(static_cast<double>(q[i]),
                reference(static_cast<double>(a[i]), static_cast<double>(b[i])))
          << +a[i] << ", " << +b[i];
  };
  check([](auto x, auto y) { return x / y; }, [](double x, double y) { return std::trunc(x / y); });
  check([](auto x, auto y) { return floor_div(x, y); },
        [](double x, double y) { return std::floor(x / y); });
  check([](auto x, auto y) { return ceil_div(x, y); },
        [](double x, double y) { return std::ceil(x / y); });
  check([](auto x, auto y) { return x % y; }, [](double x, double y) { return std::fmod(x, y); });
  check([](auto x, auto y) { return floor_mod(x, y); },
        [](double x, double y) { return x - y * std::floor(x / y); });
}
TEST(Integers, DivisionRoundsAsItsNameSays) {
  division<std::int32_t>();
  division<std::int64_t>();
  division<std::int16_t>();
  division<std::int8_t>();
  division<std::uint32_t>();
  division<std::uint64_t>();
  division<std::uint8_t>();
}

TEST(Integers, UpperHalvesAndPowers) {
  const std::vector<std::uint32_t> a{0xffffffffU, 0x80000000U, 3}, b{0xffffffffU, 6, 5};
  EXPECT_THAT(apply<std::uint32_t>([](auto x, auto y) { return mul_high(x, y); }, a, b),
              ElementsAre(0xfffffffeU, 3, 0));
  const std::vector<float> x{2, -3, 0.5F};
  const std::vector<std::int32_t> n{10, 3, -2};
  EXPECT_THAT(apply<float>([](auto v, auto e) { return pow(v, e); }, x, n),
              ElementsAre(1024, -27, 4));
}

TEST(Casts, Saturate) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x{1.9F, -1.9F, 300, -300, inf, -inf, std::nanf("")};
  EXPECT_THAT(apply<std::int8_t>([](auto v) { return saturate_cast<std::int8_t>(v); }, x),
              ElementsAre(1, -1, 127, -128, 127, -128, 0));
  EXPECT_THAT(apply<std::uint8_t>([](auto v) { return saturate_cast<std::uint8_t>(v); }, x),
              ElementsAre(1, 0, 255, 0, 255, 0, 0));
  const std::vector<std::int32_t> i{-1000, -1, 0, 127, 128, 70000};
  EXPECT_THAT(apply<std::int8_t>([](auto v) { return saturate_cast<std::int8_t>(v); }, i),
              ElementsAre(-128, -1, 0, 127, 127, 127));
  EXPECT_THAT(apply<std::uint16_t>([](auto v) { return saturate_cast<std::uint16_t>(v); }, i),
              ElementsAre(0, 0, 0, 127, 128, 65535));
  const std::vector<std::uint32_t> u{0, 5, 0xffffffffU};
  EXPECT_THAT(apply<std::int32_t>([](auto v) { return saturate_cast<std::int32_t>(v); }, u),
              ElementsAre(0, 5, 0x7fffffff));
}

TEST(Casts, BitsStayAndPack) {
  EXPECT_THAT(apply<std::uint32_t>([](auto v) { return bitcast<std::uint32_t>(v); },
                                   std::vector<float>{1, -2}),
              ElementsAre(0x3f800000U, 0xc0000000U));
  const std::vector<std::uint8_t> bytes{0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe};
  const auto nibbles = on_tile<std::int8_t>([](auto x) { return cast<std::int8_t>(unpack<i4>(x)); },
                                            bytes, shape<8>, shape<16>);
  EXPECT_THAT(nibbles, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1));
  const auto again =
      on_tile<std::uint8_t>([](auto x) { return pack(cast<i4>(x)); }, nibbles, shape<16>, shape<8>);
  EXPECT_EQ(again, bytes);
  const auto halves = on_tile<std::uint16_t>([](auto x) { return unpack<std::uint16_t>(x); }, bytes,
                                             shape<8>, shape<4>);
  EXPECT_THAT(halves, ElementsAre(0x3210, 0x7654, 0xba98, 0xfedc));
}

TEST(Shapes, CatExtractInsertSplitFlip) {
  const auto x = counted<std::int32_t>(8);
  using V = std::vector<std::int32_t>;
  EXPECT_EQ(on_tile<std::int32_t>([](auto t) { return cat(t, t + 10, axis<0>); }, x, shape<2, 4>,
                                  shape<4, 4>),
            (V{0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17}));
  EXPECT_EQ(on_tile<std::int32_t>([](auto t) { return cat(t, t + 10, axis<1>); }, x, shape<2, 4>,
                                  shape<2, 8>),
            (V{0, 1, 2, 3, 10, 11, 12, 13, 4, 5, 6, 7, 14, 15, 16, 17}));
  EXPECT_EQ(on_tile<std::int32_t>([](auto t) { return extract(t, shape<1, 2>, 1, 1); }, x,
                                  shape<2, 4>, shape<1, 2>),
            (V{6, 7}));
  EXPECT_EQ(
      on_tile<std::int32_t>([](auto t) { return insert(extract(t, shape<1, 2>, 0, 0), t, 1, 1); },
                            x, shape<2, 4>, shape<2, 4>),
      (V{0, 1, 2, 3, 4, 5, 0, 1}));
  EXPECT_EQ(on_tile<std::int32_t>([](auto t) { return split(t, axis<1>).second; }, x, shape<2, 4>,
                                  shape<2, 2>),
            (V{2, 3, 6, 7}));
  EXPECT_EQ(
      on_tile<std::int32_t>([](auto t) { return flip(t, axis<1>); }, x, shape<2, 4>, shape<2, 4>),
      (V{3, 2, 1, 0, 7, 6, 5, 4}));
  EXPECT_EQ(
      on_tile<std::int32_t>([](auto t) { return flip(t, axis<0>); }, x, shape<2, 4>, shape<2, 4>),
      (V{4, 5, 6, 7, 0, 1, 2, 3}));
  EXPECT_EQ(
      on_tile<std::int32_t>([](auto t) { return squeeze(sum(t, axis<0>, keepdims), axis<0>); }, x,
                            shape<2, 4>, shape<4>),
      (V{4, 6, 8, 10}));
}

TEST(Reductions, OverSeveralAxesAndKeepingThem) {
  const auto x = counted<float>(16);
  using V = std::vector<float>;
  EXPECT_EQ(on_tile<float>([](auto t) { return sum(t, axes<0, 2>); }, x, shape<2, 4, 2>, shape<4>),
            (V{0 + 1 + 8 + 9, 2 + 3 + 10 + 11, 4 + 5 + 12 + 13, 6 + 7 + 14 + 15}));
  EXPECT_EQ(on_tile<float>([](auto t) { return max(t, axes<1, 2>, keepdims); }, x, shape<2, 4, 2>,
                           shape<2, 1, 1>),
            (V{7, 15}));
  EXPECT_EQ(on_tile<float>([](auto t) { return t - max(t, axis<1>, keepdims).shape().rank * 0.0F; },
                           x, shape<4, 4>, shape<4, 4>),
            x);
}

TEST(Reductions, ArgmaxTakesTheFirstAndNanWins) {
  const float nan = std::nanf("");
  const std::vector<float> x{3, 9, 9, 1, -5, -5, -7, -5, 1, nan, 2, nan, 0, 0, 0, 0};
  EXPECT_THAT(
      on_tile<std::int32_t>([](auto t) { return argmax(t, axis<1>); }, x, shape<4, 4>, shape<4>),
      ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(
      on_tile<std::int32_t>([](auto t) { return argmin(t, axis<1>); }, x, shape<4, 4>, shape<4>),
      ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(on_tile<std::int32_t>([](auto t) { return argmax(t, axis<0>); },
                                    std::vector<std::uint8_t>{1, 200, 3, 4, 250, 6, 3, 4},
                                    shape<4, 2>, shape<2>),
              ElementsAre(2, 0));
}

TEST(Reductions, ByAnyBody) {
  const std::vector<std::int32_t> x{6, 4, 9, 15, 8, 12, 16, 20};
  // The largest, and how many times it occurs, in one pass.
  const auto counted_max = [](auto t) {
    const auto ones_ = full<std::int32_t>(t.shape(), 1);
    const auto [most, times] = reduce(
        axis<1>, std::tuple(-1000, 0),
        [](auto a, auto n, auto b, auto m) {
          return std::tuple(max(a, b), select(a > b, n, select(b > a, m, n + m)));
        },
        t % 4, ones_);
    return most * 10 + times;
  };
  EXPECT_THAT(on_tile<std::int32_t>(counted_max, x, shape<2, 4>, shape<2>), ElementsAre(31, 4));
  EXPECT_THAT(on_tile<std::int32_t>(
                  [](auto t) {
                    return reshape(
                        reduce(axis<0>, 0, [](auto a, auto b) { return a ^ b; }, t), shape<1>);
                  },
                  x, shape<8>, shape<1>),
              ElementsAre(6 ^ 4 ^ 9 ^ 15 ^ 8 ^ 12 ^ 16 ^ 20));
}

TEST(Scans, ForwardAndReverse) {
  const auto x = counted<std::int32_t>(8, 1);
  EXPECT_THAT(
      on_tile<std::int32_t>([](auto t) { return cumsum(t, axis<0>); }, x, shape<8>, shape<8>),
      ElementsAre(1, 3, 6, 10, 15, 21, 28, 36));
  EXPECT_THAT(on_tile<std::int32_t>([](auto t) { return cumsum(t, axis<0>, Direction::reverse); },
                                    x, shape<8>, shape<8>),
              ElementsAre(36, 35, 33, 30, 26, 21, 15, 8));
  EXPECT_THAT(on_tile<std::int32_t>([](auto t) { return cumprod(t, axis<1>); }, x, shape<2, 4>,
                                    shape<2, 4>),
              ElementsAre(1, 2, 6, 24, 5, 30, 210, 1680));
  EXPECT_THAT(on_tile<std::int32_t>([](auto t) { return cummax(t, axis<0>); },
                                    std::vector<std::int32_t>{3, 1, 4, 1, 5, 9, 2, 6}, shape<8>,
                                    shape<8>),
              ElementsAre(3, 3, 4, 4, 5, 9, 9, 9));
  // First-order recurrence x[i] = a[i] * x[i-1] + b[i] as a scan of pairs.
  EXPECT_THAT(on_tile<std::int32_t>(
                  [](auto t) {
                    return std::get<1>(scan(
                        axis<0>, std::tuple(1, 0),
                        [](auto a, auto b, auto c, auto d) { return std::tuple(a * c, c * b + d); },
                        full<std::int32_t>(t.shape(), 2), t));
                  },
                  counted<std::int32_t>(4, 1), shape<4>, shape<4>),
              ElementsAre(1, 4, 11, 26));
}

template <class T, class U> void byte_product() {
  std::vector<T> a;
  std::vector<U> b;
  for (int i = 0; i < 16 * 32; ++i) {
    a.push_back(static_cast<T>(i * 37));
    b.push_back(static_cast<U>(i * 91 + 5));
  }
  static constexpr auto run = kernel<"bytes">(
      []<int M, int N>(Out<std::int32_t, M, N> z, In<T, dyn, dyn> x, In<U, dyn, dyn> y) {
        z.store(mma(x.tiles(shape<16, 32>).load(0, 0), y.tiles(shape<32, 16>).load(0, 0),
                    full<std::int32_t>(shape<M, N>, 1)));
      });
  auto z = zeros<std::int32_t>({16, 16}, device()).sync();
  auto out =
      run(std::move(z).partition(shape<16, 16>), from_vector<T>(a, {16, 32}, device()).sync(),
          from_vector<U>(b, {32, 16}, device()).sync())
          .sync();
  const auto c = std::get<0>(std::move(out)).unpartition().to_vector();
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      std::int32_t wanted = 1;
      for (std::size_t k = 0; k < 32; ++k) wanted += a[i * 32 + k] * b[k * 16 + j];
      ASSERT_EQ(c[i * 16 + j], wanted) << i << ", " << j;
    }
  }
}
TEST(Products, OfBytesWithEitherSign) {
  byte_product<std::int8_t, std::int8_t>();
  byte_product<std::int8_t, std::uint8_t>();
  byte_product<std::uint8_t, std::int8_t>();
  byte_product<std::uint8_t, std::uint8_t>();
}

template <class T, class Acc> void float_product() {
  // Small integers, whose products and sums are exact in every type.
  std::vector<float> a, b;
  for (int i = 0; i < 2 * 16 * 32; ++i) {
    a.push_back(static_cast<float>(i % 5 - 2));
    b.push_back(static_cast<float>(i % 7 - 3));
  }
  std::vector<T> at, bt;
  for (const float v : a) at.push_back(detail::to_element<T>(v));
  for (const float v : b) bt.push_back(detail::to_element<T>(v));
  static constexpr auto run = kernel<"batched">(
      []<int X, int M, int N>(Out<Acc, X, M, N> z, In<T, dyn, dyn, dyn> x, In<T, dyn, dyn, dyn> y) {
        z.store(mma(x.tiles(shape<2, 16, 32>).load(0, 0, 0),
                    y.tiles(shape<2, 32, 16>).load(0, 0, 0), zeros<Acc>(shape<X, M, N>)));
      });
  auto z = zeros<Acc>({2, 16, 16}, device()).sync();
  auto out = run(std::move(z).partition(shape<2, 16, 16>),
                 from_vector<T>(at, {2, 16, 32}, device()).sync(),
                 from_vector<T>(bt, {2, 32, 16}, device()).sync())
                 .sync();
  const auto c = std::get<0>(std::move(out)).unpartition().to_vector();
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t j = 0; j < 16; ++j) {
        float wanted = 0;
        for (std::size_t k = 0; k < 32; ++k)
          wanted += a[x * 512 + i * 32 + k] * b[x * 512 + k * 16 + j];
        ASSERT_EQ(static_cast<float>(c[x * 256 + i * 16 + j]), wanted)
            << x << ", " << i << ", " << j;
      }
    }
  }
}
TEST(Products, BatchedOfEveryFloat) {
  if (at_least(89)) {
    float_product<f8e4m3, float>();
    float_product<f8e4m3, f16>();
    float_product<f8e5m2, float>();
  }
  float_product<f16, float>();
  float_product<f16, f16>();
  float_product<bf16, float>();
  float_product<tf32, float>();
  float_product<float, float>();
  float_product<double, double>();
}

TEST(Random, PhiloxGivesTheWordsOfItsPaper) {
  // Counters and keys of the reference implementation's known answers, with the key as the seed.
  const auto words = [](auto counter) {
    const auto four = philox(Tile<std::uint64_t>(0), counter);
    return four[0] ^ (four[1] * 3) ^ (four[2] * 5) ^ (four[3] * 7);
  };
  const std::uint32_t w[] = {0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U};
  EXPECT_EQ(apply<std::uint32_t>(words, std::vector<std::uint64_t>{0})[0],
            w[0] ^ w[1] * 3 ^ w[2] * 5 ^ w[3] * 7);
  const auto of_ones = [](auto counter) {
    const auto ones_ = Tile<std::uint64_t>(0xffffffffffffffffU);
    const auto four = philox(ones_, counter, ones_);
    return four[0] ^ (four[1] * 3) ^ (four[2] * 5) ^ (four[3] * 7);
  };
  const std::uint32_t v[] = {0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU};
  EXPECT_EQ(apply<std::uint32_t>(of_ones, std::vector<std::uint64_t>{~std::uint64_t{0}})[0],
            v[0] ^ v[1] * 3 ^ v[2] * 5 ^ v[3] * 7);
  std::vector<std::uint64_t> counters(4096);
  std::iota(counters.begin(), counters.end(), 0);
  const auto u = apply<float>([](auto c) { return uniform(Tile<std::uint64_t>(42), c); }, counters);
  EXPECT_TRUE(std::ranges::all_of(u, [](float x) { return x >= 0 && x < 1; }));
  EXPECT_NEAR(std::accumulate(u.begin(), u.end(), 0.0) / 4096, 0.5, 0.02);
}

TEST(Control, RangesDownwardsAndEarlyReturn) {
  const auto down = [](auto t) {
    auto digits = t * 0;
    for (auto i : range(4, -1, -2)) digits = digits * 10 + i;
    for (auto i : range(-1, 4, -1)) digits = digits * 0 + i; // no rounds
    return digits;
  };
  EXPECT_EQ(apply<std::int32_t>(down, std::vector<std::int32_t>{0})[0], 420);

  static constexpr auto run =
      kernel<"early">([]<int N>(Out<std::int32_t, N> z, In<std::int32_t, dyn> x) {
        const auto t = x.load_like(z);
        z.store(t);
        if_(any(t < 0), [&] { return_(); });
        z.store(t * 2);
      });
  auto z = zeros<std::int32_t>({4}, device()).sync();
  auto x = from_vector<std::int32_t>({1, 2, -3, 4}, {4}, device()).sync();
  auto out = run(std::move(z).partition(shape<2>), std::move(x)).sync();
  EXPECT_THAT(std::get<0>(std::move(out)).unpartition().to_vector(), ElementsAre(2, 4, -3, 4));
}

TEST(Control, PrintsTiles) {
  static constexpr auto run = kernel<"print">([]<int N>(Out<std::int32_t, N> z, In<float, dyn> x,
                                                        Scalar<std::int32_t> n) {
    const auto t = x.tiles(shape<4>).load(0);
    print("n = %d, x = %.2f, whole = %d%%\n", n, t, cast<std::int32_t>(reshape(t, shape<2, 2>)));
    z.store(full<std::int32_t>(shape<N>, n.shape().rank));
  });
  auto z = zeros<std::int32_t>({2}, device()).sync();
  auto x = from_vector<float>({1, 2.5F, -3, 0.125F}, {4}, device()).sync();
  ::testing::internal::CaptureStdout();
  static_cast<void>(run(std::move(z).partition(shape<2>), std::move(x), 7).sync());
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "n = 7, x = [1.00, 2.50, -3.00, 0.12], whole = [[1, 2], [-3, 0]]%\n");
}

} // namespace
} // namespace cutile::test
