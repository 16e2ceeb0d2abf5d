#include <gtest/gtest.h>

#include "bytecode/tool.hpp"
#include "bytecode/writer.hpp"
#include "compiler/compiler.hpp"
#include "ir/text.hpp"
#include "trace/trace_kernel.hpp"

// The ready kernels through every stage: NVIDIA's disassembler reads each version of their bytecode
// as we print them, and its compiler takes them for every generation of GPU.

namespace cutile::test {
namespace {

struct Ready {
  const char* name;
  trace::TracedKernel (*trace)();
  ir::Version since; ///< first version that has what the kernel uses
  friend void PrintTo(const Ready& r, std::ostream* out) { *out << r.name; }
};

using Bytes = Out<std::uint8_t, 16, 64>;
using Number = Tile<float>;

/// Traces `k` on parameters K..., followed by the constants of `rest`.
#define TRACED(k, types, ...)                                                                      \
  [] {                                                                                             \
    return trace_with<CUTILE_TYPES types>(                                                         \
               [](auto... p) { detail::trace_body(k, p... __VA_OPT__(, ) __VA_ARGS__); },          \
               "kernel")                                                                           \
        .value();                                                                                  \
  }
#define CUTILE_TYPES(...) __VA_ARGS__

const Ready all[] = {
    {"add", TRACED(kernels::add, (Out<float, 512>, In<float, dyn>, In<float, dyn>)), ir::V13_1},
    {"saxpy", TRACED(kernels::saxpy, (Out<double, 64>, In<double, dyn>, Tile<double>)), ir::V13_1},
    {"transpose", TRACED(kernels::transpose, (Out<bf16, 32, 64>, In<bf16, dyn, dyn>)), ir::V13_1},
    {"softmax", TRACED(kernels::softmax, (Out<f16, 2, 256>, In<f16, dyn, dyn>)), ir::V13_1},
    {"rms_norm",
     TRACED(kernels::rms_norm, (Out<bf16, 1, 4096>, In<bf16, dyn, dyn>, In<bf16, dyn>, Number)),
     ir::V13_1},
    {"gemm_f32",
     TRACED(kernels::gemm, (Out<float, 64, 64>, In<float, dyn, dyn>, In<float, dyn, dyn>),
            constant<32>),
     ir::V13_1},
    {"gemm_bf16",
     TRACED(kernels::gemm, (Out<bf16, 128, 128>, In<bf16, dyn, dyn>, In<bf16, dyn, dyn>),
            constant<64>),
     ir::V13_1},
    {"gemm_persistent",
     TRACED(kernels::gemm_persistent,
            (MappedOut<f16, 128, 128>, In<f16, dyn, dyn>, In<f16, dyn, dyn>), constant<64>,
            constant<8>),
     ir::V13_1},
    {"mandelbrot",
     TRACED(kernels::mandelbrot,
            (Out<std::int32_t, 16, 32>, Number, Number, Number, Number, Tile<std::int32_t>)),
     ir::V13_1},
    {"julia",
     TRACED(kernels::julia,
            (Bytes, Bytes, Bytes, Number, Number, Number, Number, Number, Tile<std::int32_t>)),
     ir::V13_1},
    {"blur", TRACED(kernels::blur, (Bytes, In<std::uint8_t, dyn, dyn>)), ir::V13_3},
};

class ReadyKernels : public ::testing::TestWithParam<Ready> {
 protected:
  void SetUp() override {
    tileiras_ = cutile::testing::find_tileiras();
    if (!tileiras_) GTEST_SKIP() << cutile::testing::no_tool;
  }
  std::optional<std::filesystem::path> tileiras_;
};

TEST_P(ReadyKernels, AreReadAsTheyArePrinted) {
  const trace::TracedKernel kernel = GetParam().trace();
  const std::string ours = cutile::testing::normalised(ir::print(kernel.module));
  for (const ir::Version v : {ir::V13_1, ir::V13_2, ir::V13_3, ir::V13_4, ir::V13_5}) {
    const auto bytecode = bytecode::write(kernel.module, v);
    ASSERT_EQ(bytecode.has_value(), v >= GetParam().since) << v;
    if (!bytecode) continue;
    const auto text = cutile::testing::disassemble(*tileiras_, *bytecode);
    ASSERT_TRUE(text.good()) << text.output;
    EXPECT_EQ(cutile::testing::normalised(text.output), ours) << v;
  }
}

TEST_P(ReadyKernels, CompileForEveryGeneration) {
  const trace::TracedKernel kernel = GetParam().trace();
  const auto bytecode = bytecode::write(kernel.module, ir::V13_3).value();
  for (const char* arch : {"sm_80", "sm_90", "sm_100", "sm_120"}) {
    const auto run = cutile::testing::assemble(*tileiras_, bytecode, arch);
    EXPECT_TRUE(run.good()) << arch << ": " << run.output;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReadyKernels, ::testing::ValuesIn(all),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace cutile::test
