#include "bench/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "compiler/compiler.hpp"
#include "cuda/driver.hpp"

namespace cutile::bench {

Report::Report(std::string path, std::string machine, std::string commit)
    : path_(std::move(path)), machine_(std::move(machine)), commit_(std::move(commit)) {
  versions_ =
      fmt::format("cutile 0.1.0, {} {}", __VERSION__[0] == 'C' ? "clang" : "g++", __VERSION__);
  if (const auto tool = compiler::find_tool()) versions_ += ", tileiras " + tool->version;
  if (const auto driver = cuda::driver())
    versions_ += fmt::format(", CUDA driver {}", driver->version);
}

void Report::add(const Record& r) {
  double best = 0;
  for (const auto& [peer, figure] : r.peers) {
    best = best == 0 ? figure : r.lower_is_better ? std::min(best, figure) : std::max(best, figure);
  }
  // Above 1 is better than the best peer; nothing without one.
  const double ratio = r.lower_is_better ? best / r.ours : r.ours / best;
  fmt::print("{:<28} {:<20} {:<5} {:>10.3f} {:<8}", r.name, r.shape, r.dtype, r.ours, r.unit);
  for (const auto& [peer, figure] : r.peers) fmt::print("  {} {:.3f}", peer, figure);
  if (best != 0) fmt::print("  ratio {:.3f}", ratio);
  fmt::print("  [{}]\n", r.config);
  std::fflush(stdout);
  if (path_.empty()) return;
  const nlohmann::ordered_json line{
      {"name", r.name},
      {"shape", r.shape},
      {"dtype", r.dtype},
      {"unit", r.unit},
      {"ours", r.ours},
      {"peers", r.peers},
      {"ratio", best == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(ratio)},
      {"config", r.config},
      {"machine", machine_},
      {"versions", versions_},
      {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::to_time_t(
                                              std::chrono::system_clock::now())))},
      {"commit", commit_}};
  std::ofstream(path_, std::ios::app) << line.dump() << '\n';
}

std::vector<double> paired_seconds(int rounds,
                                   const std::vector<std::function<double()>>& functions) {
  std::vector<std::vector<double>> seconds(functions.size());
  for (int round = -1; round < rounds; ++round) { // round -1 warms up
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const double s = functions[f]();
      if (round >= 0) seconds[f].push_back(s);
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& s : seconds) {
    std::nth_element(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(s.size() / 2), s.end());
    medians.push_back(s[s.size() / 2]);
  }
  return medians;
}

std::vector<double> paired(int rounds, const std::vector<std::function<void()>>& functions) {
  std::vector<std::function<double()>> timed;
  for (const auto& function : functions) {
    timed.emplace_back([&function] {
      const auto start = std::chrono::steady_clock::now();
      function();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  }
  return paired_seconds(rounds, timed);
}

} // namespace cutile::bench
