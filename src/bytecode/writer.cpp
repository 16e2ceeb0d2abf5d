#include "bytecode/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "bytecode/debug_section.hpp"
#include "bytecode/encoder.hpp"
#include "bytecode/tables.hpp"

namespace cutile::bytecode {
namespace {

using ir::AttrDef;
using ir::AttrKind;
using ir::Function;
using ir::OpDef;
using ir::Operation;
using ir::ValueId;
using ir::Version;

std::string version_text(Version v) { return fmt::format("{}.{}", v / 100, v % 100); }

/// Thrown inside the writer and turned into a Failure at its door.
struct TooNew {
  std::string message;
};

class Writer {
 public:
  Writer(const ir::Module& module, Version version) : module_(module), version_(version), tables_(module, version) {}

  std::vector<std::byte> run() {
    // Functions first: they decide which types, strings and constants there are.
    const Encoder functions = function_section();
    const Encoder globals = global_section();
    Encoder producer;
    if (version_ >= ir::V13_3 && !module_.producer.empty()) producer.varint(tables_.string(module_.producer));
    const std::vector<std::byte> debug = debug_.write(tables_, version_);
    const Encoder constants = tables_.constant_section();
    const Encoder types = tables_.type_section(); // may add strings? types hold none
    const Encoder strings = tables_.string_section();

    Encoder out;
    out.raw(std::string_view("\x7fTileIR\0", 8));
    out.byte(version_ / 100U);
    out.byte(version_ % 100U);
    out.fixed<std::uint16_t>(0);
    if (!module_.globals.empty()) section(out, 6, 1, globals.bytes());
    section(out, 2, 8, functions.bytes());
    if (!constants.bytes().empty()) section(out, 4, 8, constants.bytes());
    if (!debug.empty()) section(out, 3, 8, debug);
    if (!types.bytes().empty()) section(out, 5, 4, types.bytes());
    if (producer.size() != 0) section(out, 7, 1, producer.bytes());
    section(out, 1, 4, strings.bytes());
    out.byte(0);
    return out.take();
  }

 private:
  static void section(Encoder& out, int id, std::size_t alignment, std::span<const std::byte> payload) {
    out.byte(static_cast<std::uint64_t>(id) | (alignment > 1 ? 0x80U : 0U));
    out.varint(payload.size());
    if (alignment > 1) {
      out.varint(alignment);
      out.pad(alignment);
    }
    out.raw(payload);
  }

  Encoder global_section() {
    Encoder out;
    out.varint(module_.globals.size());
    for (const ir::Global& g : module_.globals) {
      out.varint(tables_.string(g.name));
      out.varint(tables_.type(module_[g.value].type));
      out.varint(tables_.constant(g.value));
      out.varint(g.alignment);
      if (version_ >= ir::V13_3) {
        out.varint(g.is_private ? 1 : 0);
        out.varint(g.constant ? 1 : 0);
      } else if (g.is_private || g.constant) {
        throw TooNew{fmt::format("global '{}' is private or constant, which needs bytecode 13.3", g.name)};
      }
    }
    return out;
  }

  Encoder function_section() {
    Encoder out;
    out.varint(module_.functions.size());
    for (const Function& f : module_.functions) function(out, f);
    out.pad(8);
    return out;
  }

  void function(Encoder& out, const Function& f) {
    ir::Type signature{.kind = ir::TypeKind::function};
    for (const ValueId p : f.params()) signature.inputs.push_back(f[p].type);
    out.varint(tables_.string(f.name));
    out.varint(tables_.add_type(signature));
    const bool has_hints = !f.hints.entries.empty();
    constexpr unsigned kernel = 2, hinted = 4;
    const bool always_hints = version_ >= ir::V13_5;
    out.byte(kernel | (has_hints && !always_hints ? hinted : 0U));
    out.varint(debug_.begin_function(f));
    if (has_hints || always_hints) {
      out.varint(11); // tag of OptimizationHints
      hints(out, f.hints);
    }
    if (always_hints) { // no argument attributes
      out.varint(6);
      out.varint(0);
    }
    next_value_ = 0;
    numbers_.assign(f.values.size(), 0);
    for (const ValueId p : f.params()) number(p);
    Encoder body;
    for (const ir::OpId op : f[f.body].ops) operation(body, f, f[op]);
    out.varint(body.size());
    out.raw(body.bytes());
  }

