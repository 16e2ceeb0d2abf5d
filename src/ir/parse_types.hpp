#pragma once

#include "ir/lexer.hpp"
#include "ir/types.hpp"

namespace cutile::ir {

/// Reads the type of a value: a tile, a tensor_view, a view of tiles or a token.
[[nodiscard]] TypeId parse_type(Lexer& in, TypeTable& types);
/// A type comes next.
[[nodiscard]] bool at_type(const Lexer& in);
/// Reads an element type that is a number: f32.
[[nodiscard]] TypeKind parse_number_kind(Lexer& in);

/// Reads a list in brackets, of which `item` reads one after the other.
template <class Item> void parse_list(Lexer& in, Item item) {
  in.expect("[");
  if (in.take("]")) return;
  do item();
  while (in.take(","));
  if (!in.take("]")) in.expected("',' or ']'");
}

} // namespace cutile::ir
