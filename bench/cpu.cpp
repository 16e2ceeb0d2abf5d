#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "bench/cpu_peers.hpp"
#include "bench/report.hpp"
#include "cpu/program.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/rows.hpp"

namespace cutile::bench {
namespace {

std::vector<float> random(std::size_t n) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> out(n);
  for (float& v : out) v = uniform(generator);
  return out;
}

void add(Report& report, int threads) {
  constexpr std::int64_t n = std::int64_t{1} << 26;
  constexpr int tile = 8192;
  const std::vector<float> x = random(n), y = random(n);
  std::vector<float> z(n);
  auto a = from_vector<float>(x, Device::cpu()).sync();
  auto b = from_vector<float>(y, Device::cpu()).sync();
  auto c = zeros<float>({n}, Device::cpu()).sync();
  const auto seconds = paired(
      15,
      {[&] { static_cast<void>(kernels::add(c.borrow_mut().partition(shape<tile>), a, b).sync()); },
       [&] { peer_add(x.data(), y.data(), z.data(), n, threads); }});
  if (c.to_vector() != z) throw InternalError("bench: add is wrong");
  constexpr double gigabytes = 12.0 * n / 1e9;
  report.add({.name = "add, CPU",
              .shape = "2^26",
              .dtype = "f32",
              .unit = "GB/s",
              .ours = gigabytes / seconds[0],
              .peers = {{"C++ loop -O3", gigabytes / seconds[1]}},
              .config = fmt::format("tile {}, {} threads", tile, threads)});
}

void gemm(Report& report, int threads) {
  constexpr int n = 1024;
  const std::vector<float> x = random(n * n), y = random(n * n);
  std::vector<float> z(n * n);
  auto a = from_vector<float>(x, {n, n}, Device::cpu()).sync();
  auto b = from_vector<float>(y, {n, n}, Device::cpu()).sync();
  auto c = zeros<float>({n, n}, Device::cpu()).sync();
  const auto seconds = paired(
      15,
      {[&] {
         static_cast<void>(
             kernels::gemm(c.borrow_mut().partition(shape<256, 256>), a, b, constant<256>).sync());
       },
       [&] { peer_gemm(x.data(), y.data(), z.data(), n, threads); }});
  const std::vector<float> ours = c.to_vector();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (std::abs(ours[i] - z[i]) > 1e-3F) throw InternalError("bench: gemm is wrong");
  }
  constexpr double gigaflop = 2.0 * n * n * n / 1e9;
  report.add({.name = "GEMM, CPU",
              .shape = "1024x1024x1024",
              .dtype = "f32",
              .unit = "GFLOP/s",
              .ours = gigaflop / seconds[0],
              .peers = {{"Eigen", gigaflop / seconds[1]}},
              .config = fmt::format("256x256x256, {} threads", threads)});
}

double numpy_softmax(const std::string& python, int rows, int columns) {
  const std::string script = std::string(CUTILE_BENCH_FOLDER) + "/softmax_numpy.py";
  const std::string command = fmt::format("'{}' '{}' {} {} 7", python, script, rows, columns);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw DeviceError("bench: cannot run " + command);
  double seconds = 0;
  const int read = std::fscanf(pipe, "%lf", &seconds);
  if (pclose(pipe) != 0 || read != 1) throw DeviceError("bench: no figure from " + command);
  return seconds;
}

void softmax(Report& report, int threads, const std::string& python) {
  constexpr int rows = 4096, columns = 1000;
  auto x = from_vector<float>(random(std::size_t{rows} * columns), {rows, columns}, Device::cpu())
               .sync();
  auto y = zeros<float>({rows, columns}, Device::cpu()).sync();
  const auto ours = [&] {
    return paired(7, {[&] {
                    static_cast<void>(
                        kernels::softmax(y.borrow_mut().partition(shape<1, 1024>), x).sync());
                  }})
        .front();
  };
  const auto seconds =
      paired_seconds(5, {ours, [&] { return numpy_softmax(python, rows, columns); }});
  report.add({.name = "row softmax, CPU",
              .shape = fmt::format("{}x{}", rows, columns),
              .dtype = "f32",
              .unit = "ms",
              .ours = seconds[0] * 1e3,
              .peers = {{"NumPy", seconds[1] * 1e3}},
              .lower_is_better = true,
              .config = fmt::format("tile 1x1024, {} threads; NumPy as it is", threads)});
}

} // namespace

void bench_cpu(Report& report, const std::string& python) {
  const int threads = cpu::default_threads();
  add(report, threads);
  gemm(report, threads);
  if (python.empty()) {
    fmt::print(
        "row softmax, CPU: give --python PYTHON (with NumPy) to measure it beside its peer\n");
  } else {
    softmax(report, threads, python);
  }
}

} // namespace cutile::bench
