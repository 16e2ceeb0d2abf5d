#include "ir/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/verifier_shapes.hpp"

namespace cutile::ir {
namespace {

bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/// Rules that hold for every operation, from the table, and those of structure. Shapes are in
/// verifier_shapes.cpp.
class Verifier {
 public:
  explicit Verifier(const Module& module) : m_(module) {}

  std::vector<Diagnostic> run() {
    types();
    for (const Constant& c : m_.constants) constant(c);
    std::set<std::string> names;
    for (const Global& g : m_.globals) {
      if (!names.insert(g.name).second)
        error({}, fmt::format("global '{}' is defined twice", g.name));
      if (m_.types[m_[g.value].type].shape.size() != 1)
        error({}, fmt::format("global '{}' must be a tile of rank 1", g.name));
      if (g.alignment != 0 && !is_power_of_two(static_cast<std::int64_t>(g.alignment))) {
        error({}, fmt::format("global '{}': the alignment must be a power of two", g.name));
      }
    }
    for (const Function& f : m_.functions) function(f);
    return std::move(found_);
  }

 private:
  void error(SourceLoc at, std::string message) { found_.push_back({at, std::move(message)}); }
  void op_error(const Operation& op, std::string_view message) {
    error(op.loc, fmt::format("{}: {}", def(op.op).name, message));
  }

  void types() {
    for (std::uint32_t i = 0; i < m_.types.size(); ++i) {
      const TypeId id{i};
      const Type& t = m_.types[id];
      if (t.kind == TypeKind::tile || is_view(t.kind)) {
        std::int64_t elements = 1;
        for (const std::int64_t extent : t.shape) {
          if (!is_power_of_two(extent) || extent > (1 << 24)) {
            error({}, fmt::format("{}: every extent of a tile must be a power of two",
                                  m_.types.text(id)));
            elements = 1;
            break;
          }
          elements = std::min<std::int64_t>(elements * extent, std::int64_t{1} << 40);
        }
        if (elements > (1 << 24))
          error({}, fmt::format("{}: a tile has at most 16777216 elements", m_.types.text(id)));
      }
      if (t.kind == TypeKind::tensor_view) {
        if (t.shape.size() != t.strides.size())
          error({}, fmt::format("{}: one stride per extent is needed", m_.types.text(id)));
        for (const auto* list : {&t.shape, &t.strides}) {
          for (const std::int64_t v : *list) {
            if (v != dynamic && v <= 0)
              error({}, fmt::format("{}: extents and strides must be positive or dynamic",
                                    m_.types.text(id)));
          }
        }
      }
      if (is_view(t.kind)) view(id, t);
    }
  }

  void view(TypeId id, const Type& t) {
    const Type& tensor = m_.types[t.element];
    if (tensor.kind != TypeKind::tensor_view || tensor.shape.size() != t.shape.size() ||
        t.shape.empty()) {
      error({}, fmt::format("{}: a view needs one tile extent for each axis of its tensor_view",
                            m_.types.text(id)));
      return;
    }
    if (t.padding && *t.padding != Padding::zero && !is_float(m_.types[tensor.element].kind)) {
      error({},
            fmt::format("{}: only floats can be padded with anything but zero", m_.types.text(id)));
    }
    if (t.kind == TypeKind::gather_scatter_view) {
      if (t.sparse_dim < 0 || static_cast<std::size_t>(t.sparse_dim) >= t.shape.size()) {
        error({}, fmt::format("{}: the sparse axis does not exist", m_.types.text(id)));
      }
      return;
    }
    std::vector<std::int32_t> sorted = t.dim_map;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < t.shape.size(); ++i) {
      if (sorted.size() != t.shape.size() || sorted[i] != static_cast<std::int32_t>(i)) {
        error({}, fmt::format("{}: dim_map must be a permutation of the axes", m_.types.text(id)));
        return;
      }
    }
    if (t.kind == TypeKind::strided_view &&
        (t.strides.size() != t.shape.size() ||
         std::any_of(t.strides.begin(), t.strides.end(), [](auto s) { return s <= 0; }))) {
      error({},
            fmt::format("{}: one positive traversal stride per axis is needed", m_.types.text(id)));
    }
  }

