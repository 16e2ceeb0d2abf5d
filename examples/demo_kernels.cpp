#include <fmt/format.h>

#include <cmath>
#include <random>

#include "demo.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/rows.hpp"
#include "kernels/transpose.hpp"

namespace examples {
namespace {

using namespace cutile;

std::string oracle(const char* name) { return std::string(CUTILE_ORACLES) + "/" + name; }

template <class T, int Rank> std::vector<float> floats(const Tensor<T, Rank>& t) {
  std::vector<float> out;
  for (const T v : t.to_vector()) out.push_back(static_cast<float>(v));
  return out;
}

bool near(const std::vector<float>& ours, const std::vector<float>& expected, float relative) {
  if (ours.size() != expected.size()) return false;
  float largest = 0;
  for (const float v : expected) largest = std::max(largest, std::abs(v));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (std::abs(ours[i] - expected[i]) > relative * largest) return false;
  }
  return true;
}

template <class T>
Tensor<T, 2> random_matrix(std::int64_t rows, std::int64_t columns, Device device) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(rows * columns));
  for (T& v : values) v = cutile::detail::to_element<T>(uniform(generator));
  return from_vector<T>(std::move(values), {rows, columns}, device).sync();
}

// Each function first compares a result with NumPy's, on arrays that NumPy wrote, and then times a
// larger size.

void add_and_saxpy(Demo& demo) {
  const Device device = demo.device;
  auto x = load_npy<float, 1>(oracle("x_f32_4099.npy"), device).sync();
  auto y = load_npy<float, 1>(oracle("y_f32_4099.npy"), device).sync();
  auto z = zeros<float>(x.extents(), device).sync();
  auto [sum, x1, y1] = kernels::add(std::move(z).partition(shape<512>), x, y).sync();
  const auto expected =
      load_npy<float, 1>(oracle("add_f32_4099.npy"), Device::cpu()).sync().to_vector();
  Demo::require(std::move(sum).unpartition().to_vector() == expected, "add");

  const std::int64_t n = demo.quick ? 1 << 16 : device.is_cuda() ? 1 << 28 : 1 << 26;
  auto a = full<float>({n}, 1.5F, device).sync();
  auto b = full<float>({n}, 2.25F, device).sync();
  auto c = zeros<float>({n}, device).sync();
  // Small tiles and many blocks for a GPU; the CPU runs a block as a loop, the longer the better.
  const auto for_gpu = [&] {
    static_cast<void>(
        kernels::add.with({.occupancy = 16})(c.borrow_mut().partition(shape<512>), a, b).sync());
  };
  const auto for_cpu = [&] {
    static_cast<void>(kernels::add(c.borrow_mut().partition(shape<8192>), a, b).sync());
  };
  for_gpu();
  Demo::require(c.to_vector()[static_cast<std::size_t>(n - 1)] == 3.75F, "add");
  const double add_seconds = device.is_cuda() ? demo.time(for_gpu) : demo.time(for_cpu);
  demo.rows.push_back({"add", fmt::format("{}", n), "f32", add_seconds,
                       12.0 * static_cast<double>(n), "GB/s", "NumPy, every bit"});
  const double saxpy_seconds = demo.time([&] {
    static_cast<void>(kernels::saxpy(c.borrow_mut().partition(shape<4096>), a, 0.0F).sync());
  });
  Demo::require(c.to_vector()[static_cast<std::size_t>(n - 1)] == 3.75F, "saxpy");
  demo.rows.push_back({"saxpy", fmt::format("{}", n), "f32", saxpy_seconds,
                       12.0 * static_cast<double>(n), "GB/s", "closed form"});
}

void transpose(Demo& demo) {
  auto x = load_npy<float, 2>(oracle("x_f32_127x129.npy"), demo.device).sync();
  auto y = zeros<float>({129, 127}, demo.device).sync();
  auto [t, x1] = kernels::transpose(std::move(y).partition(shape<32, 32>), x).sync();
  Demo::require(
      std::move(t).unpartition().to_vector() ==
          load_npy<float, 2>(oracle("transpose_f32_127x129.npy"), Device::cpu()).sync().to_vector(),
      "transpose");
  const std::int64_t n = demo.quick ? 300 : demo.device.is_cuda() ? 16000 : 4000;
  auto a = random_matrix<float>(n, n, demo.device);
  auto b = zeros<float>({n, n}, demo.device).sync();
  const double seconds = demo.time([&] {
    static_cast<void>(kernels::transpose(b.borrow_mut().partition(shape<64, 64>), a).sync());
  });
  demo.rows.push_back({"transpose", fmt::format("{0}x{0}", n), "f32", seconds,
                       8.0 * static_cast<double>(n * n), "GB/s", "NumPy, every bit"});
}

