#include "ir/parse_attributes.hpp"

#include <fmt/format.h>

#include <set>

#include "ir/literals.hpp"
#include "ir/parse_types.hpp"
#include "support/nearest.hpp"

namespace cutile::ir {
namespace {

constexpr std::size_t deepest_list = 128;

std::uint64_t number(Lexer& in, TypeKind kind) {
  const auto bits = in.at(TokenKind::number) || in.at(TokenKind::word)
                        ? literal_bits(kind, in.peek().text)
                        : std::nullopt;
  if (!bits) in.expected(fmt::format("a value of type {}", spelling(kind)));
  in.next();
  return *bits;
}

/// Numbers in nested lists, all of one length at one depth.
class Lists {
 public:
  Lists(Lexer& in, ConstantText& out) : in_(in), out_(out), shape_(out.shape.emplace()) {}

  void list(std::size_t depth) {
    const Token start = in_.peek();
    if (depth == deepest_list)
      in_.fail(start, fmt::format("lists are nested deeper than {}", deepest_list));
    if (depth == shape_.size()) shape_.push_back(-1);
    std::int64_t count = 0;
    parse_list(in_, [&] {
      item(depth + 1);
      ++count;
    });
    if (count == 0) in_.fail(start, "a list of numbers is empty");
    std::int64_t& extent = shape_[depth];
    if (extent < 0) extent = count;
    if (extent != count)
      in_.fail(start, fmt::format("a list of {} where those before it have {}", count, extent));
  }

 private:
  void item(std::size_t depth) {
    if (in_.at("[")) {
      if (rank_ != 0 && depth == rank_) in_.expected("a number, as before");
      return list(depth);
    }
    if (rank_ == 0) rank_ = depth;
    if (depth != rank_) in_.expected("a list of numbers, as before");
    append(out_, number(in_, out_.kind));
  }

 public:
  static void append(ConstantText& out, std::uint64_t bits) {
    for (int i = 0; i < storage_bytes(out.kind); ++i)
      out.data.push_back(static_cast<std::byte>(bits >> static_cast<unsigned>(8 * i) & 0xffU));
  }

 private:
  Lexer& in_;
  ConstantText& out_;
  std::vector<std::int64_t>& shape_;
  std::size_t rank_ = 0; ///< how deep numbers stand; 0 before the first
};

/// The bytes of "0x...".
std::vector<std::byte> bytes(Lexer& in) {
  const Token token = in.next();
  std::string_view digits = token.text.substr(1, token.text.size() - 2);
  const bool prefixed = digits.starts_with("0x");
  digits.remove_prefix(prefixed ? 2 : 0);
  const bool hex = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!prefixed || !hex || digits.size() % 2 != 0 || digits.empty())
    in.fail(token, "a string of numbers is 0x and two hexadecimal digits for each byte");
  std::vector<std::byte> out;
  out.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    out.push_back(static_cast<std::byte>(byte));
  }
  return out;
}

/// The elements that a string of bytes stands for. Its i1 have a byte each.
std::optional<std::vector<std::byte>> elements(const ConstantText& text, std::int64_t count) {
  if (text.kind != TypeKind::i1) return unpacked(text.data, text.kind, count);
  const bool counted =
      text.data.size() == 1 || (count > 0 && text.data.size() == static_cast<std::uint64_t>(count));
  const auto is_bit = [](std::byte b) { return b == std::byte{0} || b == std::byte{1}; };
  return counted && std::ranges::all_of(text.data, is_bit) ? std::optional(text.data)
                                                           : std::nullopt;
}

std::optional<std::int64_t> bound(Lexer& in) {
  if (in.take("?")) return std::nullopt;
  return in.integer<std::int64_t>("a bound, or ?");
}

Hints::Value hint(Lexer& in) {
  if (in.at("true") || in.at("false")) return parse_bool(in);
  const auto value = in.integer<std::int32_t>("a hint's value, a number, true or false");
  if (in.take(":")) in.expect("i32");
  return value;
}

Hints::Entry hints_of_arch(Lexer& in) {
  Hints::Entry entry{.arch = std::string(in.expect(TokenKind::word, "an architecture").text),
                     .values = {}};
  in.expect("=");
  in.expect("{");
  if (in.take("}")) return entry;
  std::set<std::string_view> keys;
  do {
    const Token key = in.expect(TokenKind::word, "the name of a hint");
    if (!keys.insert(key.text).second)
      in.fail(key, fmt::format("hint {} is given twice", key.text));
    in.expect("=");
    entry.values.emplace_back(std::string(key.text), hint(in));
  } while (in.take(","));
  if (!in.take("}")) in.expected("',' or '}'");
  return entry;
}

} // namespace