  void constant(const Constant& c) {
    const TypeKind kind = m_.types.element_kind(c.type);
    const auto size = static_cast<std::size_t>(storage_bytes(kind));
    if (!is_number(kind) || kind == TypeKind::i4) {
      error({}, fmt::format("a constant cannot be a {}", m_.types.text(c.type)));
    } else if (c.data.size() != size &&
               c.data.size() != size * static_cast<std::size_t>(m_.types.elements(c.type))) {
      error({}, fmt::format("a constant of type {} needs one element or all of them",
                            m_.types.text(c.type)));
    }
  }

  void function(const Function& f) {
    f_ = &f;
    defined_.assign(f.values.size(), false);
    for (const ValueId p : f.params()) {
      const Type& t = m_.types[f[p].type];
      const bool good =
          t.kind == TypeKind::tile && t.shape.empty() &&
          (is_number(m_.types[t.element].kind) || m_.types[t.element].kind == TypeKind::pointer);
      if (!good)
        error(f.loc, fmt::format("entry '{}': a parameter must be a number or a pointer", f.name));
      defined_[p.index] = true;
    }
    entry_hints(f);
    block(f.body, Op::entry);
  }

  void entry_hints(const Function& f) {
    for (const Hints::Entry& entry : f.hints.entries) {
      for (const auto& [key, value] : entry.values) {
        const auto* number = std::get_if<std::int32_t>(&value);
        const std::int32_t v = number == nullptr ? 0 : *number;
        const bool good = (key == "num_cta_in_cga" && is_power_of_two(v) && v <= 16) ||
                          (key == "occupancy" && v >= 1 && v <= 32) ||
                          (key == "num_worker_warps_per_cta" && is_power_of_two(v) && v <= 32);
        if (!good)
          error(f.loc,
                fmt::format("entry '{}': hint {} does not exist or is out of range", f.name, key));
      }
    }
  }

