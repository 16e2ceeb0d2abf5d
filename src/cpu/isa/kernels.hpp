#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/ops.hpp"

// Inner loops of the executor, built once for each instruction set and chosen at run time.

namespace cutile::cpu {

/// Arguments of an element-wise kernel: `n` elements at each address. Output and inputs may be the
/// same memory.
struct ElementArgs {
  std::byte* out;
  const std::byte* in[3];
  std::size_t n;
};
/// Returns false for an integer division by zero.
using ElementFn = bool (*)(const ElementArgs&);

/// What chooses an element-wise kernel.
struct ElementKey {
  ir::Op op;
  ir::TypeKind in; ///< of the last operand (of a select: its values)
  ir::TypeKind out;
  std::int64_t mode = 0; ///< comparison predicate, or rounding of a division
  bool flag = false;     ///< signed; of cmpf: ordered; of maxf and minf: propagate_nan
};

/// in is outer x extent x inner, out is outer x inner.
using ReduceFn = void (*)(std::byte* out, const std::byte* in, std::size_t outer,
                          std::size_t extent, std::size_t inner);

/// acc (m x n) += a (m x k) b (k x n), row-major. `scratch` has room for m*k + k*n + m*n floats.
using MatmulFn = void (*)(std::byte* acc, const std::byte* a, const std::byte* b, std::int64_t m,
                          std::int64_t n, std::int64_t k, float* scratch);

/// out (n x m) = in (m x n) transposed, elements of `size` bytes, rows `in_stride` elements apart.
using TransposeFn = void (*)(std::byte* out, const std::byte* in, std::size_t m, std::size_t n,
                             std::size_t size);

struct Kernels {
  const char* name;
  ElementFn (*element)(const ElementKey&);                               ///< null: not supported
  ReduceFn (*reduce)(ir::Op combine, ir::TypeKind type, bool is_signed); ///< null: no fast path
  MatmulFn (*matmul)(ir::TypeKind operands, ir::TypeKind accumulator);   ///< null: not supported
  TransposeFn transpose;
};

/// The best that this CPU runs; CUTILE_CPU_ISA=baseline, avx2 or avx512 asks for less.
[[nodiscard]] const Kernels& kernels();

// One for each build of isa/kernels.inl.
namespace baseline {
[[nodiscard]] const Kernels& table();
}
namespace avx2 {
[[nodiscard]] const Kernels& table();
}
namespace avx512 {
[[nodiscard]] const Kernels& table();
}

} // namespace cutile::cpu
