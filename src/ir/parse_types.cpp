#include "ir/parse_types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/nearest.hpp"

namespace cutile::ir {
namespace {

using Extents = std::vector<std::int64_t>;

std::optional<TypeKind> find_kind(std::string_view word) {
  const auto all = all_type_kinds();
  const auto found = std::ranges::find(all, word, [](TypeKind k) { return spelling(k); });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

bool is_value_kind(TypeKind kind) {
  return kind == TypeKind::tile || kind == TypeKind::tensor_view || kind == TypeKind::token ||
         is_view(kind);
}

/// The type's name that comes next, if one does.
std::optional<TypeKind> kind_at(const Lexer& in) {
  if (in.at(TokenKind::bang)) return find_kind(without_dialect(in.peek().text.substr(1)));
  return in.at(TokenKind::word) ? find_kind(without_dialect(in.peek().text)) : std::nullopt;
}

template <class Accepted> TypeKind kind_of(Lexer& in, std::string_view what, Accepted accepted) {
  const std::optional<TypeKind> kind = kind_at(in);
  if (kind && accepted(*kind)) {
    in.next();
    return *kind;
  }
  Nearest nearest(in.peek().text);
  for (const TypeKind k : all_type_kinds()) {
    if (accepted(k)) nearest.offer(spelling(k));
  }
  in.expected(what, kind ? "" : nearest.hint());
}

/// A positive number, or ? where that may be.
std::int64_t extent(Lexer& in, bool may_be_dynamic) {
  if (may_be_dynamic && in.take("?")) return dynamic;
  const Token token = in.extent();
  std::int64_t value = 0;
  const char* const last = token.text.data() + token.text.size();
  if (std::from_chars(token.text.data(), last, value).ec != std::errc{})
    in.fail(token, fmt::format("the extent {} is too large", token.text));
  return value;
}

/// 4x8x in front of an element type.
Extents leading_extents(Lexer& in, bool may_be_dynamic) {
  Extents out;
  while (in.at(TokenKind::number) || (may_be_dynamic && in.at("?"))) {
    out.push_back(extent(in, may_be_dynamic));
    if (!in.take_x()) in.expected("'x' after an extent");
  }
  return out;
}

/// The product of a tile's extents must be a number.
void check_product(const Lexer& in, const Token& at, const Extents& extents) {
  std::int64_t n = 1;
  for (const std::int64_t e : extents) {
    if (__builtin_mul_overflow(n, e, &n)) in.fail(at, "a tile has too many elements to count");
  }
}

/// `multicast` in angle brackets, with or without the attribute's name in front.
void multicast(Lexer& in) {
  if (in.at(TokenKind::hash) && in.peek().text == "#cuda_tile.ptr_attr") in.next();
  in.expect("<");
  in.expect("multicast");
  in.expect(">");
}

TypeId number(Lexer& in, TypeTable& types) { return types.scalar(parse_number_kind(in)); }

TypeId element(Lexer& in, TypeTable& types) {
  const auto accepted = [](TypeKind k) { return is_number(k) || k == TypeKind::pointer; };
  const TypeKind kind = kind_of(in, "an element type, a number or ptr", accepted);
  if (kind != TypeKind::pointer) return types.scalar(kind);
  in.expect("<");
  Type t{.kind = kind, .element = number(in, types)};
  t.multicast = in.take(",");
  if (t.multicast) multicast(in);
  in.expect(">");
  return types.intern(t);
}

Type tile(Lexer& in, TypeTable& types) {
  Type t{.kind = TypeKind::tile};
  const Token start = in.peek();
  t.shape = leading_extents(in, false);
  check_product(in, start, t.shape);
  t.element = element(in, types);
  return t;
}

Type tensor_view(Lexer& in, TypeTable& types) {
  Type t{.kind = TypeKind::tensor_view};
  t.shape = leading_extents(in, true);
  t.element = number(in, types);
  bool more = in.take(",");
  if (!t.shape.empty()) {
    if (!more) in.expected("', strides=['");
    in.expect("strides");
    in.expect("=");
    const Token start = in.peek();
    parse_list(in, [&] { t.strides.push_back(extent(in, true)); });
    if (t.strides.size() != t.shape.size())
      in.fail(start, fmt::format("{} strides for {} extents", t.strides.size(), t.shape.size()));
    more = in.take(",");
  }
  t.multicast = more;
  if (more) multicast(in);
  return t;
}

Padding padding(Lexer& in) {
  Nearest nearest(in.peek().text);
  for (int i = 0; i <= static_cast<int>(Padding::neg_inf); ++i) {
    const auto p = static_cast<Padding>(i);
    if (in.take(spelling(p))) return p;
    nearest.offer(spelling(p));
  }
  in.expected("a padding: zero, neg_zero, nan, pos_inf or neg_inf", nearest.hint());
}

Type view(Lexer& in, TypeTable& types, TypeKind kind) {
  Type t{.kind = kind};
  in.expect("tile");
  in.expect("=");
  in.expect("(");
  const Token start = in.peek();
  while (!in.at(")")) {
    t.shape.push_back(extent(in, false));
    if (!in.at(")") && !in.take_x()) in.expected("'x' or ')' after an extent");
  }
  check_product(in, start, t.shape);
  in.expect(")");
  in.expect(",");
  const auto named = [&](std::string_view name) {
    if (!in.take(name)) return false;
    in.expect("=");
    return true;
  };
  if (kind == TypeKind::strided_view) {
    if (!named("traversal_strides")) in.expected("traversal_strides=[...]");
    parse_list(in, [&] { t.strides.push_back(extent(in, false)); });
    in.expect(",");
  }
  if (named("padding_value")) {
    t.padding = padding(in);
    in.expect(",");
  }
  kind_of(in, "a tensor_view", [](TypeKind k) { return k == TypeKind::tensor_view; });
  in.expect("<");
  t.element = types.intern(tensor_view(in, types));
  in.expect(">");
  if (kind == TypeKind::gather_scatter_view) {
    in.expect(",");
    if (!named("sparse_dim")) in.expected("sparse_dim=");
    t.sparse_dim = in.integer<std::int32_t>("the sparse axis");
  } else if (in.take(",")) {
    if (!named("dim_map")) in.expected("dim_map=[...]");
    parse_list(in, [&] { t.dim_map.push_back(in.integer<std::int32_t>("an axis")); });
  } else {
    for (std::size_t i = 0; i < t.shape.size(); ++i)
      t.dim_map.push_back(static_cast<std::int32_t>(i));
  }
  return t;
}

} // namespace

bool at_type(const Lexer& in) {
  const auto kind = kind_at(in);
  return kind && is_value_kind(*kind);
}

TypeKind parse_number_kind(Lexer& in) { return kind_of(in, "a number's type", is_number); }

TypeId parse_type(Lexer& in, TypeTable& types) {
  const TypeKind kind = kind_of(in, "a type", is_value_kind);
  if (kind == TypeKind::token) return types.token();
  in.expect("<");
  const Type t = kind == TypeKind::tile          ? tile(in, types)
                 : kind == TypeKind::tensor_view ? tensor_view(in, types)
                                                 : view(in, types, kind);
  in.expect(">");
  return types.intern(t);
}

} // namespace cutile::ir