  /// What ends a region of `parent`.
  static bool may_end(Op parent, Op terminator) {
    switch (parent) {
    case Op::entry: return terminator == Op::return_;
    case Op::for_: return terminator == Op::continue_;
    case Op::loop:
      return terminator == Op::continue_ || terminator == Op::break_ || terminator == Op::return_;
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
    const Function& f = *f_;
    const OpDef& d = def(op.op);
    for (const ValueId v : op.operands) {
      if (v.index >= defined_.size() || !defined_[v.index]) {
        op_error(op,
                 "an operand is used before it is defined, or outside the region that defines it");
        return;
      }
    }
    if (!counts(op, d)) return;
    for (std::size_t g = 0; g < d.operands.size(); ++g) {
      for (const ValueId v : operand_group(op, g)) value(op, d.operands[g], f[v].type);
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      value(op, d.results[std::min(i, d.results.size() - 1)], f[op.results[i]].type);
    }
    for (std::size_t i = 0; i < d.attributes.size(); ++i)
      attribute(op, d.attributes[i], op.attributes[i]);
    if (!found_.empty() && found_.back().loc == op.loc)
      return; // the rules below rely on the table's
    if (d.has(same_type)) {
      for (const ValueId v : op.operands) {
        if (f[v].type != f[op.results[0]].type)
          op_error(op, "operands and result must have one type");
      }
    } else if (d.has(elementwise)) {
      for (const ValueId v : op.operands) {
        if (m_.types[f[v].type].shape != m_.types[f[op.results[0]].type].shape)
          op_error(op, "operands and result must have one shape");
      }
    }
    if (const std::string problem = check_shapes(m_, f, op); !problem.empty())
      op_error(op, problem);
    regions(op);
  }

  bool counts(const Operation& op, const OpDef& d) {
    std::size_t total = 0;
    bool good =
        op.segments.size() == d.operands.size() && op.attributes.size() == d.attributes.size();
    for (std::size_t g = 0; good && g < d.operands.size(); ++g) {
      total += op.segments[g];
      good = d.operands[g].arity == Arity::variadic || op.segments[g] == 1 ||
             (d.operands[g].arity == Arity::optional && op.segments[g] == 0);
    }
    const bool variadic_results = d.results.size() == 1 && d.results[0].arity == Arity::variadic;
    if (!good || total != op.operands.size() ||
        (!variadic_results && op.results.size() != d.results.size()) ||
        op.regions.size() != static_cast<std::size_t>(d.regions)) {
      op_error(op, "has the wrong number of operands, results or regions");
      return false;
    }
    return true;
  }

  void value(const Operation& op, const ValueDef& v, TypeId type) {
    if (!contains(v.types, m_.types, type)) {
      op_error(op, fmt::format("{} must be {}, not {}", v.name, description(v.types),
                               m_.types.text(type)));
    } else if (v.rank == Rank::scalar && !m_.types[type].shape.empty()) {
      op_error(op, fmt::format("{} must have rank 0, not {}", v.name, m_.types.text(type)));
    }
  }

  void attribute(const Operation& op, const AttrDef& a, const Attr& value) {
    if (std::holds_alternative<std::monostate>(value)) {
      const bool may_miss = a.optional || a.default_value || a.kind == AttrKind::unit ||
                            a.kind == AttrKind::bool_array || a.kind == AttrKind::boolean ||
                            a.kind == AttrKind::enumeration;
      if (!may_miss) op_error(op, fmt::format("attribute {} is missing", a.name));
      return;
    }
    const std::size_t wanted = [&]() -> std::size_t {
      switch (a.kind) {
      case AttrKind::enumeration:
      case AttrKind::integer: return 1;
      case AttrKind::boolean:
      case AttrKind::unit: return 2;
      case AttrKind::string:
      case AttrKind::symbol: return 3;
      case AttrKind::type: return 4;
      case AttrKind::dense: return 5;
      case AttrKind::i32_array: return 6;
      case AttrKind::bool_array: return 7;
      case AttrKind::literal_array: return 8;
      case AttrKind::hints: return 9;
      default: return 10;
      }
    }();
    if (value.index() != wanted) {
      op_error(op, fmt::format("attribute {} has the wrong kind of value", a.name));
    } else if (a.kind == AttrKind::enumeration &&
               !enum_spelling(a.enum_id, std::get<std::int64_t>(value))) {
      op_error(op,
               fmt::format("attribute {} has no value {}", a.name, std::get<std::int64_t>(value)));
    }
  }

  void regions(const Operation& op) {
    for (std::size_t i = 0; i < op.regions.size(); ++i) {
      if (op.regions[i].valid()) {
        loops_.push_back(&op);
        block(op.regions[i], op.op);
        loops_.pop_back();
        yields(op, op.regions[i]);
      } else if (op.op != Op::if_ || i == 0 || !op.results.empty()) {
        op_error(op, "a region is missing");
      }
    }
    if (op.op == Op::break_ || op.op == Op::continue_) exit(op);
  }

  bool same_types(std::span<const ValueId> a, std::span<const ValueId> b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](ValueId x, ValueId y) { return (*f_)[x].type == (*f_)[y].type; });
  }

  /// The yield of an if's branch gives the results.
  void yields(const Operation& op, BlockId region) {
    const std::vector<OpId>& ops = (*f_)[region].ops;
    if (op.op != Op::if_ || ops.empty()) return;
    const Operation& last = (*f_)[ops.back()];
    if (last.op == Op::yield && !same_types(last.operands, op.results))
      op_error(last, "the values differ in type from the results of the if");
  }

  /// break and continue belong to the innermost loop; break cannot leave a for.
  void exit(const Operation& op) {
    const auto target = std::find_if(loops_.rbegin(), loops_.rend(), [](const Operation* o) {
      return o->op == Op::for_ || o->op == Op::loop;
    });
    if (target == loops_.rend()) {
      op_error(op, "stands outside a loop");
      return;
    }
    const Operation& loop = **target;
    if (op.op == Op::break_) {
      if (loop.op == Op::for_) {
        op_error(op, "cannot leave a for");
      } else if (!same_types(op.operands, loop.results)) {
        op_error(op, "the values differ in type from the results of the loop");
      }
      return;
    }
    const std::vector<ValueId>& args = (*f_)[loop.regions[0]].args;
    const std::span<const ValueId> carried = std::span(args).subspan(loop.op == Op::for_ ? 1 : 0);
    if (!same_types(op.operands, carried))
      op_error(op, "the values differ in type from those the loop carries");
  }

  const Module& m_;
  const Function* f_ = nullptr;
  std::vector<bool> defined_;
  std::vector<const Operation*> loops_;
  std::vector<Diagnostic> found_;
};

} // namespace

std::vector<Diagnostic> verify(const Module& module) { return Verifier(module).run(); }

} // namespace cutile::ir
