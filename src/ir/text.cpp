#include "ir/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "ir/literals.hpp"

// The usual form of an operation is
//
//   %result = name %operand, %operand option option : types
//
// where the types are the result's alone when it has the operands' type, else `operands ->
// results`. Operations of another form give it in the table as OpDef::text:
//
//   {name}           an operand's names, or an attribute's value, empty where it is the default
//   {name:type}      the types of an operand or result
//   {name:one_type}  the same, but only one where all are equal
//   ( ... )          stands only when every field in it has a text; the parser (parse_form.cpp)
//                    knows it by the word or mark that it begins with
//   {{               a brace
//
// Control flow, whose regions come with names and types of their own, is written in this file.

namespace cutile::ir {
namespace {

/// Appends `piece`, without doubling a blank.
void append(std::string& out, std::string_view piece) {
  if (piece.starts_with(' ') && out.ends_with(' ')) piece.remove_prefix(1);
  out += piece;
}

/// Dictionaries are printed in the order of their keys.
std::string hints_text(Hints hints) {
  std::string out;
  std::sort(hints.entries.begin(), hints.entries.end(),
            [](const auto& a, const auto& b) { return a.arch < b.arch; });
  for (Hints::Entry& entry : hints.entries) {
    std::sort(entry.values.begin(), entry.values.end());
    std::string values;
    for (const auto& [key, value] : entry.values) {
      const bool* flag = std::get_if<bool>(&value);
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", key,
                            flag == nullptr ? fmt::to_string(std::get<std::int32_t>(value))
                            : *flag         ? "true"
                                            : "false");
    }
    out += fmt::format("{}{} = {{{}}}", out.empty() ? "" : ", ", entry.arch, values);
  }
  return "<" + out + ">";
}

std::string predicate_text(const Predicate& p) {
  const auto bound = [](const auto& v) { return v ? fmt::to_string(*v) : "?"; };
  if (const auto* div = std::get_if<DivBy>(&p)) {
    if (!div->every_along) return fmt::format("div_by<{}>", div->divisor);
    const auto& [every, along] = *div->every_along;
    return fmt::format("div_by<{}, every {} along {}>", div->divisor, every, along);
  }
  if (const auto* same = std::get_if<SameElements>(&p))
    return fmt::format("same_elements<[{}]>", fmt::join(same->group, ", "));
  const auto& bounds = std::get<Bounded>(p);
  return fmt::format("bounded<{}, {}>", bound(bounds.lower), bound(bounds.upper));
}

class Printer {
 public:
  Printer(const Module& module, const Function& function)
      : m_(module), f_(function), names_(function.values.size()) {}

  std::string run() {
    std::string params;
    for (std::size_t i = 0; i < f_.params().size(); ++i) {
      const ValueId p = f_.params()[i];
      names_[p.index] = fmt::format("%arg{}", i);
      params += fmt::format("{}{}: {}", i == 0 ? "" : ", ", name(p), type(p));
    }
    out_ = fmt::format("entry {}({})", symbol_text(f_.name), params);
    if (!f_.hints.entries.empty()) out_ += " optimization_hints=" + hints_text(f_.hints);
    out_ += " ";
    region(f_.body, 0);
    return out_ + "\n";
  }

 private:
  const std::string& name(ValueId v) const { return names_[v.index]; }
  /// A module that does not verify may lack a value.
  std::string name(std::span<const ValueId> values, std::size_t i) const {
    return i < values.size() ? name(values[i]) : "?";
  }
  std::string type(ValueId v) const { return m_.types.text(f_[v].type); }

  std::string names(std::span<const ValueId> values) const {
    std::string out;
    for (const ValueId v : values) out += (out.empty() ? "" : ", ") + name(v);
    return out;
  }
  std::string types(std::span<const ValueId> values) const {
    std::string out;
    for (const ValueId v : values) out += (out.empty() ? "" : ", ") + type(v);
    return out;
  }
  std::string one_type(std::span<const ValueId> values) const {
    const auto differs = [&](ValueId v) { return f_[v].type != f_[values[0]].type; };
    const bool equal = std::none_of(values.begin(), values.end(), differs);
    return types(equal && !values.empty() ? values.first(1) : values);
  }

