#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "bench/report.hpp"

// cutile_bench front cpu gpu: measures ours and the peers in one run, turn by turn, and prints
// ratios.

int main(int argc, char** argv) try {
  CLI::App app("cutile benchmarks");
  std::vector<std::string> parts{"front", "cpu"};
  std::string output, machine = "unknown", commit = "unknown", python;
  app.add_option("parts", parts,
                 "front, cpu, gpu; record: compile the GPU part's kernels (CUTILE_BUNDLE_RECORD)");
  app.add_option("-o,--output", output, "append JSON lines to this file");
  app.add_option("--machine", machine, "name of the machine, for the records");
  app.add_option("--commit", commit, "commit, for the records");
  app.add_option("--python", python, "a Python with NumPy, for the NumPy peers");
  CLI11_PARSE(app, argc, argv);
  cutile::bench::Report report(output, machine, commit);
  for (const std::string& part : parts) {
    if (part == "front") {
      cutile::bench::bench_front_end(report);
    } else if (part == "cpu") {
      cutile::bench::bench_cpu(report, python);
    } else if (part == "gpu") {
      cutile::bench::bench_gpu(report);
    } else if (part == "record") {
      cutile::bench::record_gpu();
    } else {
      fmt::print(stderr, "cutile_bench: no part '{}'; there are front, cpu, gpu and record\n",
                 part);
      return 2;
    }
  }
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "cutile_bench: {}\n", e.what());
  return 1;
}
