#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module.hpp"

namespace cutile::ir {

/// A number of element type `kind` as the text form writes it. `bits` is laid out as in `Constant`
/// (tf32 in the upper bits of 32). Floats have six digits where these read back as the same value,
/// else as many as it takes; what has no decimal point then, infinity and NaN are written in hex.
[[nodiscard]] std::string literal_text(TypeKind kind, std::uint64_t bits);

/// The inverse: the bits of a number as the text form writes it. Also takes integers in hex, floats
/// without a point, and more digits than are printed, rounded to nearest; nothing where no number
/// of that type is meant or it is out of range.
[[nodiscard]] std::optional<std::uint64_t> literal_bits(TypeKind kind, std::string_view text);

/// The elements of a constant as bytecode holds them: i1 eight to a byte, the first one lowest (one
/// element: 00 or FF), tf32 19 bits in three bytes, all others as in `Constant`.
[[nodiscard]] std::vector<std::byte> packed(const Constant& constant, TypeKind element);

/// The elements of a constant of `elements` elements from those bytes, laid out as in `Constant`;
/// nothing where the bytes are neither one element nor all of them, or no such number exists.
[[nodiscard]] std::optional<std::vector<std::byte>>
unpacked(std::span<const std::byte> bytes, TypeKind element, std::int64_t elements);

/// A constant's value: `<i32: 1>` where all elements are equal, `<i32: [1, 2]>`, or its
/// bytes (packed, but i1 one to a byte) in hex when there are more than a hundred.
[[nodiscard]] std::string constant_text(const TypeTable& types, const Constant& constant);

/// `text` in quotes, with everything that is not plain ASCII as \XX.
[[nodiscard]] std::string quoted(std::string_view text);

/// @name, in quotes where the name is no identifier.
[[nodiscard]] std::string symbol_text(std::string_view name);

} // namespace cutile::ir
