#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cpu/isa/kernels.hpp"

// The f32 functions of every instruction set against libm in double, over the whole line of floats.

namespace cutile::cpu {
namespace {

double ulps_between(float ours, double exact) {
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(exact)) return std::isnan(ours) ? 0 : 1e30;
  if (ours == rounded) return 0;
  if (std::isinf(rounded) || std::isinf(ours)) {
    // One past the largest finite number is infinity.
    return std::abs(ours) >= std::numeric_limits<float>::max() && std::abs(exact) > 3.4028234e38 &&
                   (ours > 0) == (exact > 0)
               ? 1
               : 1e30;
  }
  const int exponent = std::max(-126, exact == 0 ? -126 : std::ilogb(exact));
  return std::abs(static_cast<double>(ours) - exact) / std::ldexp(1.0, exponent - 23);
}

struct Function {
  const char* name;
  ir::Op op;
  double (*exact)(double);
  double ulps; ///< tanh is libm's own, of f32
  friend void PrintTo(const Function& f, std::ostream* out) { *out << f.name; }
};

class Functions : public testing::TestWithParam<Function> {};

TEST_P(Functions, AreNearLibm) {
  const Function& f = GetParam();
  const ElementKey key{.op = f.op, .in = ir::TypeKind::f32, .out = ir::TypeKind::f32};
  for (const Kernels* k : {&kernels(), &baseline::table()}) {
    const ElementFn fn = k->element(key);
    std::vector<float> x, y;
    for (std::uint64_t bits = 0; bits <= 0xffffffffU; bits += 9973)
      x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    for (const float special :
         {0.0F, -0.0F, std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 1.0F,
          -1.0F, 88.72283F, 88.72284F, -103.97F, -103.98F, -87.4F, 1e-45F}) {
      x.push_back(special);
    }
    for (float v = -110; v < 95; v += 0.00137F) x.push_back(v);
    y.resize(x.size());
    ASSERT_TRUE(fn({reinterpret_cast<std::byte*>(y.data()),
                    {reinterpret_cast<const std::byte*>(x.data())},
                    x.size()}));
    double worst = 0;
    float at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double distance = ulps_between(y[i], f.exact(static_cast<double>(x[i])));
      if (distance > worst) {
        worst = distance;
        at = x[i];
      }
    }
    EXPECT_LE(worst, f.ulps) << f.name << " of " << at << " on " << k->name;
  }
}

INSTANTIATE_TEST_SUITE_P(F32, Functions,
                         testing::Values(Function{"exp", ir::Op::exp, std::exp, 2},
                                         Function{"log", ir::Op::log, std::log, 2},
                                         Function{"exp2", ir::Op::exp2, std::exp2, 2},
                                         Function{"log2", ir::Op::log2, std::log2, 2},
                                         Function{"sin", ir::Op::sin, std::sin, 2},
                                         Function{"cos", ir::Op::cos, std::cos, 2},
                                         Function{"tanh", ir::Op::tanh, std::tanh, 2.5},
                                         Function{"sqrt", ir::Op::sqrt, std::sqrt, 0.51}),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace cutile::cpu
