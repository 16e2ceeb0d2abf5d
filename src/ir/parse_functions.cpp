#include "ir/parse_functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/builder.hpp"
#include "ir/parse_form.hpp"
#include "ir/parse_types.hpp"
#include "support/nearest.hpp"

namespace cutile::ir {
namespace {

constexpr int deepest_region = 128;

const OpDef* find_def(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const OpDef*> all;
    for (const OpDef& d : all_ops()) {
      if (!d.has(container)) all.emplace(d.name, &d);
    }
    return all;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

class FunctionParser {
 public:
  FunctionParser(ModuleText& text, const Token& start)
      : text_(text), in_(text.in), b_(signature(text, start)) {}

  void run() {
    Function& f = b_.function();
    if (in_.take("optimization_hints")) {
      in_.expect("=");
      f.hints = parse_hints(in_);
    }
    names_.open();
    for (std::size_t i = 0; i < args_.size(); ++i) names_.define(in_, args_[i], f.params()[i]);
    body(Op::entry, 0);
    names_.close();
    located({}, f.loc);
  }

 private:
  struct ResultName {
    Token name;
    std::uint32_t count = 1;
  };
  struct Carried {
    std::vector<Token> names;
    std::vector<ValueId> inits;
  };

  Builder signature(ModuleText& text, const Token& start) {
    Lexer& in = text.in;
    std::string name = in.characters(in.expect(TokenKind::symbol, "the entry's @name"));
    const std::vector<TypeId> types = arguments(text, args_);
    return Builder::entry(text.module, std::move(name), types, here(text, start));
  }

  /// (%a: type, ...), a location behind each.
  static std::vector<TypeId> arguments(ModuleText& text, std::vector<Token>& names) {
    std::vector<TypeId> types;
    Lexer& in = text.in;
    in.expect("(");
    if (in.take(")")) return types;
    do {
      names.push_back(in.expect(TokenKind::value, "an argument"));
      in.expect(":");
      types.push_back(parse_type(in, text.module.types));
      static_cast<void>(text.locations.trailer(in));
    } while (in.take(","));
    if (!in.take(")")) in.expected("',' or ')'");
    return types;
  }

  static SourceLoc here(const ModuleText& text, const Token& token) {
    return {text.file, token.line, token.column};
  }

  /// loc(...) of an operation, or of the function.
  void located(OpId id, SourceLoc& loc) {
    const auto place = text_.locations.trailer(in_);
    if (!place) return;
    loc = place->loc;
    if (place->alias)
      text_.unresolved.push_back(
          {.function = text_.module.functions.size() - 1, .op = id, .place = *place});
  }

  // Regions.
  void body(Op parent, int depth) {
    in_.expect("{");
    while (!in_.at("}")) statement(depth);
    const Token end = in_.next();
    understood(parent, end);
  }

  /// Adds the end of an if or a loop that gives no values, where it is left out.
  void understood(Op parent, const Token& end) {
    if (parent != Op::if_ && parent != Op::for_ && parent != Op::loop) return;
    const std::vector<OpId>& ops = b_.function()[b_.block()].ops;
    if (!ops.empty() && def(b_.function()[ops.back()].op).has(terminator)) return;
    b_.emit_groups(parent == Op::if_ ? Op::yield : Op::continue_, {}, {}, {}, here(text_, end));
  }

  void region(OpId op, const std::vector<Token>& args, const std::vector<TypeId>& types,
              int depth) {
    if (depth >= deepest_region)
      in_.fail(in_.peek(), fmt::format("regions are nested deeper than {}", deepest_region));
    const BlockId block = b_.add_region(op, types);
    const auto inside = b_.enter(block);
    names_.open();
    for (std::size_t i = 0; i < args.size(); ++i)
      names_.define(in_, args[i], b_.function()[block].args[i]);
    body(b_.function()[op].op, depth + 1);
    names_.close();
  }

  // Operations.
  void statement(int depth) {
    const std::string_view outer = in_.context;
    const Token start = in_.peek();
    const std::vector<ResultName> names = result_names();
    const Token name =
        in_.expect(TokenKind::word, names.empty() ? "an operation or '}'" : "an operation");
    const OpDef* const d = find_def(without_dialect(name.text));
    if (d == nullptr) unknown(name);
    in_.context = d->name;
    Draft draft(*d);
    const SourceLoc loc = here(text_, start);
    const OpId id = d->op == Op::for_               ? for_loop(draft, loc, depth)
                    : d->op == Op::loop             ? loop(draft, loc, depth)
                    : d->op == Op::if_              ? branch(draft, loc, depth)
                    : d->op == Op::make_tensor_view ? tensor_view(draft, loc)
                                                    : any_other(draft, loc, depth);
    name_results(name, id, names);
    located(id, b_.function()[id].loc);
    in_.context = outer;
  }

  [[noreturn]] void unknown(const Token& name) const {
    Nearest nearest(without_dialect(name.text));
    for (const OpDef& d : all_ops()) {
      if (!d.has(container)) nearest.offer(d.name);
    }
    in_.fail(name, fmt::format("there is no operation '{}'{}", name.text, nearest.hint()));
  }

  std::vector<ResultName> result_names() {
    std::vector<ResultName> names;
    if (!in_.at(TokenKind::value)) return names;
    do {
      names.push_back({.name = in_.expect(TokenKind::value, "a result's name")});
      if (!in_.take(":")) continue;
      const Token at = in_.peek();
      names.back().count = in_.integer<std::uint32_t>("a number of results");
      if (names.back().count == 0) in_.fail(at, "a name stands for at least one result");
    } while (in_.take(","));
    in_.expect("=");
    return names;
  }

  /// Results may be left without names, all together.
  void name_results(const Token& at, OpId id, const std::vector<ResultName>& names) {
    if (names.empty()) return;
    const std::vector<ValueId>& results = b_.function()[id].results;
    std::uint64_t total = 0;
    for (const ResultName& n : names) total += n.count;
    if (total != results.size())
      in_.fail(at, fmt::format("gives {} result{}, not {}", results.size(),
                               results.size() == 1 ? "" : "s", total));
    std::size_t first = 0;
    for (const ResultName& n : names) {
      names_.define(in_, n.name, results[first], n.count);
      first += n.count;
    }
  }

  OpId emit(Draft& draft, SourceLoc loc) {
    std::vector<TypeId> types;
    for (const auto& some : draft.results) types.insert(types.end(), some.begin(), some.end());
    if (draft.constant) {
      const auto& attributes = draft.def.attributes;
      for (std::size_t i = 0; i < attributes.size(); ++i) {
        if (attributes[i].kind == AttrKind::dense)
          draft.attributes[i] =
              text_.intern(typed(in_, text_.module.types, std::move(*draft.constant), types[0]));
      }
    }
    const OpId id = b_.emit_groups(draft.def.op, draft.operands, types, {}, loc);
    b_.function()[id].attributes = std::move(draft.attributes);
    return id;
  }

  Form form(Draft& draft) { return {in_, text_.module, b_.function(), names_, draft}; }

  OpId any_other(Draft& draft, SourceLoc loc, int depth) {
    form(draft).run();
    const OpId id = emit(draft, loc);
    if (draft.def.regions != 0) {
      std::vector<Token> args;
      const std::vector<TypeId> types = arguments(text_, args);
      region(id, args, types, depth);
    }
    return id;
  }

  // Control flow, whose regions come with names and types of their own.
  Carried carried() {
    Carried out;
    in_.expect("(");
    if (in_.take(")")) return out;
    do {
      out.names.push_back(in_.expect(TokenKind::value, "a value that the loop carries"));
      in_.expect("=");
      out.inits.push_back(names_.use(in_));
    } while (in_.take(","));
    if (!in_.take(")")) in_.expected("',' or ')'");
    return out;
  }

  std::vector<TypeId> types_in_parentheses(Form& form) {
    in_.expect("(");
    std::vector<TypeId> types;
    if (!in_.at(")")) types = form.some_types();
    if (!in_.take(")")) in_.expected("',' or ')'");
    return types;
  }

  void check_inits(const Token& at, Form& form, const Carried& values,
                   const std::vector<TypeId>& types) {
    if (types.size() != values.inits.size())
      in_.fail(at, fmt::format("needs a type for each value that it carries, {} and not {}",
                               values.inits.size(), types.size()));
    for (std::size_t i = 0; i < types.size(); ++i)
      form.check_type(at, values.names[i].text, {values.inits[i]}, types[i]);
  }

  OpId for_loop(Draft& draft, SourceLoc loc, int depth) {
    Form form = this->form(draft);
    if (in_.take("unsigned")) draft.attributes[draft.def.attribute("unsignedCmp")] = true;
    std::vector<Token> args{in_.expect(TokenKind::value, "the name of the index")};
    in_.expect("in");
    in_.expect("(");
    constexpr std::string_view before[] = {"", "to", "step"};
    for (std::size_t g = 0; g < 3; ++g) {
      if (g == 2) in_.expect(",");
      if (g > 0) in_.expect(before[g]);
      draft.operands[g] = {names_.use(in_)};
    }
    in_.expect(")");
    in_.expect(":");
    Token at = in_.peek();
    std::vector<TypeId> types{parse_type(in_, text_.module.types)};
    for (std::size_t g = 0; g < 3; ++g)
      form.check_type(at, draft.def.operands[g].name, draft.operands[g], types[0]);
    if (in_.take("iter_values")) {
      const Carried values = carried();
      in_.expect("->");
      at = in_.peek();
      draft.results[0] = types_in_parentheses(form);
      check_inits(at, form, values, draft.results[0]);
      draft.operands[3] = values.inits;
      args.insert(args.end(), values.names.begin(), values.names.end());
      types.insert(types.end(), draft.results[0].begin(), draft.results[0].end());
    }
    const OpId id = emit(draft, loc);
    region(id, args, types, depth);
    return id;
  }

  OpId loop(Draft& draft, SourceLoc loc, int depth) {
    Form form = this->form(draft);
    Carried values;
    std::vector<TypeId> types;
    const bool carries = in_.take("iter_values");
    if (carries) values = carried();
    if (carries ? (in_.expect(":"), true) : in_.take(":")) {
      const Token at = in_.peek();
      if (carries) types = form.some_types();
      check_inits(at, form, values, types);
      if (!carries || in_.take("->")) draft.results[0] = form.some_types();
    }
    draft.operands[0] = values.inits;
    const OpId id = emit(draft, loc);
    region(id, values.names, types, depth);
    return id;
  }

  OpId branch(Draft& draft, SourceLoc loc, int depth) {
    Form form = this->form(draft);
    draft.operands[0] = {names_.use(in_)};
    if (in_.take("->")) draft.results[0] = types_in_parentheses(form);
    const OpId id = emit(draft, loc);
    region(id, {}, {}, depth);
    if (in_.take("else"))
      region(id, {}, {}, depth);
    else
      b_.function()[id].regions.emplace_back();
    return id;
  }

  /// Extents or strides: numbers, and values where they are dynamic.
  std::vector<std::int64_t> extents(std::vector<ValueId>& dynamics) {
    std::vector<std::int64_t> out;
    parse_list(in_, [&] {
      const bool is_dynamic = in_.at(TokenKind::value);
      if (is_dynamic) dynamics.push_back(names_.use(in_));
      out.push_back(is_dynamic ? dynamic : in_.integer<std::int64_t>("a number or a value"));
    });
    return out;
  }

  OpId tensor_view(Draft& draft, SourceLoc loc) {
    draft.operands[0] = {names_.use(in_)};
    std::vector<std::int64_t> lists[2];
    Token at[2];
    constexpr std::string_view names[] = {"shape", "strides"};
    constexpr std::string_view differs[] = {"this shape is not that",
                                            "these strides are not those"};
    for (std::size_t i = 0; i < 2; ++i) {
      in_.expect(",");
      in_.expect(names[i]);
      in_.expect("=");
      at[i] = in_.peek();
      lists[i] = extents(draft.operands[i + 1]);
    }
    in_.expect(":");
    Token start = in_.peek();
    TypeId type = parse_type(in_, text_.module.types);
    if (in_.take("->")) { // the type of the extents, or of a pointer that is not an ordinary one
      const bool any = !draft.operands[1].empty() || !draft.operands[2].empty();
      const Form form = this->form(draft);
      for (std::size_t g = any ? 1 : 0; g < (any ? 3 : 1); ++g)
        form.check_type(start, draft.def.operands[g].name, draft.operands[g], type);
      start = in_.peek();
      type = parse_type(in_, text_.module.types);
    }
    const Type& view = text_.module.types[type];
    if (view.kind != TypeKind::tensor_view) in_.fail(start, "gives a tensor_view");
    for (std::size_t i = 0; i < 2; ++i) {
      if (lists[i] != (i == 0 ? view.shape : view.strides))
        in_.fail(at[i], fmt::format("{} of {}", differs[i], text_.module.types.text(type)));
    }
    draft.results[0] = {type};
    return emit(draft, loc);
  }

  ModuleText& text_;
  Lexer& in_;
  std::vector<Token> args_; ///< names of the entry's parameters
  Builder b_;
  Names names_;
};

} // namespace

ConstantId ModuleText::intern(Constant constant) {
  const std::string_view bytes(reinterpret_cast<const char*>(constant.data.data()),
                               constant.data.size());
  const std::size_t hash = std::hash<std::string_view>{}(bytes) ^ constant.type.index;
  const auto [first, last] = by_hash_.equal_range(hash);
  const auto same =
      std::find_if(first, last, [&](const auto& e) { return module[e.second] == constant; });
  if (same != last) return same->second;
  const ConstantId id{static_cast<std::uint32_t>(module.constants.size())};
  by_hash_.emplace(hash, id);
  module.constants.push_back(std::move(constant));
  return id;
}

void parse_function(ModuleText& text, const Token& start) { FunctionParser(text, start).run(); }

} // namespace cutile::ir
