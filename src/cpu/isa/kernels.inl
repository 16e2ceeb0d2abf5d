// Compiled once for each instruction set, with CUTILE_ISA naming the namespace. Eigen gets a
// namespace of its own too: its templates must not be merged by the linker with those of a build
// for another CPU.

#define Eigen CUTILE_EIGEN
#include <Eigen/Core>
#undef Eigen

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "cpu/isa/kernels.hpp"
#include "cutile/types.hpp"

#if defined(__clang__)
#define CUTILE_VECTORISE _Pragma("clang loop vectorize(assume_safety)")
#else
#define CUTILE_VECTORISE _Pragma("GCC ivdep")
#endif

namespace cutile::cpu::CUTILE_ISA {
namespace {

namespace eigen = ::CUTILE_EIGEN;
using ir::Op;
using ir::TypeKind;

// clang-format off: each needs those before it
#include "cpu/isa/floats.inl"
#include "cpu/isa/functions.inl"
#include "cpu/isa/element.inl"
#include "cpu/isa/casts.inl"
#include "cpu/isa/choice.inl"
#include "cpu/isa/matrix.inl"
// clang-format on

} // namespace

#define CUTILE_TEXT_(x) #x
#define CUTILE_TEXT(x) CUTILE_TEXT_(x)

const Kernels& table() {
  static constexpr Kernels k{
      CUTILE_TEXT(CUTILE_ISA), element, reduction, matmul_for, int_matmul, widen_for, transpose};
  return k;
}

} // namespace cutile::cpu::CUTILE_ISA
