#include "ir/text.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace cutile::ir {
namespace {

/// Value of a 16-bit float's or f32's or f64's bits.
double decode(TypeKind kind, std::uint64_t bits) {
  const auto small = [&](int exponent_bits, int mantissa_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const auto e = static_cast<int>((bits >> static_cast<unsigned>(mantissa_bits)) & ((1U << static_cast<unsigned>(exponent_bits)) - 1));
    const auto m = static_cast<double>(bits & ((1U << static_cast<unsigned>(mantissa_bits)) - 1));
    const double scale = std::ldexp(1.0, mantissa_bits);
    const double magnitude = e == 0 ? std::ldexp(m / scale, 1 - bias) : std::ldexp(1 + m / scale, e - bias);
    return ((bits >> static_cast<unsigned>(exponent_bits + mantissa_bits)) & 1U) != 0 ? -magnitude : magnitude;
  };
  switch (kind) {
    case TypeKind::f16: return small(5, 10);
    case TypeKind::bf16: return small(8, 7);
    case TypeKind::tf32:
    case TypeKind::f32: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case TypeKind::f64: return std::bit_cast<double>(bits);
    case TypeKind::f8e4m3fn: return small(4, 3);
    case TypeKind::f8e5m2: return small(5, 2);
    case TypeKind::f4e2m1fn: return small(2, 1);
    case TypeKind::f8e8m0fnu: return std::ldexp(1.0, static_cast<int>(bits) - 127);
    default: return 0;
  }
}

/// Bits of infinity and NaN are not numbers that the text form writes.
bool is_finite(TypeKind kind, std::uint64_t bits) {
  switch (kind) {
    case TypeKind::f16: return (bits & 0x7c00U) != 0x7c00U;
    case TypeKind::bf16: return (bits & 0x7f80U) != 0x7f80U;
    case TypeKind::tf32:
    case TypeKind::f32: return (bits & 0x7f800000U) != 0x7f800000U;
    case TypeKind::f64: return (bits & 0x7ff0000000000000U) != 0x7ff0000000000000U;
    case TypeKind::f8e4m3fn: return (bits & 0x7fU) != 0x7fU;
    case TypeKind::f8e5m2: return (bits & 0x7cU) != 0x7cU;
    case TypeKind::f8e8m0fnu: return bits != 0xffU;
    default: return true;
  }
}

std::string number_text(TypeKind kind, std::uint64_t bits) {
  if (kind == TypeKind::i1) return bits != 0 ? "true" : "false";
  const auto width = static_cast<unsigned>(bit_width(kind));
  if (is_integer(kind)) return fmt::format("{}", static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width));
  if (!is_finite(kind, bits)) {
    const std::uint64_t shown = kind == TypeKind::tf32 ? bits >> 13U : bits;
    return fmt::format("0x{:0{}X}", shown, (width + 3) / 4);
  }
  // Six digits where they are exact, else as many as it takes to read the value back.
  const double value = decode(kind, bits);
  const std::string six = fmt::format("{:.6e}", value);
  if (std::strtod(six.c_str(), nullptr) == value) return six;
  return fmt::format("{:.{}e}", value, kind == TypeKind::f64 ? 16 : 8);
}

class Printer {
 public:
  Printer(const Module& module, const Function& function) : m_(module), f_(function), names_(function.values.size()) {}

  std::string run() {
    std::string params;
    for (std::size_t i = 0; i < f_.params().size(); ++i) {
      const ValueId p = f_.params()[i];
      names_[p.index] = fmt::format("%arg{}", i);
      params += fmt::format("{}{}: {}", i == 0 ? "" : ", ", names_[p.index], type(p));
    }
    out_ = fmt::format("entry @{}({})", f_.name, params);
    if (!f_.hints.entries.empty()) out_ += " optimization_hints=" + hints(f_.hints);
    out_ += " {\n";
    block(f_.body, 1);
    return out_ + "}\n";
  }

 private:
  std::string type(ValueId v) const { return m_.types.text(f_[v].type); }
  std::string use(ValueId v) const { return names_[v.index]; }

  template <class Range> std::string uses(const Range& values) const {
    std::string out;
    for (const ValueId v : values) out += (out.empty() ? "" : ", ") + use(v);
    return out;
  }
  template <class Range> std::string types_of(const Range& values) const {
    std::string out;
    for (const ValueId v : values) out += (out.empty() ? "" : ", ") + type(v);
    return out;
  }