  void number(ValueId v) { numbers_[v.index] = next_value_++; }

  [[nodiscard]] bool has(const AttrDef& attribute) const { return attribute.since <= version_; }

  void operation(Encoder& out, const Function& f, const Operation& op) {
    const OpDef& d = ir::def(op.op);
    if (d.since > version_) {
      throw TooNew{fmt::format("{}:{}: operation {} needs bytecode {}; this compiler reads up to {}", op.loc.file, op.loc.line, d.name,
                               version_text(d.since), version_text(version_))};
    }
    debug_.add(op.loc);
    out.varint(static_cast<std::uint64_t>(op.op));
    results(out, f, op, d);
    flags(out, op, d);
    for (std::size_t i = 0; i < d.attributes.size(); ++i) attribute(out, op, d.attributes[i], op.attributes[i]);
    operands(out, op, d);
    if (d.regions > 0) regions(out, f, op);
    for (const ValueId r : op.results) number(r);
  }

  void results(Encoder& out, const Function& f, const Operation& op, const OpDef& d) {
    const auto variadic = [](const ir::ValueDef& v) { return v.arity == ir::Arity::variadic; };
    const bool old_print = op.op == ir::Op::print_tko && version_ < ir::V13_2; // it had no result yet
    const std::size_t count = old_print ? 0 : op.results.size();
    if (std::any_of(d.operands.begin(), d.operands.end(), variadic) || std::any_of(d.results.begin(), d.results.end(), variadic)) {
      out.varint(count);
    }
    for (std::size_t i = 0; i < count; ++i) out.varint(tables_.type(f[op.results[i]].type));
  }

