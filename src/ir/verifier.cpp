#include "ir/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/verifier_rules.hpp"

namespace cutile::ir {
namespace {

/// The alternative of Attr that an attribute of this kind holds.
bool holds(const Attr& value, AttrKind kind) {
  switch (kind) {
  case AttrKind::enumeration:
  case AttrKind::integer: return std::holds_alternative<std::int64_t>(value);
  case AttrKind::boolean:
  case AttrKind::unit: return std::holds_alternative<bool>(value);
  case AttrKind::string:
  case AttrKind::symbol: return std::holds_alternative<std::string>(value);
  case AttrKind::type: return std::holds_alternative<TypeId>(value);
  case AttrKind::dense: return std::holds_alternative<ConstantId>(value);
  case AttrKind::i32_array: return std::holds_alternative<std::vector<std::int32_t>>(value);
  case AttrKind::bool_array: return std::holds_alternative<std::vector<bool>>(value);
  case AttrKind::literal_array: return std::holds_alternative<std::vector<Literal>>(value);
  case AttrKind::hints: return std::holds_alternative<Hints>(value);
  case AttrKind::predicate: return std::holds_alternative<Predicate>(value);
  case AttrKind::dictionary_array: return false;
  }
  return false;
}

/// Walks a module: symbols, what the table says of every operation, regions and dominance. The
/// rules of single types and operations are in verifier_*.cpp.
class Verifier {
 public:
  explicit Verifier(const Module& module) : m_(module) {}

  std::vector<Diagnostic> run() {
    for (std::uint32_t i = 0; i < m_.types.size(); ++i) {
      if (const std::string problem = check_type(m_.types, {i}); !problem.empty())
        error({}, fmt::format("{}: {}", m_.types.text({i}), problem));
    }
    if (!found_.empty()) return std::move(found_); // everything else relies on the types
    for (const Constant& c : m_.constants) {
      if (const std::string problem = check_constant(m_.types, c); !problem.empty())
        error({}, fmt::format("constant of type {}: {}", m_.types.text(c.type), problem));
    }
    for (const Global& g : m_.globals) global(g);
    for (const Function& f : m_.functions) function(f);
    return std::move(found_);
  }

 private:
  void error(SourceLoc at, std::string message) {
    ++problems_;
    if (found_.size() < most_diagnostics) found_.push_back({at, std::move(message)});
  }
  void op_error(const Operation& op, std::string_view message) {
    error(op.loc, fmt::format("{}: {}", def(op.op).name, message));
  }

  void symbol(SourceLoc at, std::string_view kind, const std::string& name) {
    if (name.empty()) error(at, fmt::format("{} without a name", kind));
    if (!symbols_.insert(name).second)
      error(at, fmt::format("{} '{}' is defined twice", kind, name));
  }

  void global(const Global& g) {
    symbol({}, "global", g.name);
    if (g.value.index >= m_.constants.size()) {
      error({}, fmt::format("global '{}' has no value", g.name));
    } else if (m_.types[m_[g.value].type].shape.size() != 1) {
      error({}, fmt::format("global '{}' must be a tile of rank 1", g.name));
    } else {
      globals_.emplace(g.name, &g);
    }
    if (g.alignment != 0 && !is_power_of_two(static_cast<std::int64_t>(g.alignment)))
      error({}, fmt::format("global '{}': the alignment must be a power of two", g.name));
  }

  void function(const Function& f) {
    f_ = &f;
    symbol(f.loc, "entry", f.name);
    for (const Value& v : f.values) {
      if (v.type.index < m_.types.size()) continue;
      error(f.loc, fmt::format("entry '{}': a value has no type", f.name));
      return;
    }
    for (const ValueId p : f.params()) {
      const Type& t = m_.types[f[p].type];
      if (t.kind != TypeKind::tile || !t.shape.empty())
        error(f.loc, fmt::format("entry '{}': a parameter must be a number or a pointer, not {}",
                                 f.name, m_.types.text(f[p].type)));
    }
    if (const std::string problem = check_hints(f.hints, Op::entry); !problem.empty())
      error(f.loc, fmt::format("entry '{}': {}", f.name, problem));
    defined_.assign(f.values.size(), false);
    block(f.body, Op::entry);
  }

  /// What may end a region of `parent`.
  static bool may_end(Op parent, Op terminator) {
    switch (parent) {
    case Op::entry: return terminator == Op::return_;
    case Op::for_: return terminator == Op::continue_;
    case Op::loop: return terminator != Op::yield;
    case Op::if_: return true;
    default: return terminator == Op::yield; // reduce, scan
    }
  }

