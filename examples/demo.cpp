#include "demo.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

// Runs every kernel on real input, checks the results and prints a table; on each device there is,
// or the one asked for.

namespace examples {

double Demo::time(const std::function<void()>& run) const {
  run(); // compiles and warms up
  std::vector<double> seconds;
  for (int i = 0; i < (quick ? 1 : 7); ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(seconds.begin(),
                   seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2),
                   seconds.end());
  return seconds[seconds.size() / 2];
}

void Demo::require(bool good, const std::string& what) {
  if (!good)
    throw cutile::InternalError("demo: the result of " + what + " is wrong; please report it");
}

namespace {

void print(const Demo& demo) {
  fmt::print("\n{}: {}\n", demo.device.name(), demo.device.description());
  fmt::print("{:<16} {:<18} {:<5} {:>10} {:>16}   {}\n", "kernel", "shape", "type", "time", "rate",
             "checked against");
  for (const Row& r : demo.rows) {
    const std::string rate =
        r.amount == 0 ? "" : fmt::format("{:.1f} {}", r.amount / r.seconds / 1e9, r.unit);
    fmt::print("{:<16} {:<18} {:<5} {:>7.3f} ms {:>16}   {}\n", r.kernel, r.shape, r.type,
               r.seconds * 1e3, rate, r.checked);
  }
  std::fflush(stdout);
}

void run(cutile::Device device, bool quick, const std::string& output) {
  Demo demo{.device = device, .quick = quick, .output = output, .rows = {}};
  run_kernels(demo);
  run_pictures(demo);
  print(demo);
}

} // namespace
} // namespace examples

int main(int argc, char** argv) try {
  CLI::App app("cutile demo: every kernel on real input, checked and timed");
  bool quick = false;
  std::string output = ".";
  app.add_flag("--quick", quick, "small sizes, one run each");
  app.add_option("--output", output, "folder for the pictures");
  CLI11_PARSE(app, argc, argv);
  const auto chosen = cutile::Device::default_device();
  if (chosen.is_cuda()) examples::run(chosen, quick, output);
  if (!chosen.is_cuda() || std::getenv("CUTILE_DEVICE") == nullptr)
    examples::run(cutile::Device::cpu(), quick, output);
  fmt::print("\npictures: {0}/julia.png, {0}/blurred.png\n", output);
} catch (const std::exception& e) {
  fmt::print(stderr, "demo: {}\n", e.what());
  return 1;
}