  static std::string hints(const Hints& h) {
    std::string out;
    for (const Hints::Entry& entry : h.entries) {
      std::string values;
      for (const auto& [key, value] : entry.values) {
        const bool* flag = std::get_if<bool>(&value);
        values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", key,
                              flag != nullptr ? (*flag ? "true" : "false") : fmt::format("{}", std::get<std::int32_t>(value)));
      }
      out += fmt::format("{}{} = {{{}}}", out.empty() ? "" : ", ", entry.arch, values);
    }
    return "<" + out + ">";
  }

  static std::string bound(const std::optional<std::int64_t>& v) { return v ? fmt::format("{}", *v) : "?"; }

  static std::string predicate(const Predicate& p) {
    if (const auto* div = std::get_if<DivBy>(&p)) {
      std::string out = fmt::format("div_by<{}", div->divisor);
      if (div->every_along) out += fmt::format(", every {} along {}", div->every_along->first, div->every_along->second);
      return out + ">";
    }
    if (const auto* same = std::get_if<SameElements>(&p)) return fmt::format("same_elements<[{}]>", fmt::join(same->group, ", "));
    const auto& bounds = std::get<Bounded>(p);
    return fmt::format("bounded<{}, {}>", bound(bounds.lower), bound(bounds.upper));
  }

  std::string constant(const Constant& c) const {
    const TypeKind kind = m_.types.element_kind(c.type);
    const auto size = static_cast<std::size_t>(storage_bytes(kind));
    std::string values;
    for (std::size_t i = 0; i < c.data.size(); i += size) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, c.data.data() + i, size);
      values += (i == 0 ? "" : ", ") + number_text(kind, bits);
    }
    const bool list = c.data.size() > size;
    return fmt::format("<{}: {}{}{}>", spelling(kind), list ? "[" : "", values, list ? "]" : "");
  }

  std::string_view name(const Operation& op, std::string_view attribute_name) const {
    const AttrDef& a = def(op.op).attributes[def(op.op).attribute(attribute_name)];
    return enum_spelling(a.enum_id, int_attribute(op, attribute_name)).value_or("?");
  }

  /// " rounding<zero>" unless it is the one that is understood.
  std::string rounding(const Operation& op, std::string_view attribute_name, RoundingMode understood) const {
    if (enum_attribute<RoundingMode>(op, attribute_name) == understood) return "";
    return fmt::format(" rounding<{}>", name(op, attribute_name));
  }

  /// Options that stand behind the operands of arithmetic, in the order of the table.
  std::string options(const Operation& op) const {
    std::string out;
    const OpDef& d = def(op.op);
    for (const AttrDef& a : d.attributes) {
      if (a.kind == AttrKind::unit) {
        if (flag_attribute(op, a.name)) out += fmt::format(" {}", a.name);
      } else if (a.enum_id == EnumId::rounding_mode) {
        const bool integer_target = op.op == Op::ftoi;
        const RoundingMode understood = a.default_value ? static_cast<RoundingMode>(*a.default_value)
                                        : integer_target ? RoundingMode::nearest_int_to_zero
                                                         : RoundingMode::nearest_even;
        out += rounding(op, a.name, understood);
      } else if (a.enum_id == EnumId::overflow) {
        if (int_attribute(op, a.name) != 0) out += fmt::format(" overflow<{}>", name(op, a.name));
      } else if (a.enum_id == EnumId::signedness) {
        out += fmt::format(" {}", name(op, a.name));
      }
    }
    return out;
  }

  void block(BlockId id, int depth) {
    for (const OpId op : f_[id].ops) operation(f_[op], depth);
  }

  void arguments(BlockId region, std::size_t from, std::string_view prefix) {
    for (std::size_t i = from; i < f_[region].args.size(); ++i) names_[f_[region].args[i].index] = fmt::format("%{}{}", prefix, next_++);
  }

  void indent(int depth) { out_.append(static_cast<std::size_t>(2 * depth), ' '); }

  void region(BlockId id, int depth) {
    out_ += "{\n";
    block(id, depth + 1);
    indent(depth);
    out_ += "}";
  }

  void operation(const Operation& op, int depth) {
    indent(depth);
    if (!op.results.empty()) {
      // Results of a fixed number are named one by one, a variable number under one name.
      const OpDef& d = def(op.op);
      const bool group = d.results.size() == 1 && op.results.size() > 1;
      const std::string base = fmt::format("%{}", next_);
      for (std::size_t i = 0; i < op.results.size(); ++i) {
        names_[op.results[i].index] = group ? fmt::format("{}#{}", base, i) : fmt::format("%{}", next_++);
      }
      if (group) ++next_;
      out_ += (group ? fmt::format("{}:{}", base, op.results.size()) : uses(op.results)) + " = ";
    }
    out_ += def(op.op).name;
    body(op, depth);
    out_ += "\n";
  }

  std::string ordering(const Operation& op) const {
    std::string out = fmt::format(" {}", name(op, "memory_ordering_semantics"));
    if (!std::holds_alternative<std::monostate>(attribute(op, "memory_scope"))) out += fmt::format(" {}", name(op, "memory_scope"));
    return out;
  }
  std::string token(const Operation& op, std::size_t group) const {
    const ValueId t = operand(op, group);
    return t.valid() ? fmt::format(" token = {}", use(t)) : "";
  }
  std::string hint_clause(const Operation& op) const {
    const auto* h = std::get_if<Hints>(&attribute(op, "optimization_hints"));
    return h == nullptr ? "" : " optimization_hints = " + hints(*h);
  }
  /// Types of an access's indices: one where all are equal, as in every view but a gather.
  std::string index_types(std::span<const ValueId> indices) const {
    for (const ValueId i : indices) {
      if (f_[i].type != f_[indices[0]].type) return types_of(indices);
    }
    return indices.empty() ? "" : type(indices[0]);
  }

  std::string result_list(const Operation& op) const {
    return op.results.empty() ? "" : fmt::format(" -> ({})", types_of(op.results));
  }

  void body(const Operation& op, int depth) {
    const auto& in = op.operands;
    const OpDef& d = def(op.op);
    switch (op.op) {
      case Op::constant: out_ += fmt::format(" {} : {}", constant(m_[std::get<ConstantId>(op.attributes[0])]), type(op.results[0])); return;
      case Op::iota:
      case Op::make_token:
      case Op::get_tile_block_id:
      case Op::get_num_tile_blocks: out_ += " : " + type(op.results[0]); return;
      case Op::get_global: out_ += fmt::format(" @{} : {}", std::get<std::string>(op.attributes[0]), type(op.results[0])); return;
      case Op::assume: out_ += fmt::format(" {}, {} : {}", predicate(std::get<Predicate>(op.attributes[0])), use(in[0]), type(in[0])); return;
      case Op::assert_:
        out_ += fmt::format(" {}, {:?} : {}", use(in[0]), std::get<std::string>(op.attributes[0]), type(in[0]));
        return;
      case Op::cmpf:
        out_ += fmt::format(" {} {} {} : {} -> {}", name(op, "comparison_predicate"), name(op, "comparison_ordering"), uses(in), type(in[0]),
                            type(op.results[0]));
        return;
      case Op::cmpi:
        out_ += fmt::format(" {} {}, {} : {} -> {}", name(op, "comparison_predicate"), uses(in), name(op, "signedness"), type(in[0]),
                            type(op.results[0]));
        return;
      case Op::select: out_ += fmt::format(" {} : {}, {}", uses(in), type(in[0]), type(in[1])); return;
      case Op::permute:
        out_ += fmt::format(" {} [{}] : {} -> {}", use(in[0]), fmt::join(std::get<std::vector<std::int32_t>>(op.attributes[0]), ", "),
                            type(in[0]), type(op.results[0]));
        return;
      case Op::cat:
        out_ += fmt::format(" {} dim = {} : {} -> {}", uses(in), int_attribute(op, "dim"), types_of(in), type(op.results[0]));
        return;
      case Op::extract:
        out_ += fmt::format(" {}[{}] : {} -> {}", use(in[0]), uses(operand_group(op, 1)), type(in[0]), type(op.results[0]));
        return;
      case Op::insert:
        out_ += fmt::format(" {} into {}[{}] : {} -> {}", use(in[0]), use(in[1]), uses(operand_group(op, 2)), type(in[0]), type(in[1]));
        return;
      case Op::pow:
      case Op::atan2:
      case Op::remf: break;
      case Op::offset:
      case Op::fpowi:
        out_ += fmt::format(" {} : {} -> {}", uses(in), types_of(in), type(op.results[0]));
        return;
      case Op::mmaf:
      case Op::mmaf_scaled: out_ += fmt::format(" {}{} : {}", uses(in), options(op), types_of(in)); return;
      case Op::mmai:
        out_ += fmt::format(" {} {} {} : {}", uses(in), name(op, "signedness_lhs"), name(op, "signedness_rhs"), types_of(in));
        return;
      case Op::get_index_space_shape:
      case Op::get_tensor_shape: out_ += fmt::format(" {} : {} -> {}", use(in[0]), type(in[0]), type(op.results[0])); return;
      case Op::join_tokens: out_ += fmt::format(" {} : {}", uses(in), type(op.results[0])); return;
      case Op::make_tensor_view: make_tensor_view(op); return;
      case Op::make_partition_view:
      case Op::make_strided_view:
      case Op::make_gather_scatter_view: out_ += fmt::format(" {} : {}", use(in[0]), type(op.results[0])); return;
      case Op::load_view_tko: {
        const auto index = operand_group(op, 1);
        out_ += fmt::format("{} {}[{}]{}{} : {}, {} -> {}", ordering(op), use(in[0]), uses(index), token(op, 2), hint_clause(op), type(in[0]),
                            index_types(index), types_of(op.results));
        return;
      }
      case Op::store_view_tko: {
        const auto index = operand_group(op, 2);
        out_ += fmt::format("{} {}, {}[{}]{}{} : {}, {}, {} -> {}", ordering(op), use(in[0]), use(in[1]), uses(index), token(op, 3),
                            hint_clause(op), type(in[0]), type(in[1]), index_types(index), types_of(op.results));
        return;
      }
      case Op::load_ptr_tko:
      case Op::store_ptr_tko: {
        const std::size_t token_group = 3;
        std::vector<ValueId> values;
        for (std::size_t g = 0; g < token_group; ++g) {
          for (const ValueId v : operand_group(op, g)) values.push_back(v);
        }
        out_ += fmt::format("{} {}{}{} : {} -> {}", ordering(op), uses(values), token(op, token_group), hint_clause(op), types_of(values),
                            types_of(op.results));
        return;
      }
      case Op::atomic_rmw_tko: {
        const ValueId mask = operand(op, 2);
        out_ += fmt::format("{} {}, {}, {}{}{} : {}, {}{} -> {}", ordering(op), use(in[0]), name(op, "mode"), use(in[1]),
                            mask.valid() ? ", " + use(mask) : "", token(op, 3), type(in[0]), type(in[1]),
                            mask.valid() ? ", " + type(mask) : "", types_of(op.results));
        return;
      }
      case Op::atomic_cas_tko: {
        const ValueId mask = operand(op, 3);
        out_ += fmt::format("{} {}, {}, {}{}{} : {}, {}{} -> {}", ordering(op), use(in[0]), use(in[1]), use(in[2]),
                            mask.valid() ? ", " + use(mask) : "", token(op, 4), type(in[0]), type(in[1]),
                            mask.valid() ? ", " + type(mask) : "", types_of(op.results));
        return;
      }
      case Op::reduce:
      case Op::scan: reduce(op, depth); return;
      case Op::for_: loop_for(op, depth); return;
      case Op::loop: loop(op, depth); return;
      case Op::if_:
        out_ += fmt::format(" {}{} ", use(in[0]), result_list(op));
        region(op.regions[0], depth);
        if (op.regions[1].valid()) {
          out_ += " else ";
          region(op.regions[1], depth);
        }
        return;
      case Op::print_tko:
        out_ += fmt::format(" {:?}", std::get<std::string>(op.attributes[0]));
        if (op.segments[0] != 0) out_ += ", " + uses(operand_group(op, 0));
        out_ += token(op, 1);
        out_ += op.segments[0] != 0 ? fmt::format(" : {} -> token", types_of(operand_group(op, 0))) : " : -> token";
        return;
      default: break;
    }
    if (d.has(terminator)) {
      if (!in.empty()) out_ += fmt::format(" {} : {}", uses(in), types_of(in));
      return;
    }
    if (d.has(same_type)) {
      out_ += fmt::format(" {}{} : {}", uses(in), options(op), type(op.results[0]));
      return;
    }
    // Conversions and the like: operands, options, types on both sides of an arrow.
    out_ += in.empty() ? "" : " " + uses(in);
    out_ += options(op);
    out_ += fmt::format(" : {} -> {}", types_of(in), types_of(op.results));
  }

  void make_tensor_view(const Operation& op) {
    const Type& view = m_.types[f_[op.results[0]].type];
    const auto list = [&](const std::vector<std::int64_t>& statics, std::span<const ValueId> dynamics) {
      std::string out;
      std::size_t next = 0;
      for (const std::int64_t v : statics) out += (out.empty() ? "" : ", ") + (v == dynamic ? use(dynamics[next++]) : fmt::format("{}", v));
      return out;
    };
    out_ += " " + use(op.operands[0]);
    if (!view.shape.empty()) {
      out_ += fmt::format(", shape = [{}], strides = [{}]", list(view.shape, operand_group(op, 1)), list(view.strides, operand_group(op, 2)));
    }
    out_ += " : ";
    if (op.operands.size() > 1) out_ += type(op.operands[1]) + " -> ";
    out_ += type(op.results[0]);
  }

  void reduce(const Operation& op, int depth) {
    std::string identities;
    for (const Literal& l : std::get<std::vector<Literal>>(attribute(op, "identities"))) {
      const TypeKind kind = m_.types[l.type].kind;
      identities += fmt::format("{}{} : {}", identities.empty() ? "" : ", ", number_text(kind, l.bits), spelling(kind));
    }
    out_ += fmt::format(" {} dim={}", uses(op.operands), int_attribute(op, "dim"));
    if (op.op == Op::scan) out_ += fmt::format(" reverse={}", flag_attribute(op, "reverse") ? "true" : "false");
    out_ += fmt::format(" identities=[{}] : {} -> {} \n", identities, types_of(op.operands), types_of(op.results));
    indent(depth);
    arguments(op.regions[0], 0, "r");
    std::string params;
    for (const ValueId a : f_[op.regions[0]].args) params += fmt::format("{}{}: {}", params.empty() ? "" : ", ", use(a), type(a));
    out_ += fmt::format("({}) ", params);
    region(op.regions[0], depth);
  }

  std::string iter_values(BlockId region, std::size_t from, std::span<const ValueId> inits) const {
    std::string out;
    for (std::size_t i = 0; i < inits.size(); ++i) {
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", use(f_[region].args[from + i]), use(inits[i]));
    }
    return out;
  }

  void loop_for(const Operation& op, int depth) {
    const BlockId r = op.regions[0];
    arguments(r, 0, "i");
    const auto inits = operand_group(op, 3);
    out_ += fmt::format(" {}{} in ({} to {}, step {}) : {} ", flag_attribute(op, "unsignedCmp") ? "unsigned " : "", use(f_[r].args[0]),
                        use(op.operands[0]), use(op.operands[1]), use(op.operands[2]), type(op.operands[0]));
    if (!inits.empty()) out_ += fmt::format("iter_values({}) -> ({}) ", iter_values(r, 1, inits), types_of(op.results));
    region(r, depth);
  }

  void loop(const Operation& op, int depth) {
    const BlockId r = op.regions[0];
    arguments(r, 0, "l");
    const auto inits = operand_group(op, 0);
    out_ += " ";
    if (!inits.empty()) {
      out_ += fmt::format("iter_values({}) : {} -> {} ", iter_values(r, 0, inits), types_of(inits), types_of(op.results));
    }
    region(r, depth);
  }

  const Module& m_;
  const Function& f_;
  std::vector<std::string> names_;
  std::string out_;
  int next_ = 0;
};

} // namespace

std::string print(const Module& module, const Function& function) { return Printer(module, function).run(); }

std::string print(const Module& module) {
  std::string out;
  for (const Global& g : module.globals) out += fmt::format("global @{}\n", g.name);
  for (const Function& f : module.functions) out += print(module, f);
  return out;
}

} // namespace cutile::ir
