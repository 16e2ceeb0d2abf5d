#include "kernels/apply.hpp"

// Functions of floats beside those of the C library in double, on every device.

namespace cutile::test {
namespace {

/// `f` of T on all numbers, within `limit` units of `reference`.
template <class T, class F, class Reference> void near(F f, Reference reference, double limit) {
  const std::vector<T> x = numbers<T>();
  const std::vector<T> y = apply<T>(f, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double wanted = reference(static_cast<double>(x[i]));
    EXPECT_LE(ulps(y[i], wanted), limit) << "of " << x[i] << ": " << y[i] << ", not " << wanted;
  }
}
#define NEAR(function, reference, limit)                                                           \
  near<float>([](auto x) { return function; }, [](double x) -> double { return reference; },       \
              limit);                                                                              \
  near<double>([](auto x) { return function; }, [](double x) -> double { return reference; }, limit)

TEST(Math, OperationsOfTheIr) {
  NEAR(abs(x), std::abs(x), 0);
  NEAR(floor(x), std::floor(x), 0);
  NEAR(ceil(x), std::ceil(x), 0);
  NEAR(-x, -x, 0);
  NEAR(sqrt(x), std::sqrt(x), 0.5);
  NEAR(exp(x), std::exp(x), 2);
  NEAR(exp2(x), std::exp2(x), 2);
  NEAR(log(x), std::log(x), 2);
  NEAR(log2(x), std::log2(x), 2);
  NEAR(tanh(x), std::tanh(x), 4);
}

TEST(Math, Rounding) {
  NEAR(round(x), std::nearbyint(x), 0);
  NEAR(trunc(x), std::trunc(x), 0);
  // The signs of zeros, which compare equal, are right too.
  const std::vector<float> x{-0.3F, 0.3F, -0.0F, 0.0F, -0.5F, 0.5F};
  const std::vector<float> y = apply<float>([](auto v) { return round(v); }, x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(std::signbit(y[i]), std::signbit(x[i])) << x[i];
}

TEST(Math, SignAndClasses) {
  NEAR(sign(x), std::isnan(x) ? x : (x > 0) - (x < 0), 0);
  NEAR(cast<typename decltype(x)::value_type>(isnan(x)), std::isnan(x), 0);
  NEAR(cast<typename decltype(x)::value_type>(isinf(x)), std::isinf(x), 0);
  NEAR(cast<typename decltype(x)::value_type>(isfinite(x)), std::isfinite(x), 0);
  NEAR(clamp(x, -1, 2), std::isnan(x) ? x : std::min(std::max(x, -1.0), 2.0), 0);
}

TEST(Math, FunctionsMadeOfSeveral) {
  NEAR(log1p(x), std::log1p(x), 4);
  NEAR(expm1(x), std::expm1(x), 6);
  NEAR(erf(x), std::erf(x), 4);
  NEAR(sigmoid(x), 1 / (1 + std::exp(-x)), 4);
  NEAR(softplus(x), std::isnan(x) ? x : std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))), 6);
}

