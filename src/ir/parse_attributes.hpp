#pragma once

#include <optional>

#include "ir/lexer.hpp"
#include "ir/module.hpp"

namespace cutile::ir {

/// The value of a constant before its type is known.
struct ConstantText {
  Token start;
  TypeKind kind = TypeKind::i1;
  std::optional<std::vector<std::int64_t>> shape; ///< of nested lists
  bool packed = false;                            ///< `data` are the bytes of a string
  std::vector<std::byte> data;
};

/// Reads `<i32: 1>`, `<i32: [1, 2]>` or `<i32: "0x...">`.
[[nodiscard]] ConstantText parse_constant(Lexer& in);
/// The constant of that value and type, if the two go together.
[[nodiscard]] Constant typed(const Lexer& in, const TypeTable& types, ConstantText text,
                             TypeId type);

/// Reads an identity of a reduction over `element`, with its type where that is not understood.
[[nodiscard]] Literal parse_literal(Lexer& in, TypeTable& types, TypeKind element);
[[nodiscard]] bool parse_bool(Lexer& in);
/// Reads one of an enumeration's values; `what` says which.
[[nodiscard]] std::int64_t parse_enumeration(Lexer& in, EnumId id, std::string_view what);
[[nodiscard]] Hints parse_hints(Lexer& in);
[[nodiscard]] Predicate parse_predicate(Lexer& in);

} // namespace cutile::ir
