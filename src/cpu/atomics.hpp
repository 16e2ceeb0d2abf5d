#pragma once

#include <cstddef>

#include "ir/ops.hpp"

namespace cutile::cpu {

/// Combines the element at `address` with that at `operand`, atomically and in one order for all
/// threads; the element before goes to `old`.
using AtomicFn = void (*)(std::byte* address, const std::byte* operand, std::byte* old);

/// Null where the IR has no such update: integers of 32 and 64 bits, addf of floats, xchg of both.
[[nodiscard]] AtomicFn atomic_update(ir::AtomicMode mode, ir::TypeKind kind);

/// Writes `value` where the element at `address` has the bits of `expected`; the element before
/// goes to `old`. `size` is 4 or 8 bytes.
void atomic_compare_exchange(std::byte* address, const std::byte* expected, const std::byte* value,
                             std::byte* old, std::size_t size);

} // namespace cutile::cpu
