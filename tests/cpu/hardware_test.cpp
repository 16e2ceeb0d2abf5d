#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "bytecode/reader.hpp"
#include "cpu/program.hpp"
#include "ir/verifier.hpp"
#include "tests/common/hardware_cases.hpp"

// Every operation on the CPU with the inputs and the bits that an H200 answered. NaN equals any
// NaN; functions that hardware approximates may differ by the last places stated here.

namespace cutile::cpu {
namespace {

using testing::HardwareCase;

/// What a case promises beyond equal bits.
struct Tolerance {
  double ulps = 0;
  bool any_value = false;          ///< the IR leaves the result open: it need only run
  std::vector<std::size_t> open{}; ///< lanes that the IR leaves open
};

Tolerance tolerance_of(const std::string& name) {
  static const std::map<std::string, Tolerance> known{
      {"math.exp", {.ulps = 2}},
      {"math.exp.approx", {.ulps = 4}},
      {"math.exp2", {.ulps = 2}},
      {"math.exp2.ftz", {.ulps = 2}},
      {"math.log", {.ulps = 2}},
      {"math.log2", {.ulps = 2}},
      {"math.sin", {.ulps = 2}},
      {"math.cos", {.ulps = 2}},
      {"math.tan", {.ulps = 4}},
      {"math.tanh", {.ulps = 2}},
      {"math.tanh.approx", {.ulps = 256}},
      {"math.sinh", {.ulps = 2}},
      {"math.cosh", {.ulps = 2}},
      {"math.rsqrt", {.ulps = 2}},
      {"math.rsqrt.ftz", {.ulps = 2}},
      {"math.sqrt.approx", {.ulps = 2}},
      {"atan2.f32", {.ulps = 2}},
      {"pow.f32", {.ulps = 2}},
      {"divf.f32.FULL", {.ulps = 2}},
      // Divisors above 2^126 may give 0.
      {"divf.f32.APPROX", {.ulps = 2, .open = {3, 11, 12, 13, 14, 15}}},
      // The order and the precision of sums are open: bounds for these inputs.
      {"mmaf f16->f32 16x16x16", {.ulps = 512}},
      {"mmaf bf16->f32 16x16x16", {.ulps = 512}},
      {"mmaf f32->f32 16x16x16", {.ulps = 512}},
      {"mmaf f64->f64 16x16x16", {.ulps = 512}},
      {"mmaf f16->f16 16x16x16", {.ulps = 4}},
      {"load_ptr mask 0x55 no padding (undefined lanes)", {.any_value = true}},
      {"partition 6 tile4 idx[1] no pad (unspecified)", {.any_value = true}},
      {"partition 6 tile4 idx[5] out of index space pad zero (UB)", {.any_value = true}},
  };
  const auto found = known.find(name);
  return found == known.end() ? Tolerance{} : found->second;
}

/// Bits of a float as a number on a line where neighbours are 1 apart.
template <class Bits> std::int64_t ordinal(Bits bits) {
  constexpr auto sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  return (bits & sign) != 0 ? -static_cast<std::int64_t>(bits ^ sign)
                            : static_cast<std::int64_t>(bits);
}

/// `largest` is the largest magnitude that is no NaN; 0 for integers.
template <class Bits> void compare(const std::vector<std::byte>& ours,
                                   const std::vector<std::byte>& expected, std::uint64_t largest,
                                   const Tolerance& tolerance) {
  for (std::size_t lane = 0; (lane + 1) * sizeof(Bits) <= expected.size(); ++lane) {
    if (std::ranges::find(tolerance.open, lane) != tolerance.open.end()) continue;
    Bits x = 0, y = 0;
    std::memcpy(&x, ours.data() + lane * sizeof x, sizeof x);
    std::memcpy(&y, expected.data() + lane * sizeof y, sizeof y);
    const auto is_nan = [&](Bits b) {
      return largest != 0 &&
             (b & static_cast<Bits>(~(Bits{1} << (8 * sizeof(Bits) - 1)))) > largest;
    };
    if (is_nan(y)) {
      EXPECT_TRUE(is_nan(x)) << "lane " << lane;
    } else if (tolerance.ulps > 0) {
      EXPECT_LE(std::abs(static_cast<double>(ordinal(x) - ordinal(y))), tolerance.ulps)
          << "lane " << lane << ": " << std::hex << std::uint64_t{x} << ", expected "
          << std::uint64_t{y};
    } else {
      EXPECT_EQ(x, y) << "lane " << lane << ": " << std::hex << std::uint64_t{x} << ", expected "
                      << std::uint64_t{y};
    }
  }
}

class Hardware : public ::testing::TestWithParam<HardwareCase> {};

TEST_P(Hardware, TheCpuAnswersAsAnH200Does) {
  const HardwareCase& c = GetParam();
  const ir::Module m = bytecode::read(c.bytecode).value();
  for (const ir::Diagnostic& d : ir::verify(m)) FAIL() << d.message;
  const auto program = Program::compile(m, "k").value();
  std::vector<HardwareCase::Buffer> buffers = c.inputs; // atomics write to inputs
  std::vector<std::byte> output = c.before.bytes;
  std::vector<const void*> pointers;
  for (const auto& buffer : buffers) pointers.push_back(buffer.bytes.data());
  pointers.push_back(output.data());
  std::vector<const void*> params;
  for (const void*& p : pointers) params.push_back(&p);
  program->run(c.grid, params).value();
  const Tolerance tolerance = tolerance_of(c.name);
  if (tolerance.any_value) return;
  const std::string& dtype = c.after.dtype;
  const auto check = [&]<class Bits>(Bits, std::uint64_t largest) {
    compare<Bits>(output, c.after.bytes, largest, tolerance);
  };
  if (dtype == "f64")
    check(std::uint64_t{}, 0x7ff0000000000000);
  else if (dtype == "f32")
    check(std::uint32_t{}, 0x7f800000);
  else if (dtype == "f16")
    check(std::uint16_t{}, 0x7c00);
  else if (dtype == "bf16")
    check(std::uint16_t{}, 0x7f80);
  else if (dtype == "e4m3")
    check(std::uint8_t{}, 0x7e);
  else if (dtype == "e5m2")
    check(std::uint8_t{}, 0x7c);
  else if (dtype == "i64")
    check(std::uint64_t{}, 0);
  else if (dtype == "i32")
    check(std::uint32_t{}, 0);
  else
    check(std::uint8_t{}, 0);
}

INSTANTIATE_TEST_SUITE_P(H200, Hardware, ::testing::ValuesIn(testing::hardware_cases()),
                         testing::test_name);

} // namespace
} // namespace cutile::cpu