  std::string literals(const std::vector<Literal>& list) const {
    std::string out;
    for (const Literal& l : list) {
      const TypeKind kind = m_.types[l.type].kind;
      out += (out.empty() ? "" : ", ") + literal_text(kind, l.bits);
      // These types are understood.
      if (kind != TypeKind::i1 && kind != TypeKind::i64 && kind != TypeKind::f64)
        out += fmt::format(" : {}", spelling(kind));
    }
    return out;
  }

  static std::string enumeration(const Operation& op, const AttrDef& a, const Attr& value) {
    if (a.optional && std::holds_alternative<std::monostate>(value)) return "";
    const std::int64_t number = int_attribute(op, a.name);
    const auto text = enum_spelling(a.enum_id, number).value_or("?");
    if (number == a.default_value) return "";
    if (a.enum_id == EnumId::overflow) return fmt::format("overflow<{}>", text);
    if (a.enum_id == EnumId::rounding_mode) return fmt::format("rounding<{}>", text);
    return std::string(text);
  }

  std::string attribute(const Operation& op, const AttrDef& a, const Attr& value) const {
    if (a.kind == AttrKind::enumeration) return enumeration(op, a, value);
    if (const auto* flag = std::get_if<bool>(&value)) {
      if (a.kind == AttrKind::unit) return std::string(*flag ? a.name : "");
      return *flag ? "true" : "false";
    }
    if (a.kind == AttrKind::boolean) return "false";
    if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&value))
      return a.kind == AttrKind::symbol ? symbol_text(*text) : quoted(*text);
    if (const auto* list = std::get_if<std::vector<std::int32_t>>(&value))
      return fmt::format("[{}]", fmt::join(*list, ", "));
    if (const auto* list = std::get_if<std::vector<bool>>(&value)) return flags(*list);
    if (const auto* id = std::get_if<TypeId>(&value)) return m_.types.text(*id);
    if (const auto* id = std::get_if<ConstantId>(&value)) return constant_text(m_.types, m_[*id]);
    if (const auto* list = std::get_if<std::vector<Literal>>(&value)) return literals(*list);
    if (const auto* hints = std::get_if<Hints>(&value)) return hints_text(*hints);
    if (const auto* predicate = std::get_if<Predicate>(&value)) return predicate_text(*predicate);
    return "";
  }
  static std::string flags(const std::vector<bool>& list) {
    if (std::none_of(list.begin(), list.end(), [](bool b) { return b; })) return "";
    std::string out;
    for (const bool b : list) out += fmt::format("{}{}", out.empty() ? "" : ", ", b);
    return "[" + out + "]";
  }

  std::string values(std::span<const ValueId> v, std::string_view how) const {
    return how.empty() ? names(v) : how == "type" ? types(v) : one_type(v);
  }

  /// The text of {wanted:how}.
  std::string field(const Operation& op, std::string_view wanted, std::string_view how) const {
    const OpDef& d = def(op.op);
    for (std::size_t g = 0; g < d.operands.size(); ++g) {
      if (d.operands[g].name == wanted) return values(operand_group(op, g), how);
    }
    for (std::size_t i = 0; i < d.results.size(); ++i) {
      const std::span<const ValueId> all = op.results;
      if (d.results[i].name != wanted) continue;
      return values(d.results[i].arity == Arity::variadic ? all : all.subspan(i, 1), how);
    }
    const std::size_t i = d.attribute(wanted);
    return attribute(op, d.attributes[i], op.attributes[i]);
  }

  struct Filled {
    std::string text;
    bool complete = true; ///< no field was empty
  };
  Filled fill(const Operation& op, std::string_view form) const {
    Filled out;
    while (!form.empty()) {
      const std::size_t literal = std::min(form.find_first_of("{("), form.size());
      append(out.text, form.substr(0, literal));
      form.remove_prefix(literal);
      if (form.empty()) break;
      if (form.starts_with("{{")) {
        out.text += '{';
        form.remove_prefix(2);
        continue;
      }
      const std::size_t end = form.find(form.front() == '{' ? '}' : ')');
      const std::string_view inside = form.substr(1, end - 1);
      if (form.front() == '(') {
        if (const Filled group = fill(op, inside); group.complete) append(out.text, group.text);
      } else {
        const std::size_t colon = std::min(inside.find(':'), inside.size());
        const std::string_view how = inside.substr(std::min(colon + 1, inside.size()));
        const std::string text = field(op, inside.substr(0, colon), how);
        out.complete = out.complete && !text.empty();
        append(out.text, text);
      }
      form.remove_prefix(end + 1);
    }
    return out;
  }

  std::string usual_form(const Operation& op) const {
    const OpDef& d = def(op.op);
    std::string out = names(op.operands);
    for (std::size_t i = 0; i < d.attributes.size(); ++i) {
      const std::string option = attribute(op, d.attributes[i], op.attributes[i]);
      if (!option.empty()) append(out, " " + option);
    }
    if (d.has(terminator)) return op.operands.empty() ? out : out + " : " + types(op.operands);
    out += " : ";
    if (d.has(same_type)) return out + type(op.results[0]);
    if (!op.operands.empty()) out += types(op.operands) + " -> ";
    return out + types(op.results);
  }

  void indent(int depth) { out_.append(2 * static_cast<std::size_t>(depth), ' '); }

  /// A terminator that any reader would add: the end of an if or a loop that gives no values.
  bool is_understood(const Operation& op, const Block& block) const {
    if (!op.operands.empty() || !block.parent.valid() || &op != &f_[block.ops.back()]) return false;
    const Op parent = f_[block.parent].op;
    return op.op == Op::yield
               ? parent == Op::if_
               : op.op == Op::continue_ && (parent == Op::for_ || parent == Op::loop);
  }

  void region(BlockId id, int depth) {
    out_ += "{\n";
    for (const OpId op : f_[id].ops) {
      if (is_understood(f_[op], f_[id])) continue;
      indent(depth + 1);
      operation(f_[op], depth + 1);
    }
    indent(depth);
    out_ += "}";
  }

  /// Names for an operation's results: one by one, or one for all where their number varies.
  void name_results(const Operation& op) {
    if (op.results.empty()) return;
    const OpDef& d = def(op.op);
    if (d.results.size() == 1 && op.results.size() > 1) {
      const std::string base = fmt::format("%{}", next_++);
      for (std::size_t i = 0; i < op.results.size(); ++i)
        names_[op.results[i].index] = fmt::format("{}#{}", base, i);
      out_ += fmt::format("{}:{} = ", base, op.results.size());
    } else {
      name_all(op.results);
      out_ += names(op.results) + " = ";
    }
  }
  void name_all(std::span<const ValueId> values) {
    for (const ValueId v : values) names_[v.index] = fmt::format("%{}", next_++);
  }

  void operation(const Operation& op, int depth) {
    name_results(op);
    const OpDef& d = def(op.op);
    out_ += d.name;
    out_ += ' ';
    switch (op.op) {
    case Op::for_: for_loop(op, depth); break;
    case Op::loop: loop(op, depth); break;
    case Op::if_: branch(op, depth); break;
    case Op::make_tensor_view: tensor_view(op); break;
    default: append(out_, d.text.empty() ? usual_form(op) : fill(op, d.text).text);
    }
    if (op.op == Op::reduce || op.op == Op::scan) combiner(op, depth);
    out_.erase(out_.find_last_not_of(' ') + 1);
    out_ += "\n";
  }

  void combiner(const Operation& op, int depth) {
    const std::vector<ValueId>& args = f_[op.regions[0]].args;
    name_all(args);
    std::string params;
    for (const ValueId a : args)
      params += fmt::format("{}{}: {}", params.empty() ? "" : ", ", name(a), type(a));
    out_ += "\n";
    indent(depth);
    out_ += "(" + params + ") ";
    region(op.regions[0], depth);
  }

  std::string carried(std::span<const ValueId> args, std::span<const ValueId> inits) const {
    std::string out;
    for (std::size_t i = 0; i < inits.size(); ++i)
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name(args, i), name(inits[i]));
    return out;
  }

  void for_loop(const Operation& op, int depth) {
    const std::span<const ValueId> args = f_[op.regions[0]].args;
    name_all(args);
    out_ += fmt::format("{}{} in ({} to {}, step {}) : {} ",
                        flag_attribute(op, "unsignedCmp") ? "unsigned " : "", name(args, 0),
                        name(op.operands[0]), name(op.operands[1]), name(op.operands[2]),
                        type(op.operands[0]));
    if (!op.results.empty()) {
      out_ += fmt::format("iter_values({}) -> ({}) ",
                          carried(args.subspan(args.empty() ? 0 : 1), operand_group(op, 3)),
                          types(op.results));
    }
    region(op.regions[0], depth);
  }

  void loop(const Operation& op, int depth) {
    const std::span<const ValueId> args = f_[op.regions[0]].args;
    name_all(args);
    if (!args.empty()) out_ += fmt::format("iter_values({}) ", carried(args, op.operands));
    if (!args.empty() || !op.results.empty()) out_ += ": ";
    if (!args.empty()) out_ += types(args) + " ";
    if (!args.empty() && !op.results.empty()) out_ += "-> ";
    if (!op.results.empty()) out_ += types(op.results) + " ";
    region(op.regions[0], depth);
  }

  void branch(const Operation& op, int depth) {
    out_ += name(op.operands[0]) + " ";
    if (!op.results.empty()) out_ += fmt::format("-> ({}) ", types(op.results));
    region(op.regions[0], depth);
    if (!op.regions[1].valid()) return;
    out_ += " else ";
    region(op.regions[1], depth);
  }

  void tensor_view(const Operation& op) {
    const Type& view = m_.types[f_[op.results[0]].type];
    const auto list = [&](const std::vector<std::int64_t>& extents, std::size_t group) {
      std::string out;
      const std::span<const ValueId> dynamics = operand_group(op, group);
      std::size_t next = 0;
      for (const std::int64_t extent : extents) {
        if (!out.empty()) out += ", ";
        out += extent == dynamic ? name(dynamics, next++) : fmt::to_string(extent);
      }
      return out;
    };
    out_ += fmt::format("{}, shape = [{}], strides = [{}] : ", name(op.operands[0]),
                        list(view.shape, 1), list(view.strides, 2));
    // The type of the extents, or else of a pointer that is not an ordinary one.
    if (op.operands.size() > 1)
      out_ += type(op.operands[1]) + " -> ";
    else if (view.multicast)
      out_ += type(op.operands[0]) + " -> ";
    out_ += type(op.results[0]);
  }

  const Module& m_;
  const Function& f_;
  std::vector<std::string> names_;
  std::string out_;
  int next_ = 0;
};

} // namespace

std::string print(const Module& module, const Function& function) {
  return Printer(module, function).run();
}

std::string print(const Module& module) {
  std::string out;
  for (const Global& g : module.globals) {
    const std::string alignment =
        g.alignment == 0 ? "" : fmt::format(" alignment = {}", g.alignment);
    out += fmt::format("global {}{}{}{} {} : {}\n", g.is_private ? "private " : "",
                       g.constant ? "constant " : "", symbol_text(g.name), alignment,
                       constant_text(module.types, module[g.value]),
                       module.types.text(module[g.value].type));
  }
  for (const Function& f : module.functions) out += print(module, f);
  return out;
}

} // namespace cutile::ir