  void block(BlockId id, Op parent) {
    const Function& f = *f_;
    const std::vector<OpId>& ops = f[id].ops;
    if (ops.empty() || !def(f[ops.back()].op).has(terminator)) {
      error(ops.empty() ? f.loc : f[ops.back()].loc,
            fmt::format("a region of {} does not end in a terminator", def(parent).name));
    } else if (!may_end(parent, f[ops.back()].op)) {
      op_error(f[ops.back()], fmt::format("cannot end a region of {}", def(parent).name));
    }
    std::vector<ValueId> introduced = f[id].args;
    for (const ValueId a : introduced) defined_[a.index] = true;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const Operation& op = f[ops[i]];
      if (def(op.op).has(terminator) && i + 1 != ops.size())
        op_error(op, "stands before the end of its region");
      operation(op);
      for (const ValueId r : op.results) {
        defined_[r.index] = true;
        introduced.push_back(r);
      }
    }
    for (const ValueId v : introduced) defined_[v.index] = false;
  }

  void operation(const Operation& op) {
    const std::size_t before = problems_;
    const OpDef& d = def(op.op);
    if (d.has(container)) return op_error(op, "cannot stand inside an entry");
    for (const ValueId v : op.operands) {
      if (v.index >= defined_.size() || !defined_[v.index])
        return op_error(op, "an operand is used before it is defined, or outside the region that "
                            "defines it");
    }
    if (!counts(op, d)) return;
    for (std::size_t g = 0; g < d.operands.size(); ++g) {
      for (const ValueId v : operand_group(op, g)) value(op, d.operands[g], v);
    }
    for (std::size_t i = 0; i < op.results.size(); ++i)
      value(op, d.results[std::min(i, d.results.size() - 1)], op.results[i]);
    for (std::size_t i = 0; i < d.attributes.size(); ++i)
      attribute(op, d.attributes[i], op.attributes[i]);
    if (problems_ != before) return; // the rules below rely on those above
    traits(op, d);
    if (problems_ != before) return;
    const OpContext context{m_, globals_, *f_, op};
    for (const std::string& problem : {check_computation(context), check_memory(context)}) {
      if (!problem.empty()) op_error(op, problem);
    }
    regions(op);
    leave(op);
  }

  bool counts(const Operation& op, const OpDef& d) {
    std::size_t total = 0;
    bool good =
        op.segments.size() == d.operands.size() && op.attributes.size() == d.attributes.size();
    for (std::size_t g = 0; good && g < d.operands.size(); ++g) {
      const Arity arity = d.operands[g].arity;
      const std::uint32_t count = op.segments[g];
      total += count;
      good = arity == Arity::variadic || count == 1 || (arity == Arity::optional && count == 0);
      if (!good)
        op_error(op, fmt::format("needs one operand {}, not {}", d.operands[g].name, count));
    }
    if (!good) return false;
    const bool several = d.results.size() == 1 && d.results[0].arity == Arity::variadic;
    if (total != op.operands.size()) {
      op_error(op, "its groups of operands do not add up");
    } else if (!several && op.results.size() != d.results.size()) {
      op_error(op, fmt::format("has {} results, not {}", d.results.size(), op.results.size()));
    } else if (op.regions.size() != static_cast<std::size_t>(d.regions)) {
      op_error(op, fmt::format("has {} regions, not {}", d.regions, op.regions.size()));
    } else if (!op.regions.empty() && !op.regions[0].valid()) {
      op_error(op, "a region is missing");
    } else {
      return true;
    }
    return false;
  }

  void value(const Operation& op, const ValueDef& d, ValueId v) {
    const TypeId type = (*f_)[v].type;
    if (!contains(d.types, m_.types, type)) {
      op_error(op, fmt::format("{} must be {}, not {}", d.name, description(d.types),
                               m_.types.text(type)));
    } else if (d.rank == Rank::scalar && !m_.types[type].shape.empty()) {
      op_error(op, fmt::format("{} must have rank 0, not be {}", d.name, m_.types.text(type)));
    }
  }

