#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ir/types.hpp"

namespace cutile::cpu {

/// A tile to print: its elements and their type.
struct Printed {
  const std::byte* data;
  ir::TypeKind kind;
  std::vector<std::int64_t> shape;
};

/// `format` with each conversion of printf (%d, %8.3f, ...) applied to all elements of the next
/// tile; those of tiles of rank 1 and more stand in nested brackets.
[[nodiscard]] std::string print_text(std::string_view format, const std::vector<Printed>& tiles);

} // namespace cutile::cpu
