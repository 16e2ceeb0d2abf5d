#include "ir/parse_locations.hpp"

#include <fmt/format.h>

#include "support/nearest.hpp"
#include "support/text.hpp"

namespace cutile::ir {
namespace {

constexpr int deepest = 128;

/// Goes past one bracket and all in it.
void skip_brackets(Lexer& in) {
  int depth = 0;
  do {
    if (in.done()) in.expected("a closing bracket");
    const Token token = in.next();
    if (token.kind != TokenKind::mark) continue;
    if (std::string_view("(<[{").find(token.text) != std::string_view::npos) ++depth;
    if (std::string_view(")>]}").find(token.text) != std::string_view::npos) --depth;
  } while (depth > 0);
}

bool at_bracket(const Lexer& in) { return in.at("<") || in.at("(") || in.at("[") || in.at("{"); }

} // namespace

std::optional<Locations::Place> Locations::trailer(Lexer& in) {
  if (!in.take("loc")) return std::nullopt;
  in.expect("(");
  Place out = place(in, 0);
  in.expect(")");
  return out;
}

Locations::Place Locations::place(Lexer& in, int depth) {
  if (depth > deepest)
    in.fail(in.peek(), fmt::format("locations are nested deeper than {}", deepest));
  if (in.take("unknown")) return {};
  if (in.at(TokenKind::string)) return in_file(in, depth);
  if (in.take("loc")) {
    in.expect("(");
    Place out = place(in, depth + 1);
    in.expect(")");
    return out;
  }
  if (in.take("callsite")) {
    in.expect("(");
    Place callee = place(in, depth + 1);
    in.expect("at");
    place(in, depth + 1);
    in.expect(")");
    return callee;
  }
  if (in.take("fused")) {
    if (in.at("<")) skip_brackets(in);
    in.expect("[");
    Place first = place(in, depth + 1);
    while (in.take(",")) place(in, depth + 1);
    in.expect("]");
    return first;
  }
  if (in.at(TokenKind::hash)) {
    const Token name = in.next();
    if (name.text != "#cuda_tile.di_loc") return {.loc = {}, .alias = name};
    in.expect("<");
    Place out = place(in, depth + 1);
    in.expect("in"); // the function that the place is in
    in.expect(TokenKind::hash, "a scope");
    if (at_bracket(in)) skip_brackets(in);
    in.expect(">");
    return out;
  }
  in.expected("a location: unknown, \"file\":line:column, callsite, fused or an alias");
}

/// "file":line:column, or "name"(location).
Locations::Place Locations::in_file(Lexer& in, int depth) {
  const Token file = in.next();
  if (in.take("(")) {
    Place out = place(in, depth + 1);
    in.expect(")");
    return out;
  }
  if (!in.take(":")) return {}; // a name alone
  const auto line = in.integer<std::uint32_t>("a line");
  in.expect(":");
  const auto column = in.integer<std::uint32_t>("a column");
  if (in.take("to")) { // the end of a range
    if (in.take(":"))
      in.integer<std::uint32_t>("a column");
    else
      in.integer<std::uint32_t>("a line");
    if (in.take(":")) in.integer<std::uint32_t>("a column");
  }
  return {.loc = {static_text(in.characters(file)), line, column}, .alias = {}};
}

void Locations::definition(Lexer& in) {
  const Token name = in.expect(TokenKind::hash, "an alias");
  in.expect("=");
  Place value;
  if (auto location = trailer(in)) {
    value = *location;
  } else if (in.at(TokenKind::hash) && in.peek().text == "#cuda_tile.di_loc") {
    value = place(in, 0);
  } else {
    in.expect(TokenKind::hash, "loc(...) or an attribute");
    if (at_bracket(in)) skip_brackets(in);
  }
  if (!aliases_.emplace(name.text, value).second)
    in.fail(name, fmt::format("{} is defined twice", name.text));
}

SourceLoc Locations::resolve(const Lexer& in, const Place& place) const {
  Place at = place;
  for (int steps = 0; at.alias; ++steps) {
    const std::string_view name = at.alias->text;
    const auto found = aliases_.find(name);
    if (found == aliases_.end()) {
      Nearest nearest(name);
      for (const auto& alias : aliases_) nearest.offer(alias.first);
      in.fail(*at.alias, fmt::format("{} is not defined{}", name, nearest.hint()));
    }
    if (steps > deepest)
      in.fail(*place.alias,
              fmt::format("{} stands for a location that stands for another, more than "
                          "{} deep",
                          place.alias->text, deepest));
    at = found->second;
  }
  return at.loc;
}

} // namespace cutile::ir