/// Of functions that cancel, the error is relative to the argument.
template <class T, class F, class Reference> void close(F f, Reference reference, double relative) {
  const std::vector<T> x = numbers<T>();
  const std::vector<T> y = apply<T>(f, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = static_cast<double>(x[i]);
    if (!std::isfinite(v) || std::abs(v) > 1e30) continue;
    EXPECT_NEAR(static_cast<double>(y[i]), reference(v), relative * std::abs(v)) << v;
  }
}
TEST(Math, Activations) {
  const auto silu_of = [](double x) { return x / (1 + std::exp(-x)); };
  const auto gelu_of = [](double x) { return x / 2 * (1 + std::erf(x * std::sqrt(0.5))); };
  const auto tanh_of = [](double x) {
    return x / 2 *
           (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
  };
  close<float>([](auto x) { return silu(x); }, silu_of, 5e-7);
  close<float>([](auto x) { return gelu(x); }, gelu_of, 5e-7);
  close<float>([](auto x) { return gelu_tanh(x); }, tanh_of, 5e-7);
  close<double>([](auto x) { return silu(x); }, silu_of, 1e-15);
  close<double>([](auto x) { return gelu(x); }, gelu_of, 1e-15);
  close<double>([](auto x) { return gelu_tanh(x); }, tanh_of, 1e-15);
}

TEST(Math, SixteenBitsAreRoundedOnce) {
  std::vector<f16> x;
  for (int i = -64; i < 64; ++i) x.push_back(f16(static_cast<float>(i) / 16));
  const auto check = [&](auto f, auto reference) {
    const auto y = apply<f16>(f, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const f16 wanted(
          static_cast<float>(reference(static_cast<double>(static_cast<float>(x[i])))));
      // The last place may differ where the float result lies next to a tie.
      EXPECT_LE(std::abs(static_cast<int>(y[i].bits) - static_cast<int>(wanted.bits)), 1)
          << static_cast<float>(x[i]);
    }
  };
  check([](auto v) { return erf(v); }, [](double v) { return std::erf(v); });
  check([](auto v) { return expm1(v); }, [](double v) { return std::expm1(v); });
  check([](auto v) { return sigmoid(v); }, [](double v) { return 1 / (1 + std::exp(-v)); });
}

TEST(Options, DirectedRounding) {
  const std::vector<float> a{1, 1, -1, -1, 1}, b{0x1p-30F, -0x1p-30F, 0x1p-30F, -0x1p-30F, 3};
  const float below = std::nextafter(1.0F, 0.0F), above = std::nextafter(1.0F, 2.0F);
  const auto sum = [&](auto f) {
    auto out = apply<float>(f, a, b);
    out.resize(4);
    return out;
  };
  using V = std::vector<float>;
  EXPECT_EQ(sum([](auto x, auto y) { return x + y; }), (V{1, 1, -1, -1}));
  EXPECT_EQ(sum([](auto x, auto y) { return add(x, y, {.rounding = Rounding::zero}); }),
            (V{1, below, -below, -1}));
  EXPECT_EQ(sum([](auto x, auto y) { return add(x, y, {.rounding = Rounding::positive_inf}); }),
            (V{above, 1, -below, -1}));
  EXPECT_EQ(sum([](auto x, auto y) { return add(x, y, {.rounding = Rounding::negative_inf}); }),
            (V{1, below, -1, -above}));
  EXPECT_EQ(
      apply<float>([](auto x, auto y) { return div(x, y, {.rounding = Rounding::zero}); }, a, b)[4],
      std::nextafter(1.0F / 3.0F, 0.0F));
  EXPECT_EQ(
      apply<float>([](auto x, auto y) { return div(x, y, {.rounding = Rounding::positive_inf}); },
                   a, b)[4],
      1.0F / 3.0F);
  EXPECT_EQ(apply<float>([](auto x) { return sqrt(x, {.rounding = Rounding::zero}); },
                         std::vector<float>{2, 10})[1],
            std::nextafter(std::sqrt(10.0F), 0.0F));
}

TEST(Options, FlushToZeroAndNan) {
  const float tiny = 0x1p-130F, nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> a{tiny, -tiny, 1, nan}, b{0, 0, nan, 2};
  const auto flushed =
      apply<float>([](auto x, auto y) { return add(x, y, {.flush_to_zero = true}); }, a, b);
  EXPECT_EQ(flushed[0], 0.0F);
  EXPECT_EQ(apply<float>([](auto x, auto y) { return x + y; }, a, b)[0], tiny);
  const auto largest = apply<float>([](auto x, auto y) { return max(x, y); }, a, b);
  EXPECT_EQ(largest[2], 1.0F);
  EXPECT_EQ(largest[3], 2.0F);
  const auto propagated =
      apply<float>([](auto x, auto y) { return max(x, y, {.propagate_nan = true}); }, a, b);
  EXPECT_TRUE(std::isnan(propagated[2]));
  EXPECT_TRUE(std::isnan(propagated[3]));
}

} // namespace
} // namespace cutile::test
