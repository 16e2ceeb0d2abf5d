#include <array>
#include <chrono>

#include "bench/report.hpp"
#include "bytecode/writer.hpp"
#include "checks/bounds.hpp"
#include "kernels/gemm.hpp"
#include "support/process.hpp"
#include "trace/trace.hpp"

// What a cold kernel costs before the compiler: trace, verifier, checks, bytecode.

namespace cutile::bench {
namespace {

template <class T, int BM, int BN, int BK> void front_end() {
  using trace::ArgKind;
  const trace::Specialisation facts{
      .aligned16 = 1, .wide = 0, .extents_div16 = 3, .strides_div16 = 1, .unit_strides = 2};
  const std::array<trace::ArgSpec, 3> specs{
      {{.kind = ArgKind::out, .dtype = dtype_of<T>, .rank = 2, .tile = {BM, BN}, .facts = facts},
       {.kind = ArgKind::in, .dtype = dtype_of<T>, .rank = 2, .tile = {}, .facts = facts},
       {.kind = ArgKind::in, .dtype = dtype_of<T>, .rank = 2, .tile = {}, .facts = facts}}};
  trace::Trace t("gemm", SourceLoc::current(), specs, {});
  detail::trace_body(kernels::gemm, Out<T, BM, BN>(t.tensor(0)), In<T, dyn, dyn>(t.tensor(1)),
                     In<T, dyn, dyn>(t.tensor(2)), constant<BK>);
  trace::TracedKernel kernel = t.finish().value();
  checks::place_bounds_checks(kernel);
  bytecode::write(kernel.module, ir::V13_3).value();
}

} // namespace

/// Seconds that the host compiler takes for the quick start at -O2.
double compile_quick_start() {
  const auto start = std::chrono::steady_clock::now();
  const std::string root = std::string(CUTILE_BENCH_FOLDER) + "/..";
  const auto run = support::run_process("/usr/bin/g++",
                                        {"-std=c++20", "-O2", "-I" + root + "/include", "-c",
                                         root + "/examples/quick_start.cpp", "-o", "/dev/null"},
                                        std::chrono::minutes(1));
  if (!run.value().good())
    throw DeviceError("bench: the quick start does not compile: " + run->output);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void bench_front_end(Report& report) {
  report.add({.name = "g++ -O2, quick start",
              .shape = "1 file",
              .dtype = "-",
              .unit = "s",
              .ours = paired_seconds(5, {compile_quick_start}).front(),
              .lower_is_better = true,
              .config = "g++ " __VERSION__ ", one core"});
  const double seconds = paired(200, {[] { front_end<bf16, 128, 256, 32>(); }}).front();
  // cuTile Rust 0.3.0's front end takes 22 ms at best for its GEMM (its own report), 73 ms on an
  // H200's host.
  report.add({.name = "front end, GEMM",
              .shape = "128x256x32",
              .dtype = "bf16",
              .unit = "ms",
              .ours = seconds * 1e3,
              .peers = {{"cuTile Rust, published", 22}},
              .lower_is_better = true,
              .config = "trace + verify + checks + bytecode 13.3"});
}

} // namespace cutile::bench
