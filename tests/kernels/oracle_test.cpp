#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/pictures.hpp"
#include "kernels/rows.hpp"
#include "kernels/test_device.hpp"
#include "kernels/transpose.hpp"

// Every kernel against NumPy: the cases of tests/data/oracles.json.

namespace cutile::test {
namespace {

using Json = nlohmann::json;

std::string path(const Json& file) {
  return std::string(CUTILE_TEST_DATA) + "/oracles/" + file.get<std::string>();
}
template <class T, int Rank> Tensor<T, Rank> load(const Json& file) {
  return load_npy<T, Rank>(path(file), device()).sync();
}
template <class T, int Rank> std::vector<T> values(const Json& file) {
  return load_npy<T, Rank>(path(file), Device::cpu()).sync().to_vector();
}

/// Largest distance allowed between ours and the exact value, in units of the last place of T,
/// beside `absolute`.
template <class T> double ulp(double at) {
  constexpr int mantissa = std::is_same_v<T, f16> ? 10 : std::is_same_v<T, bf16> ? 7 : 23;
  constexpr int least = std::is_same_v<T, f16> ? -14 : -126;
  const int exponent = at == 0 ? least : std::max(least, std::ilogb(at));
  return std::ldexp(1.0, exponent - mantissa);
}

template <class T, class E> void expect_near(const std::vector<T>& ours,
                                             const std::vector<E>& expected, double ulps,
                                             double absolute = 0) {
  ASSERT_EQ(ours.size(), expected.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto x = static_cast<double>(static_cast<float>(ours[i]));
    const auto y = static_cast<double>(static_cast<float>(expected[i]));
    if (std::isnan(y)) {
      ASSERT_TRUE(std::isnan(x)) << "element " << i << " is " << x << ", not NaN";
    } else if (x != y) {
      ASSERT_LE(std::abs(x - y), ulps * ulp<T>(y) + absolute)
          << "element " << i << " is " << x << ", expected " << y;
    }
  }
}

template <class T> void run_add(const Json& c) {
  auto x = load<T, 1>(c["inputs"]["x"]);
  auto y = load<T, 1>(c["inputs"]["y"]);
  auto z = zeros<T>(x.extents(), device()).sync();
  auto [sum, x1, y1] =
      kernels::add(std::move(z).partition(shape<128>), std::move(x), std::move(y)).sync();
  EXPECT_EQ(std::move(sum).unpartition().to_vector(), (values<T, 1>(c["outputs"]["z"])));
}

void run_saxpy(const Json& c) {
  auto x = load<float, 1>(c["inputs"]["x"]);
  auto y = load<float, 1>(c["inputs"]["y"]);
  auto [result, x1] =
      kernels::saxpy(std::move(y).partition(shape<256>), x, c["params"]["alpha"].get<float>())
          .sync();
  // The product may be rounded before the sum, or not: by as much as the product's last place.
  const std::vector<float> expected = values<float, 1>(c["outputs"]["y"]);
  expect_near(std::move(result).unpartition().to_vector(), expected, 1, 1e-6);
}

template <class T> void run_transpose(const Json& c) {
  auto x = load<T, 2>(c["inputs"]["x"]);
  auto y = zeros<T>({x.extent(1), x.extent(0)}, device()).sync();
  auto [result, x1] = kernels::transpose(std::move(y).partition(shape<32, 64>), x).sync();
  EXPECT_EQ(std::move(result).unpartition().to_vector(), (values<T, 2>(c["outputs"]["y"])));
}

/// Calls `f` with the least of these tile widths that holds the row.
template <class F> void with_width(std::int64_t columns, F f) {
  if (columns <= 16) return f(shape<4, 16>);
  if (columns <= 128) return f(shape<4, 128>);
  if (columns <= 256) return f(shape<2, 256>);
  if (columns <= 512) return f(shape<2, 512>);
  ASSERT_LE(columns, 1024);
  f(shape<1, 1024>);
}

/// x - max is rounded once, at up to 2^5: that alone moves exp by 32 last places.
constexpr double softmax_ulps = 40;

template <class T> void run_softmax(const Json& c) {
  auto x = load<T, 2>(c["inputs"]["x"]);
  with_width(x.extent(1), [&](auto tile) {
    auto y = zeros<T>(x.extents(), device()).sync();
    auto [result, x1] = kernels::softmax(std::move(y).partition(tile), x).sync();
    expect_near(std::move(result).unpartition().to_vector(), values<float, 2>(c["outputs"]["y"]),
                std::is_same_v<T, float> ? softmax_ulps : 0.51, 1e-30);
  });
}

template <class T> void run_rms_norm(const Json& c) {
  auto x = load<T, 2>(c["inputs"]["x"]);
  auto w = load<T, 1>(c["inputs"]["w"]);
  with_width(x.extent(1), [&](auto tile) {
    auto y = zeros<T>(x.extents(), device()).sync();
    auto [result, x1, w1] =
        kernels::rms_norm(std::move(y).partition(tile), x, w, c["params"]["epsilon"].get<float>())
            .sync();
    expect_near(std::move(result).unpartition().to_vector(), values<float, 2>(c["outputs"]["y"]),
                std::is_same_v<T, float> ? 16 : 0.51, 1e-30);
  });
}

/// GEMM inputs are stored as f16 or f32 and are exact in every type.
template <class T> Tensor<T, 2> load_operand(const Json& file, bool full) {
  typename Tensor<T, 2>::Extents extents{};
  std::vector<T> out;
  const auto convert = [&](const auto& stored) {
    extents = stored.extents();
    for (const auto v : stored.to_vector())
      out.push_back(detail::to_element<T>(static_cast<float>(v)));
  };
  if (full) {
    convert(load_npy<float, 2>(path(file), Device::cpu()).sync());
  } else {
    convert(load_npy<f16, 2>(path(file), Device::cpu()).sync());
  }
  return from_vector<T>(std::move(out), extents, device()).sync();
}

template <class T> void run_gemm(const Json& c) {
  const bool full = c["name"].get<std::string>().find("full") != std::string::npos;
  auto a = load_operand<T>(c["inputs"]["a"], full);
  auto b = load_operand<T>(c["inputs"]["b"], full);
  const std::vector<float> expected = values<float, 2>(c["outputs"]["c"]);
  double largest = 0;
  for (const float v : expected) largest = std::max(largest, static_cast<double>(std::abs(v)));
  // f32 sums in an order that is not specified: some last places of the largest partial sum.
  const double absolute = largest * std::ldexp(1.0, -20);
  const std::array<std::int64_t, 2> extents{a.extent(0), b.extent(1)};
  {
    auto out = zeros<T>(extents, device()).sync();
    auto [r, a1, b1] =
        kernels::gemm(std::move(out).partition(shape<64, 32>), a, b, constant<64>).sync();
    expect_near(std::move(r).unpartition().to_vector(), expected, 0.51, absolute);
  }
  {
    auto out = zeros<T>(extents, device()).sync();
    auto [r, a1, b1] = kernels::gemm_persistent(mapped(std::move(out).partition(shape<32, 64>), 3),
                                                a, b, constant<32>, constant<2>)
                           .sync();
    expect_near(std::move(r).unpartition().to_vector(), expected, 0.51, absolute);
  }
}

void run_mandelbrot(const Json& c) {
  const Json& p = c["params"];
  auto rounds =
      zeros<std::int32_t>({c["shape"][0].get<std::int64_t>(), c["shape"][1].get<std::int64_t>()},
                          device())
          .sync();
  auto [result] =
      kernels::mandelbrot(std::move(rounds).partition(shape<16, 32>), p["x0"].get<float>(),
                          p["y0"].get<float>(), p["dx"].get<float>(), p["dy"].get<float>(),
                          p["limit"].get<std::int32_t>())
          .sync();
  const auto ours = std::move(result).unpartition().to_vector();
  const auto expected = values<std::int32_t, 2>(c["outputs"].begin().value());
  ASSERT_EQ(ours.size(), expected.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) different += ours[i] != expected[i] ? 1 : 0;
  // A compiler may fuse z^2 + c, and then the pixels that are chaotic differ.
  EXPECT_LE(different, device().is_cuda() ? ours.size() / 50 : 0);
}

template <class T> void run_blur(const Json& c) {
  const auto picture = load_npy<T, 2>(path(c["inputs"]["x"]), Device::cpu()).sync();
  const std::int64_t h = picture.extent(0), w = picture.extent(1);
  const std::vector<T> pixels = picture.to_vector();
  std::vector<T> padded(static_cast<std::size_t>((h + 4) * (w + 4)), T{});
  for (std::int64_t i = 0; i < h; ++i) {
    for (std::int64_t j = 0; j < w; ++j) {
      padded[static_cast<std::size_t>((i + 2) * (w + 4) + j + 2)] =
          pixels[static_cast<std::size_t>(i * w + j)];
    }
  }
  auto x = from_vector<T>(std::move(padded), {h + 4, w + 4}, device()).sync();
  auto y = zeros<T>({h, w}, device()).sync();
  auto [result, x1] = kernels::blur(std::move(y).partition(shape<16, 64>), x).sync();
  const auto ours = std::move(result).unpartition().to_vector();
  if constexpr (std::is_same_v<T, float>) {
    expect_near(ours, values<float, 2>(c["outputs"]["y"]), 8, 1e-6);
  } else {
    EXPECT_EQ(ours, (values<T, 2>(c["outputs"]["y"])));
  }
}

void run(const Json& c) {
  const auto kernel = c["kernel"].get<std::string>(), dtype = c["dtype"].get<std::string>();
  const auto with_float = [&](auto f) {
    if (dtype == "f32") return f(float{});
    if (dtype == "f16") return f(f16{});
    ASSERT_EQ(dtype, "bf16");
    f(bf16{});
  };
  if (kernel == "add" && dtype == "i32") return run_add<std::int32_t>(c);
  if (kernel == "add") return with_float([&]<class T>(T) { run_add<T>(c); });
  if (kernel == "saxpy") return run_saxpy(c);
  if (kernel == "transpose") return with_float([&]<class T>(T) { run_transpose<T>(c); });
  if (kernel == "softmax") return with_float([&]<class T>(T) { run_softmax<T>(c); });
  if (kernel == "rms_norm") return with_float([&]<class T>(T) { run_rms_norm<T>(c); });
  if (kernel == "gemm") return with_float([&]<class T>(T) { run_gemm<T>(c); });
  if (kernel == "mandelbrot") return run_mandelbrot(c);
  if (kernel == "blur" && dtype == "u8") return run_blur<std::uint8_t>(c);
  if (kernel == "blur") return run_blur<float>(c);
  FAIL() << "no test for kernel " << kernel;
}

std::vector<Json> cases() {
  std::ifstream in(std::string(CUTILE_TEST_DATA) + "/oracles.json");
  return Json::parse(in).get<std::vector<Json>>();
}

class Oracle : public testing::TestWithParam<Json> {};

TEST_P(Oracle, AgreesWithNumPy) { run(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Kernels, Oracle, testing::ValuesIn(cases()), [](const auto& info) {
  return info.param["name"].template get<std::string>();
});

} // namespace
} // namespace cutile::test

namespace nlohmann {
void PrintTo(const json& c, std::ostream* out) { *out << c["name"].get<std::string>(); }
} // namespace nlohmann