void softmax(Demo& demo) {
  auto x = load_npy<float, 2>(oracle("x_f32_70x1000.npy"), demo.device).sync();
  auto y = zeros<float>(x.extents(), demo.device).sync();
  auto [s, x1] = kernels::softmax(std::move(y).partition(shape<1, 1024>), x).sync();
  Demo::require(
      near(std::move(s).unpartition().to_vector(),
           load_npy<float, 2>(oracle("softmax_f32_70x1000.npy"), Device::cpu()).sync().to_vector(),
           1e-5F),
      "softmax");
  const std::int64_t rows = demo.quick ? 50 : demo.device.is_cuda() ? 65536 : 4096;
  auto a = random_matrix<float>(rows, 1000, demo.device);
  auto b = zeros<float>({rows, 1000}, demo.device).sync();
  const double seconds = demo.time([&] {
    static_cast<void>(kernels::softmax(b.borrow_mut().partition(shape<1, 1024>), a).sync());
  });
  demo.rows.push_back({"softmax", fmt::format("{}x1000", rows), "f32", seconds,
                       8e3 * static_cast<double>(rows), "GB/s", "NumPy"});
}

void rms_norm(Demo& demo) {
  auto x = load_npy<bf16, 2>(oracle("x_bf16_127x129.npy"), demo.device).sync();
  auto w = load_npy<bf16, 1>(oracle("w_bf16_127x129.npy"), demo.device).sync();
  auto y = zeros<bf16>(x.extents(), demo.device).sync();
  auto [r, x1, w1] = kernels::rms_norm(std::move(y).partition(shape<1, 256>), x, w, 1e-5F).sync();
  Demo::require(
      near(
          floats(std::move(r).unpartition()),
          load_npy<float, 2>(oracle("rms_norm_bf16_127x129.npy"), Device::cpu()).sync().to_vector(),
          4e-3F),
      "rms_norm");
  const std::int64_t rows = demo.quick ? 20 : demo.device.is_cuda() ? 16384 : 2048;
  auto a = random_matrix<bf16>(rows, 4096, demo.device);
  auto b = zeros<bf16>({rows, 4096}, demo.device).sync();
  auto v = ones<bf16>({4096}, demo.device).sync();
  const double seconds = demo.time([&] {
    static_cast<void>(
        kernels::rms_norm
            .with({.occupancy = 4})(b.borrow_mut().partition(shape<1, 4096>), a, v, 1e-5F)
            .sync());
  });
  demo.rows.push_back({"RMSNorm", fmt::format("{}x4096", rows), "bf16", seconds,
                       4.0 * 4096 * static_cast<double>(rows), "GB/s", "NumPy"});
}

template <class T> void gemm(Demo& demo, const char* type) {
  const auto operand = [&](const char* name) { // stored as f16, exact in each type
    const auto stored = load_npy<f16, 2>(oracle(name), Device::cpu()).sync();
    std::vector<T> values;
    for (const f16 v : stored.to_vector())
      values.push_back(cutile::detail::to_element<T>(static_cast<float>(v)));
    return from_vector<T>(std::move(values), stored.extents(), demo.device).sync();
  };
  auto a = operand("a_200x72x130.npy"), b = operand("b_200x72x130.npy");
  const auto expected =
      load_npy<float, 2>(oracle("gemm_200x72x130.npy"), Device::cpu()).sync().to_vector();
  auto c = zeros<T>({200, 72}, demo.device).sync();
  auto [product, a1, b1] =
      kernels::gemm(std::move(c).partition(shape<64, 64>), a, b, constant<64>).sync();
  Demo::require(near(floats(std::move(product).unpartition()), expected, 4e-3F), "gemm");
  auto d = zeros<T>({200, 72}, demo.device).sync();
  auto [walked, a2, b2] = kernels::gemm_persistent(mapped(std::move(d).partition(shape<64, 64>)), a,
                                                   b, constant<64>, constant<8>)
                              .sync();
  Demo::require(near(floats(std::move(walked).unpartition()), expected, 4e-3F), "persistent gemm");

  const bool matrix_unit = demo.device.is_cuda() && !std::is_same_v<T, float>;
  const std::int64_t n = demo.quick              ? 192
                         : matrix_unit           ? 8192
                         : demo.device.is_cuda() ? 4096
                                                 : 1024;
  auto x = random_matrix<T>(n, n, demo.device);
  auto y = random_matrix<T>(n, n, demo.device);
  auto z = zeros<T>({n, n}, demo.device).sync();
  const double flop =
      2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  const std::string size = fmt::format("{0}x{0}x{0}", n);
  const auto row = [&](const char* name, double seconds) {
    demo.rows.push_back({name, size, type, seconds, flop, "GFLOP/s", "NumPy"});
  };
  if constexpr (std::is_same_v<T, float>) {
    row("GEMM", demo.time([&] {
      static_cast<void>(
          kernels::gemm(z.borrow_mut().partition(shape<64, 64>), x, y, constant<32>).sync());
    }));
  } else {
    row("GEMM", demo.time([&] {
      static_cast<void>(
          kernels::gemm(z.borrow_mut().partition(shape<128, 128>), x, y, constant<64>).sync());
    }));
    row("GEMM, persistent", demo.time([&] {
      auto [back, x1, y1] =
          kernels::gemm_persistent
              .with({.occupancy = 1, .worker_warps = 8})(
                  mapped(std::move(z).partition(shape<128, 256>)), x, y, constant<32>, constant<8>)
              .sync();
      z = std::move(back).unpartition();
    }));
  }
}

} // namespace

void run_kernels(Demo& demo) {
  add_and_saxpy(demo);
  transpose(demo);
  softmax(demo);
  rms_norm(demo);
  gemm<float>(demo, "f32");
  gemm<f16>(demo, "f16");
  gemm<bf16>(demo, "bf16");
}

} // namespace examples
