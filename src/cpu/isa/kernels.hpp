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
  std::int64_t immediate = 0; ///< offset: bytes of a pointee; casts of small types: see SmallCast
};
/// Returns false for an integer division by zero.
using ElementFn = bool (*)(const ElementArgs&);

/// What chooses an element-wise kernel.
struct ElementKey {
  ir::Op op;
  ir::TypeKind in; ///< of the last operand (of a select: its values)
  ir::TypeKind out;
  ir::RoundingMode rounding = ir::RoundingMode::nearest_even;
  ir::Comparison comparison = ir::Comparison::equal;
  bool flag = false; ///< signed; of cmpf: ordered; of maxf and minf: propagate_nan
  bool flush_to_zero = false;
  bool saturating = false; ///< of ftoi
};

/// Which cast ElementArgs::immediate asks for, where one of the types is smaller than 16 bits or
/// tf32.
struct SmallCast {
  ir::TypeKind in, out;
  ir::RoundingMode rounding;
  bool is_signed; ///< the integer
  bool saturating;
  std::uint8_t unused[3]{}; ///< as wide as the immediate
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

/// acc (m x n, i32) += a (m x k, i8) b (k x n, i8), row-major, each signed or not. `scratch` as
/// above.
using IntMatmulFn = void (*)(std::byte* acc, const std::byte* a, const std::byte* b, std::int64_t m,
                             std::int64_t n, std::int64_t k, bool a_signed, bool b_signed,
                             float* scratch);

/// Floats of a small type as f32.
using WidenFn = void (*)(const std::byte* in, float* out, std::size_t n);

struct Kernels {
  const char* name;
  ElementFn (*element)(const ElementKey&);                               ///< null: not supported
  ReduceFn (*reduce)(ir::Op combine, ir::TypeKind type, bool is_signed); ///< null: no fast path
  MatmulFn (*matmul)(ir::TypeKind operands, ir::TypeKind accumulator);   ///< null: not supported
  IntMatmulFn int_matmul;
  WidenFn (*widen)(ir::TypeKind); ///< null: not a small float
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
