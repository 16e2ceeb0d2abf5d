#include "ir/parser.hpp"

#include <fmt/format.h>

#include <limits>

#include "ir/parse_attributes.hpp"
#include "ir/parse_functions.hpp"
#include "ir/parse_types.hpp"
#include "support/nearest.hpp"
#include "support/text.hpp"

namespace cutile::ir {
namespace {

void global(ModuleText& text) {
  Lexer& in = text.in;
  in.context = "global";
  Global g;
  g.is_private = in.take("private");
  g.constant = in.take("constant");
  g.name = in.characters(in.expect(TokenKind::symbol, "the global's @name"));
  if (in.take("alignment")) {
    in.expect("=");
    g.alignment = in.integer<std::uint64_t>("an alignment");
  }
  ConstantText value = parse_constant(in);
  in.expect(":");
  const TypeId type = parse_type(in, text.module.types);
  g.value = text.intern(typed(in, text.module.types, std::move(value), type));
  text.module.globals.push_back(std::move(g));
  static_cast<void>(text.locations.trailer(in));
  in.context = {};
}

/// One global, entry or alias; false where something else comes next.
bool item(ModuleText& text) {
  Lexer& in = text.in;
  if (in.at(TokenKind::hash)) {
    text.locations.definition(in);
    return true;
  }
  if (!in.at(TokenKind::word)) return false;
  const std::string_view word = without_dialect(in.peek().text);
  if (word != "entry" && word != "global") return false;
  const Token start = in.next();
  if (word == "global")
    global(text);
  else
    parse_function(text, start);
  return true;
}

[[noreturn]] void expected(const Lexer& in, std::string_view what) {
  Nearest nearest(in.peek().text);
  for (const std::string_view known : {"entry", "global", "module"}) nearest.offer(known);
  in.expected(what, nearest.hint());
}

void module(ModuleText& text) {
  Lexer& in = text.in;
  bool wrapped = false;
  while (!in.done()) {
    if (item(text)) continue;
    if (wrapped || !(in.take("module") || in.take("cuda_tile.module")))
      expected(in, "entry or global");
    wrapped = true;
    text.module.name = in.characters(in.expect(TokenKind::symbol, "the module's @name"));
    in.expect("{");
    while (!in.take("}")) {
      if (!item(text)) expected(in, "entry, global or '}'");
    }
    static_cast<void>(text.locations.trailer(in));
  }
  for (const ModuleText::Unresolved& u : text.unresolved) {
    Function& f = text.module.functions[u.function];
    (u.op.valid() ? f[u.op].loc : f.loc) = text.locations.resolve(in, u.place);
  }
}

} // namespace

Result<Module> parse(std::string_view text, std::string_view file_name) try {
  if (text.size() > std::numeric_limits<std::int32_t>::max())
    return usage_failure(fmt::format("{}: the text is longer than 2 GiB", file_name));
  ModuleText all(text);
  all.file = static_text(file_name);
  module(all);
  return std::move(all.module);
} catch (const Malformed& m) {
  return usage_failure(fmt::format("{}:{}:{}: {}", file_name, m.line, m.column, m.what));
}

} // namespace cutile::ir
