#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cutile::bench {

/// One line of a results file.
struct Record {
  std::string name, shape, dtype,
      unit; ///< unit of `ours` and of the peers: "GB/s", "TFLOP/s", "ms", "us"
  double ours = 0;
  std::map<std::string, double> peers{};
  bool lower_is_better = false;
  std::string config{}; ///< tile shape and options
};

/// Where records go: a table on the screen, and JSON lines where a path was given.
class Report {
 public:
  Report(std::string path, std::string machine, std::string commit);
  void add(const Record& record);

 private:
  std::string path_, machine_, commit_, versions_;
};

/// Medians of the seconds that each function takes, measured turn by turn so that drift of the
/// machine hits all alike.
[[nodiscard]] std::vector<double> paired(int rounds,
                                         const std::vector<std::function<void()>>& functions);
/// The same where each function returns its own seconds.
[[nodiscard]] std::vector<double>
paired_seconds(int rounds, const std::vector<std::function<double()>>& functions);

void bench_front_end(Report& report);
void bench_cpu(Report& report, const std::string& python);
void bench_gpu(Report& report);
/// Launches the kernels of bench_gpu on the CPU, so that CUTILE_BUNDLE_RECORD compiles them.
void record_gpu();

} // namespace cutile::bench