  void attribute(const Operation& op, const AttrDef& a, const Attr& value) {
    if (std::holds_alternative<std::monostate>(value)) {
      const bool may_miss = a.optional || a.default_value || a.kind == AttrKind::unit ||
                            a.kind == AttrKind::boolean || a.kind == AttrKind::bool_array;
      if (!may_miss) op_error(op, fmt::format("attribute {} is missing", a.name));
      return;
    }
    if (!holds(value, a.kind))
      return op_error(op, fmt::format("attribute {} has the wrong kind of value", a.name));
    if (a.kind == AttrKind::enumeration) {
      const std::int64_t v = std::get<std::int64_t>(value);
      const auto spelling = enum_spelling(a.enum_id, v);
      if (!spelling) {
        op_error(op, fmt::format("attribute {} has no value {}", a.name, v));
      } else if ((a.allowed >> static_cast<unsigned>(v) & 1U) == 0) {
        op_error(op, fmt::format("attribute {} cannot be {} here", a.name, *spelling));
      }
    } else if (const auto* constant = std::get_if<ConstantId>(&value)) {
      if (constant->index >= m_.constants.size())
        op_error(op, fmt::format("attribute {} has no value", a.name));
    } else if (const auto* hints = std::get_if<Hints>(&value)) {
      if (const std::string problem = check_hints(*hints, op.op); !problem.empty())
        op_error(op, problem);
    }
  }

  void traits(const Operation& op, const OpDef& d) {
    const Function& f = *f_;
    for (const ValueId v : op.operands) {
      const TypeId type = f[v].type;
      if (d.has(same_type) && type != f[op.results[0]].type)
        return op_error(op, fmt::format("operands and result must have one type, not {} and {}",
                                        m_.types.text(type), m_.types.text(f[op.results[0]].type)));
      if (d.has(elementwise) && m_.types[type].shape != m_.types[f[op.results[0]].type].shape)
        return op_error(op, fmt::format("operands and result must have one shape, not {} and {}",
                                        m_.types.text(type), m_.types.text(f[op.results[0]].type)));
    }
  }

  void regions(const Operation& op) {
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      if (op.regions[i].valid()) {
        around_.push_back(&op);
        block(op.regions[i], op.op);
        around_.pop_back();
        yields(op, op.regions[i]);
      } else if (!op.results.empty()) {
        op_error(op, "an if with results needs an else");
      }
    }
  }

  bool same_types(std::span<const ValueId> a, std::span<const ValueId> b) const {
    const auto same = [&](ValueId x, ValueId y) { return (*f_)[x].type == (*f_)[y].type; };
    return std::ranges::equal(a, b, same);
  }

  /// The yield of a branch gives the results of the if.
  void yields(const Operation& op, BlockId region) {
    const std::vector<OpId>& ops = (*f_)[region].ops;
    if (op.op != Op::if_ || ops.empty()) return;
    const Operation& last = (*f_)[ops.back()];
    if (last.op == Op::yield && !same_types(last.operands, op.results))
      op_error(last, "the values differ in type from the results of the if");
  }

  /// break, continue and return leave the ifs around them and go to a loop or end the entry.
  void leave(const Operation& op) {
    if (op.op == Op::return_ && !op.operands.empty()) op_error(op, "an entry returns nothing");
    for (auto around = around_.rbegin(); around != around_.rend(); ++around) {
      const Operation& target = **around;
      if (target.op == Op::if_) continue;
      if (op.op == Op::return_) {
        if (target.op == Op::loop) continue;
        op_error(op, fmt::format("cannot leave a {}", def(target.op).name));
      } else if (op.op == Op::break_) {
        if (target.op != Op::loop)
          op_error(op, fmt::format("cannot leave a {}", def(target.op).name));
        else if (!same_types(op.operands, target.results))
          op_error(op, "the values differ in type from the results of the loop");
      } else if (op.op == Op::continue_) {
        next_turn(op, target);
      }
      return;
    }
    if (op.op == Op::break_ || op.op == Op::continue_) op_error(op, "stands outside a loop");
  }

  void next_turn(const Operation& op, const Operation& target) {
    if (target.op != Op::for_ && target.op != Op::loop)
      return op_error(op, fmt::format("cannot leave a {}", def(target.op).name));
    const std::span<const ValueId> args = (*f_)[target.regions[0]].args;
    const std::size_t index = target.op == Op::for_ ? 1 : 0;
    if (args.size() >= index && !same_types(op.operands, args.subspan(index)))
      op_error(op, "the values differ in type from those the loop carries");
  }

  const Module& m_;
  const Function* f_ = nullptr;
  std::set<std::string> symbols_;
  std::map<std::string_view, const Global*> globals_;
  std::vector<bool> defined_;            ///< values that the operation at hand may use
  std::vector<const Operation*> around_; ///< operations whose regions the walk is in
  std::vector<Diagnostic> found_;
  std::size_t problems_ = 0; ///< found, listed or not
};

} // namespace

std::vector<Diagnostic> verify(const Module& module) { return Verifier(module).run(); }

} // namespace cutile::ir