  /// One bit for each unit or optional attribute and, in segmented operations, each optional operand.
  void flags(Encoder& out, const Operation& op, const OpDef& d) {
    struct Flag {
      Version since;
      bool set;
    };
    std::vector<Flag> all;
    for (std::size_t i = 0; i < d.attributes.size(); ++i) {
      const AttrDef& a = d.attributes[i];
      if (a.kind != AttrKind::unit && !a.optional) continue;
      const bool* unit = std::get_if<bool>(&op.attributes[i]);
      all.push_back({a.since, a.kind == AttrKind::unit ? unit != nullptr && *unit
                                                       : !std::holds_alternative<std::monostate>(op.attributes[i])});
    }
    if (d.has(ir::segmented)) {
      for (std::size_t i = 0; i < d.operands.size(); ++i) {
        if (d.operands[i].arity != ir::Arity::optional) continue;
        const Version since = op.op == ir::Op::print_tko ? ir::V13_2 : ir::V13_1;
        all.push_back({since, op.segments[i] != 0});
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const Flag& a, const Flag& b) { return a.since < b.since; });
    std::uint64_t bits = 0;
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].since > version_) {
        if (all[i].set) throw TooNew{fmt::format("{}:{}: an option of {} needs bytecode {}", op.loc.file, op.loc.line, d.name, version_text(all[i].since))};
        continue;
      }
      any = true;
      if (all[i].set) bits |= std::uint64_t{1} << i;
    }
    if (any) out.varint(bits);
  }

  void attribute(Encoder& out, const Operation& op, const AttrDef& a, const ir::Attr& value) {
    const bool absent = std::holds_alternative<std::monostate>(value);
    if (!has(a)) {
      // Must hold what an older reader assumes.
      const std::int64_t* number = std::get_if<std::int64_t>(&value);
      const auto* list = std::get_if<std::vector<bool>>(&value);
      const bool is_default = absent || (number != nullptr && a.default_value && *number == *a.default_value) ||
                              (list != nullptr && std::none_of(list->begin(), list->end(), [](bool b) { return b; })) ||
                              a.kind == AttrKind::unit;
      if (!is_default) {
        throw TooNew{fmt::format("{}:{}: attribute {} of {} needs bytecode {}", op.loc.file, op.loc.line, a.name, ir::def(op.op).name,
                                 version_text(a.since))};
      }
      return;
    }
    if (a.kind == AttrKind::unit || (a.optional && absent)) return; // in the flags
    switch (a.kind) {
      case AttrKind::enumeration:
      case AttrKind::integer: {
        const std::int64_t* number = std::get_if<std::int64_t>(&value);
        out.varint(static_cast<std::uint64_t>(number != nullptr ? *number : a.default_value.value_or(0)));
        return;
      }
      case AttrKind::boolean: {
        const bool* flag = std::get_if<bool>(&value);
        out.byte(flag != nullptr && *flag ? 1 : 0);
        return;
      }
      case AttrKind::string:
      case AttrKind::symbol: out.varint(tables_.string(std::get<std::string>(value))); return;
      case AttrKind::type: out.varint(tables_.type(std::get<ir::TypeId>(value))); return;
      case AttrKind::dense: out.varint(tables_.constant(std::get<ir::ConstantId>(value))); return;
      case AttrKind::i32_array: {
        const auto& list = std::get<std::vector<std::int32_t>>(value);
        out.varint(list.size());
        for (const std::int32_t v : list) out.fixed(v);
        return;
      }
      case AttrKind::bool_array: {
        // Absent: no promise for any index.
        const auto* list = std::get_if<std::vector<bool>>(&value);
        const std::size_t count = list != nullptr ? list->size() : index_count(op);
        out.varint(count);
        for (std::size_t i = 0; i < count; ++i) out.byte(list != nullptr && (*list)[i] ? 1 : 0);
        return;
      }
      case AttrKind::literal_array: {
        const auto& list = std::get<std::vector<ir::Literal>>(value);
        out.varint(list.size());
        for (const ir::Literal& l : list) literal(out, l);
        return;
      }
      case AttrKind::hints: hints(out, std::get<ir::Hints>(value)); return;
      case AttrKind::predicate: predicate(out, std::get<ir::Predicate>(value)); return;
      case AttrKind::dictionary_array:
      case AttrKind::unit: return;
    }
  }

  /// Operands in the group of an access that is called index.
  static std::size_t index_count(const Operation& op) {
    const OpDef& d = ir::def(op.op);
    for (std::size_t i = 0; i < d.operands.size(); ++i) {
      if (d.operands[i].name == "index") return op.segments[i];
    }
    return 0;
  }

  void literal(Encoder& out, const ir::Literal& l) {
    const ir::TypeKind kind = module_.types[l.type].kind;
    const int width = ir::bit_width(kind);
    if (ir::is_integer(kind)) {
      out.varint(1);
      out.varint(tables_.type(l.type));
      if (width <= 8) {
        out.byte(width == 1 ? l.bits & 1U : l.bits);
      } else {
        out.varint(width == 64 ? l.bits : l.bits & ((std::uint64_t{1} << static_cast<unsigned>(width)) - 1));
      }
      return;
    }
    out.varint(2);
    out.varint(tables_.type(l.type));
    if (width <= 8) {
      out.byte(l.bits);
    } else {
      out.svarint(static_cast<std::int64_t>(kind == ir::TypeKind::tf32 ? l.bits >> 13U : l.bits));
    }
  }

  void predicate(Encoder& out, const ir::Predicate& p) {
    if (const auto* div = std::get_if<ir::DivBy>(&p)) {
      out.varint(8);
      out.varint(div->divisor);
      out.byte(div->every_along ? 3 : 0);
      if (div->every_along) {
        out.svarint(div->every_along->first);
        out.svarint(div->every_along->second);
      }
    } else if (const auto* same = std::get_if<ir::SameElements>(&p)) {
      out.varint(9);
      out.varint(same->group.size());
      for (const std::int64_t v : same->group) out.fixed(v);
    } else {
      const auto& bounds = std::get<ir::Bounded>(p);
      out.varint(12);
      out.byte((bounds.lower ? 1U : 0U) | (bounds.upper ? 2U : 0U));
      if (bounds.lower) out.svarint(*bounds.lower);
      if (bounds.upper) out.svarint(*bounds.upper);
    }
  }

  void hints(Encoder& out, const ir::Hints& h) {
    out.varint(h.entries.size());
    for (const ir::Hints::Entry& entry : h.entries) {
      if (entry.arch == "default" && version_ < ir::V13_3) throw TooNew{"hints for every architecture need bytecode 13.3"};
      out.varint(tables_.string(entry.arch));
      out.varint(10); // tag of Dictionary
      out.varint(entry.values.size());
      for (const auto& [key, value] : entry.values) {
        if (key == "num_worker_warps_per_cta" && version_ < ir::V13_3) throw TooNew{"the worker warps hint needs bytecode 13.3"};
        out.varint(tables_.string(key));
        if (const bool* flag = std::get_if<bool>(&value)) {
          out.varint(3);
          out.byte(*flag ? 1 : 0);
        } else {
          out.varint(1);
          out.varint(tables_.add_type({.kind = ir::TypeKind::i32}));
          out.varint(static_cast<std::uint32_t>(std::get<std::int32_t>(value)));
        }
      }
    }
  }

  void operands(Encoder& out, const Operation& op, const OpDef& d) {
    const auto index = [&](ValueId v) { out.varint(numbers_[v.index]); };
    if (!d.has(ir::segmented)) {
      const auto several = [](const ir::ValueDef& v) { return v.arity != ir::Arity::single; };
      if (std::any_of(d.operands.begin(), d.operands.end(), several)) out.varint(op.operands.size());
      for (const ValueId v : op.operands) index(v);
      return;
    }
    for (std::size_t i = 0; i < d.operands.size(); ++i) {
      const auto group = ir::operand_group(op, i);
      if (op.op == ir::Op::print_tko && d.operands[i].arity == ir::Arity::optional && version_ < ir::V13_2) continue;
      if (d.operands[i].arity == ir::Arity::variadic) out.varint(group.size());
      for (const ValueId v : group) index(v);
    }
  }

  void regions(Encoder& out, const Function& f, const Operation& op) {
    out.varint(op.regions.size());
    for (const ir::BlockId region : op.regions) {
      out.varint(region.valid() ? 1 : 0);
      if (!region.valid()) continue;
      const std::uint64_t outer = next_value_; // numbers are given anew after the block
      out.varint(f[region].args.size());
      for (const ValueId a : f[region].args) {
        out.varint(tables_.type(f[a].type));
        number(a);
      }
      out.varint(f[region].ops.size());
      for (const ir::OpId inner : f[region].ops) operation(out, f, f[inner]);
      next_value_ = outer;
    }
  }

  const ir::Module& module_;
  Version version_;
  Tables tables_;
  DebugSection debug_;
  std::vector<std::uint64_t> numbers_;
  std::uint64_t next_value_ = 0;

 public:
  using Refused = TooNew;
};

} // namespace

Result<std::vector<std::byte>> write(const ir::Module& module, ir::Version version) try {
  return Writer(module, version).run();
} catch (const TooNew& refused) {
  return usage_failure(refused.message);
} catch (const TypeTooNew& refused) {
  return usage_failure(refused.message);
}

} // namespace cutile::bytecode
