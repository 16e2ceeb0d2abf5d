#include "ir/parse_form.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/parse_types.hpp"
#include "support/nearest.hpp"

// What text.cpp says of the forms holds here: each of its functions has its counterpart.

namespace cutile::ir {
namespace {

std::string_view prefix(EnumId id) {
  switch (id) {
  case EnumId::overflow: return "overflow";
  case EnumId::rounding_mode: return "rounding";
  default: return "";
  }
}

} // namespace

void Form::run() {
  draft_.def.text.empty() ? usual_form() : sequence(draft_.def.text);
  complete_results();
}

void Form::usual_form() {
  const OpDef& d = draft_.def;
  for (std::size_t g = 0; g < d.operands.size(); ++g) {
    if (g > 0) in_.expect(",");
    values(g);
  }
  for (std::size_t i = 0; i < d.attributes.size(); ++i) attribute(i);
  if (d.has(terminator)) {
    if (draft_.operands[0].empty()) return;
    in_.expect(":");
    return types_of("operand", draft_.operands[0]);
  }
  if (in_.at(TokenKind::word)) {
    Nearest nearest(in_.peek().text);
    for (const AttrDef& a : d.attributes) {
      const std::string_view option = prefix(a.enum_id);
      nearest.offer(option.empty() ? a.name : option);
    }
    in_.expected("':'", nearest.hint());
  }
  in_.expect(":");
  if (d.has(same_type)) {
    const Token at = in_.peek();
    const TypeId all = parse_type(in_, m_.types);
    for (std::size_t g = 0; g < d.operands.size(); ++g)
      check_type(at, d.operands[g].name, draft_.operands[g], all);
    draft_.results[0] = {all};
    return;
  }
  for (std::size_t g = 0; g < d.operands.size(); ++g) {
    if (g > 0) in_.expect(",");
    operand_types(g, false);
  }
  in_.expect("->");
  result_types(0, false);
}

void Form::sequence(std::string_view form) {
  while (!form.empty()) {
    const std::size_t plain = std::min(form.find_first_of("{("), form.size());
    literal(form.substr(0, plain));
    form.remove_prefix(plain);
    if (form.empty()) return;
    if (form.starts_with("{{")) {
      in_.expect("{");
      form.remove_prefix(2);
      continue;
    }
    const bool is_group = form.front() == '(';
    const std::size_t end = form.find(is_group ? ')' : '}');
    const std::string_view inside = form.substr(1, end - 1);
    form.remove_prefix(end + 1);
    is_group ? group(inside, form) : field(field_in(inside));
  }
}

void Form::literal(std::string_view text) {
  for (Lexer wanted(text); !wanted.done();) {
    const Token token = wanted.next();
    const bool name = token.kind == TokenKind::hash;
    if (name && !(in_.at(TokenKind::hash) && in_.peek().text == token.text))
      in_.expected(token.text);
    name ? static_cast<void>(in_.next()) : in_.expect(token.text);
  }
}

Form::Field Form::field_in(std::string_view inside) {
  const std::size_t colon = std::min(inside.find(':'), inside.size());
  return {.name = inside.substr(0, colon),
          .how = inside.substr(std::min(colon + 1, inside.size()))};
}

std::optional<std::size_t> Form::operand_called(std::string_view name) const {
  const auto& all = draft_.def.operands;
  const auto* found =
      std::find_if(all.begin(), all.end(), [&](const ValueDef& v) { return v.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

/// What is in parentheses: it stands where its first word or mark comes next; a group with an
/// operand's type where there is that operand.
void Form::group(std::string_view inside, std::string_view& rest) {
  const std::size_t brace = inside.find('{');
  const std::string_view after = inside.substr(brace + 1);
  const Field first = field_in(after.substr(0, after.find('}')));
  std::optional<std::size_t> g = operand_called(first.name);
  if (g && !first.how.empty()) {
    if (!draft_.operands[*g].empty()) sequence(inside);
    return;
  }
  const Lexer start(inside.substr(0, brace));
  if (!in_.at(start.peek().text)) return;
  sequence(inside);
  // An operand that may be left out, and was: the value is the next such one.
  while (g && draft_.def.operands[*g].arity == Arity::optional && rest.starts_with("(, {") &&
         !contains(draft_.def.operands[*g].types, m_.types, type(draft_.operands[*g][0]))) {
    const std::string_view next = rest.substr(1, rest.find(')') - 1);
    const auto other = operand_called(field_in(next.substr(3, next.size() - 4)).name);
    if (!other) return;
    draft_.operands[*other] = std::exchange(draft_.operands[*g], {});
    g = other;
    rest.remove_prefix(next.size() + 2);
  }
}

void Form::field(const Field& wanted) {
  const OpDef& d = draft_.def;
  const bool one_for_all = wanted.how == "one_type";
  if (const auto g = operand_called(wanted.name))
    return wanted.how.empty() ? values(*g) : operand_types(*g, one_for_all);
  for (std::size_t i = 0; i < d.results.size(); ++i) {
    if (d.results[i].name == wanted.name) return result_types(i, one_for_all);
  }
  attribute(d.attribute(wanted.name));
}

void Form::values(std::size_t group) {
  std::vector<ValueId>& out = draft_.operands[group];
  if (draft_.def.operands[group].arity == Arity::variadic && !in_.at(TokenKind::value)) return;
  do out.push_back(names_.use(in_));
  while (draft_.def.operands[group].arity == Arity::variadic && in_.take(","));
}

void Form::check_type(const Token& at, std::string_view name, const std::vector<ValueId>& values,
                      TypeId written) const {
  for (const ValueId v : values) {
    if (type(v) != written)
      in_.fail(at, fmt::format("{} is a {}, not a {}", name, m_.types.text(type(v)),
                               m_.types.text(written)));
  }
}

void Form::types_of(std::string_view name, const std::vector<ValueId>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) in_.expect(",");
    const Token at = in_.peek();
    check_type(at, name, {values[i]}, parse_type(in_, m_.types));
  }
}

void Form::operand_types(std::size_t group, bool one_for_all) {
  const std::vector<ValueId>& all = draft_.operands[group];
  const std::string_view name = draft_.def.operands[group].name;
  const bool equal = std::ranges::all_of(all, [&](ValueId v) { return type(v) == type(all[0]); });
  types_of(name, one_for_all && equal && !all.empty() ? std::vector{all[0]} : all);
}

std::vector<TypeId> Form::some_types() {
  std::vector<TypeId> out;
  do out.push_back(parse_type(in_, m_.types));
  while (in_.take(","));
  return out;
}

void Form::result_types(std::size_t i, bool one_for_all) {
  std::vector<TypeId>& out = draft_.results[i];
  if (draft_.def.results[i].arity != Arity::variadic) {
    out = {parse_type(in_, m_.types)};
    return;
  }
  if (!one_for_all) {
    out = some_types();
    return;
  }
  // One result for each axis of the operand.
  const std::size_t rank = m_.types[type(draft_.operands[0][0])].shape.size();
  if (rank == 0 && !at_type(in_)) return;
  out = some_types();
  if (out.size() == 1) out.assign(rank, TypeId(out[0]));
}

void Form::attribute(std::size_t i) {
  const AttrDef& a = draft_.def.attributes[i];
  Attr& out = draft_.attributes[i];
  switch (a.kind) {
  case AttrKind::enumeration: return enumeration(a, out);
  case AttrKind::unit:
    if (in_.take(a.name)) out = true;
    return;
  case AttrKind::integer: out = in_.integer<std::int64_t>(a.name); return;
  case AttrKind::boolean: out = parse_bool(in_); return;
  case AttrKind::string: out = in_.characters(in_.expect(TokenKind::string, "a string")); return;
  case AttrKind::symbol: out = in_.characters(in_.expect(TokenKind::symbol, "a @name")); return;
  case AttrKind::dense: draft_.constant = parse_constant(in_); return;
  case AttrKind::hints: out = parse_hints(in_); return;
  case AttrKind::predicate: out = parse_predicate(in_); return;
  case AttrKind::i32_array: {
    std::vector<std::int32_t> list;
    parse_list(in_, [&] { list.push_back(in_.integer<std::int32_t>("a number")); });
    out = std::move(list);
    return;
  }
  case AttrKind::bool_array: {
    std::vector<bool> list;
    parse_list(in_, [&] { list.push_back(parse_bool(in_)); });
    out = std::move(list);
    return;
  }
  case AttrKind::literal_array: {
    std::vector<Literal> list;
    const std::vector<ValueId>& over = draft_.operands[0];
    while (!in_.at("]")) {
      if (!list.empty()) in_.expect(",");
      const bool known =
          list.size() < over.size() && m_.types[type(over[list.size()])].kind == TypeKind::tile;
      const TypeKind element =
          known ? m_.types.element_kind(type(over[list.size()])) : TypeKind::i64;
      list.push_back(parse_literal(in_, m_.types, element));
    }
    out = std::move(list);
    return;
  }
  case AttrKind::type:
  case AttrKind::dictionary_array: return; // of entries alone
  }
}

void Form::enumeration(const AttrDef& a, Attr& out) {
  if (const std::string_view before = prefix(a.enum_id); !before.empty()) {
    if (!in_.take(before)) return;
    in_.expect("<");
    out = parse_enumeration(in_, a.enum_id, a.name);
    in_.expect(">");
  } else if (!a.optional || in_.at(TokenKind::word)) {
    out = parse_enumeration(in_, a.enum_id, a.name);
  }
}

/// A result whose type is not written is a token, or has the type of the result before it or of the
/// last operand that is of the same kind.
void Form::complete_results() {
  const OpDef& d = draft_.def;
  for (std::size_t i = 0; i < d.results.size(); ++i) {
    std::vector<TypeId>& out = draft_.results[i];
    if (!out.empty() || d.results[i].arity == Arity::variadic) continue;
    if (d.results[i].types == TypeSet::token) {
      out = {m_.types.token()};
    } else if (i > 0 && d.results[i - 1].types == d.results[i].types) {
      out = draft_.results[i - 1];
    }
    for (std::size_t g = d.operands.size(); out.empty() && g-- > 0;) {
      if (d.operands[g].types == d.results[i].types && !draft_.operands[g].empty())
        out = {type(draft_.operands[g][0])};
    }
    if (out.empty()) in_.expected("the type of the result");
  }
}

} // namespace cutile::ir