ConstantText parse_constant(Lexer& in) {
  ConstantText out;
  out.start = in.peek();
  in.expect("<");
  out.kind = parse_number_kind(in);
  in.expect(":");
  if (in.at("[")) {
    Lists(in, out).list(0);
  } else if (in.at(TokenKind::string)) {
    out.packed = true;
    out.data = bytes(in);
  } else {
    Lists::append(out, number(in, out.kind));
  }
  in.expect(">");
  return out;
}

Constant typed(const Lexer& in, const TypeTable& types, ConstantText text, TypeId type) {
  const Type& t = types[type];
  if (t.kind != TypeKind::tile || types.element_kind(type) != text.kind)
    in.fail(text.start,
            fmt::format("a value of {} for a {}", spelling(text.kind), types.text(type)));
  if (text.shape && *text.shape != t.shape)
    in.fail(text.start, fmt::format("a list of shape {} for a {}", fmt::join(*text.shape, "x"),
                                    types.text(type)));
  if (!text.packed) return {.type = type, .data = std::move(text.data)};
  auto data = elements(text, types.elements(type));
  if (!data)
    in.fail(text.start, fmt::format("{} bytes are neither one nor all elements of a {}",
                                    text.data.size(), types.text(type)));
  return {.type = type, .data = std::move(*data)};
}

Literal parse_literal(Lexer& in, TypeTable& types, TypeKind element) {
  const Token token = in.peek();
  if (token.kind != TokenKind::number && token.kind != TokenKind::word)
    in.expected("a number, true or false");
  in.next();
  // Without a type i1, i64 or f64 are understood; digits in hex may be either of the latter.
  const bool hex = token.text.starts_with("0x");
  const bool real = !hex && token.text.find_first_of(".eE") != std::string_view::npos;
  TypeKind kind = TypeKind::i64;
  if (token.kind == TokenKind::word)
    kind = TypeKind::i1;
  else if (real || (hex && element == TypeKind::f64))
    kind = TypeKind::f64;
  if (in.take(":")) kind = parse_number_kind(in);
  const auto bits = literal_bits(kind, token.text);
  if (!bits) in.fail(token, fmt::format("'{}' is no value of type {}", token.text, spelling(kind)));
  return {.type = types.scalar(kind), .bits = *bits};
}

bool parse_bool(Lexer& in) {
  if (in.take("true")) return true;
  if (!in.take("false")) in.expected("true or false");
  return false;
}

std::int64_t parse_enumeration(Lexer& in, EnumId id, std::string_view what) {
  Nearest nearest(in.peek().text);
  std::string choices;
  for (std::int64_t value = 0; const auto name = enum_spelling(id, value); ++value) {
    if (in.take(*name)) return value;
    nearest.offer(*name);
    choices += fmt::format("{}{}", choices.empty() ? "" : ", ", *name);
  }
  in.expected(fmt::format("{} ({})", what, choices), nearest.hint());
}

Hints parse_hints(Lexer& in) {
  Hints out;
  in.expect("<");
  if (in.take(">")) return out;
  do out.entries.push_back(hints_of_arch(in));
  while (in.take(","));
  if (!in.take(">")) in.expected("',' or '>'");
  return out;
}

Predicate parse_predicate(Lexer& in) {
  const Token name = in.expect(TokenKind::word, "div_by, same_elements or bounded");
  Predicate out;
  if (name.text == "div_by") {
    in.expect("<");
    DivBy div{.divisor = in.integer<std::uint64_t>("a divisor"), .every_along = {}};
    if (in.take(",")) {
      in.expect("every");
      const auto every = in.integer<std::int64_t>("a number of elements");
      in.expect("along");
      div.every_along = {every, in.integer<std::int64_t>("an axis")};
    }
    out = div;
  } else if (name.text == "same_elements") {
    in.expect("<");
    SameElements same;
    parse_list(in, [&] { same.group.push_back(in.integer<std::int64_t>("a number of elements")); });
    out = std::move(same);
  } else if (name.text == "bounded") {
    in.expect("<");
    Bounded bounds;
    bounds.lower = bound(in);
    in.expect(",");
    bounds.upper = bound(in);
    out = bounds;
  } else {
    Nearest nearest(name.text);
    for (const std::string_view known : {"div_by", "same_elements", "bounded"})
      nearest.offer(known);
    in.fail(name, fmt::format("expected div_by, same_elements or bounded, but found '{}'{}",
                              name.text, nearest.hint()));
  }
  in.expect(">");
  return out;
}

} // namespace cutile::ir
