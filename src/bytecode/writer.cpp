#include "bytecode/writer.hpp"

#include <fmt/format.h>

#include <string>

#include "bytecode/attributes.hpp"
#include "bytecode/debug_section.hpp"
#include "bytecode/encoder.hpp"
#include "bytecode/layout.hpp"
#include "bytecode/tables.hpp"
#include "bytecode/too_new.hpp"

namespace cutile::bytecode {
namespace {

using ir::Arity;
using ir::Function;
using ir::Op;
using ir::OpDef;
using ir::Operation;
using ir::ValueDef;
using ir::ValueId;
using ir::Version;

/// Writes a module. Functions come first, since what they use fills the tables.
class Writer {
 public:
  Writer(const ir::Module& module, Version version, Layout layout)
      : module_(module), version_(version), layout_(layout), tables_(module, version),
        attributes_(module, tables_, version), debug_(layout == Layout::as_read) {}

  Result<std::vector<std::byte>> run() try {
    if (layout_ == Layout::as_read) tables_.add_types();
    const Encoder function_bytes = function_section();
    const Encoder global_bytes = global_section();
    Encoder producer_bytes;
    if (version_ >= ir::V13_3 && !module_.producer.empty())
      producer_bytes.varint(tables_.string(module_.producer));
    const Encoder debug_bytes = debug_.write(tables_, version_);

    Encoder out;
    out.raw(magic);
    out.byte(version_ / 100U);
    out.byte(version_ % 100U);
    out.fixed<std::uint16_t>(0); // no preview features
    section(out, Section::globals, 1, global_bytes);
    section(out, Section::functions, 8, function_bytes);
    section(out, Section::constants, 8, tables_.constant_section(layout_ == Layout::as_read));
    section(out, Section::debug_info, 8, debug_bytes);
    section(out, Section::types, 4, tables_.type_section());
    section(out, Section::producer, 1, producer_bytes);
    section(out, Section::strings, 4, tables_.string_section());
    out.byte(static_cast<std::uint8_t>(Section::end));
    return out.take();
  } catch (const TooNew& e) {
    const std::string place =
        at_.line != 0 ? fmt::format("{}:{}: ", at_.file, at_.line) : std::string();
    return usage_failure(fmt::format("{}{} needs Tile IR bytecode {}, but {} was asked for. "
                                     "Do without it, or use a compiler that reads {}.",
                                     place, e.what, text(e.needed), text(version_),
                                     text(e.needed)));
  }

 private:
  static void section(Encoder& out, Section id, std::size_t alignment, const Encoder& payload) {
    if (payload.size() == 0) return;
    out.byte(static_cast<unsigned>(id) | (alignment > 1 ? aligned_section : 0U));
    out.varint(payload.size());
    if (alignment > 1) {
      out.varint(alignment);
      out.pad(alignment);
    }
    out.raw(payload.bytes());
  }

  Encoder global_section() {
    Encoder out;
    if (module_.globals.empty()) return out;
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
        throw TooNew{
            fmt::format("global '{}', which is {},", g.name, g.constant ? "constant" : "private"),
            ir::V13_3};
      }
    }
    return out;
  }

  Encoder function_section() {
    Encoder out;
    out.varint(module_.functions.size());
    for (const Function& f : module_.functions) function(out, f);
    if (layout_ == Layout::compact) out.pad(8);
    return out;
  }

  void function(Encoder& out, const Function& f) {
    const bool always_hints = version_ >= ir::V13_5;
    const bool has_hints = !f.hints.entries.empty();
    at_ = f.loc;
    ir::Type signature{.kind = ir::TypeKind::function};
    for (const ValueId p : f.params()) signature.inputs.push_back(f[p].type);
    out.varint(tables_.string(f.name));
    out.varint(tables_.add_type(signature));
    out.byte(kernel | (has_hints && !always_hints ? unsigned{hinted} : 0U));
    out.varint(debug_.begin_function(f));
    if (has_hints || always_hints) attributes_.tagged_hints(out, f.hints);
    if (always_hints) {
      out.varint(array_tag);
      out.varint(0); // attributes of the arguments
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

  template <class Def> [[nodiscard]] bool has(const Def& d) const { return d.since <= version_; }

  void operation(Encoder& out, const Function& f, const Operation& op) {
    const OpDef& d = ir::def(op.op);
    if (op.loc.line != 0) at_ = op.loc;
    require_features(f, op, d);
    debug_.add(op.loc);
    out.varint(static_cast<std::uint64_t>(op.op));
    const std::size_t results_in_file = results(out, f, op, d);
    flags(out, op, d);
    for (std::size_t i = 0; i < d.attributes.size(); ++i) attributes_.inline_attribute(out, op, i);
    operands(out, f, op, d);
    if (d.regions > 0) regions(out, f, op);
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      if (i < results_in_file)
        number(op.results[i]);
      else
        numbers_[op.results[i].index] = unknown_value;
    }
  }

  /// What the table does not say: uses of an old operation that only newer versions have.
  void require_features(const Function& f, const Operation& op, const OpDef& d) const {
    const auto require = [&](Version needed, std::string what) {
      if (version_ < needed) throw TooNew{std::move(what), needed};
    };
    require(d.since, fmt::format("operation {}", d.name));
    const auto is_bf16_tile = [&](ValueId v) {
      const ir::Type& t = module_.types[f[v].type];
      return t.kind == ir::TypeKind::tile && module_.types[t.element].kind == ir::TypeKind::bf16;
    };
    if (op.op == Op::return_ && loops_ > 0) require(ir::V13_4, "return inside a loop");
    if (op.op == Op::scan && op.results.size() > 1)
      require(ir::V13_2, "scan of several tiles at once");
    if (op.op == Op::atomic_rmw_tko && is_bf16_tile(op.operands[1]))
      require(ir::V13_3, "an atomic operation on bf16");
  }

  /// Returns how many results the version knows.
  std::size_t results(Encoder& out, const Function& f, const Operation& op, const OpDef& d) {
    std::size_t count = op.results.size();
    for (const ValueDef& r : d.results) count -= has(r) ? 0 : 1;
    if (counts_results(d)) out.varint(count);
    for (std::size_t i = 0; i < count; ++i) out.varint(tables_.type(f[op.results[i]].type));
    return count;
  }

  void flags(Encoder& out, const Operation& op, const OpDef& d) {
    std::uint64_t bits = 0;
    unsigned next = 0;
    for (const Flag& flag : flags_of(d)) {
      const bool is_operand = flag.of == Flag::Of::operand;
      const bool set =
          is_operand ? op.segments[flag.index] != 0 : is_given(op.attributes[flag.index]);
      if (flag.since <= version_) {
        bits |= (set ? std::uint64_t{1} : 0) << next++;
      } else if (set) {
        const std::string_view name =
            is_operand ? d.operands[flag.index].name : d.attributes[flag.index].name;
        throw TooNew{fmt::format("{} of {}", name, d.name), flag.since};
      }
    }
    if (next != 0) out.varint(bits);
  }
  static bool is_given(const ir::Attr& value) {
    const bool* unit = std::get_if<bool>(&value);
    return unit != nullptr ? *unit : !std::holds_alternative<std::monostate>(value);
  }

  void operands(Encoder& out, const Function& f, const Operation& op, const OpDef& d) {
    const bool segmented = d.has(ir::segmented);
    if (counts_operands(d)) out.varint(op.operands.size());
    for (std::size_t i = 0; i < d.operands.size(); ++i) {
      const auto group = ir::operand_group(op, i);
      if (segmented && d.operands[i].arity == Arity::variadic) out.varint(group.size());
      for (const ValueId v : group) out.varint(number_of(f, v));
    }
  }
  [[nodiscard]] std::uint64_t number_of(const Function& f, ValueId v) const {
    if (numbers_[v.index] != unknown_value) return numbers_[v.index];
    const OpDef& d = ir::def(f[f[v].def].op);
    const ValueDef& result = d.results[f[v].index];
    throw TooNew{fmt::format("{} of {}", result.name, d.name), result.since};
  }

  void regions(Encoder& out, const Function& f, const Operation& op) {
    const bool is_loop = op.op == Op::for_ || op.op == Op::loop;
    loops_ += is_loop ? 1 : 0;
    out.varint(op.regions.size());
    for (const ir::BlockId region : op.regions) {
      out.varint(region.valid() ? 1 : 0);
      if (!region.valid()) continue;
      const std::uint64_t outer = next_value_; // a block's numbers are free again after it
      out.varint(f[region].args.size());
      for (const ValueId a : f[region].args) {
        out.varint(tables_.type(f[a].type));
        number(a);
      }
      out.varint(f[region].ops.size());
      for (const ir::OpId inner : f[region].ops) operation(out, f, f[inner]);
      next_value_ = outer;
    }
    loops_ -= is_loop ? 1 : 0;
  }

  const ir::Module& module_;
  Version version_;
  Layout layout_;
  Tables tables_;
  AttributeEncoder attributes_;
  DebugSection debug_;
  /// The number of a result that the version has not got.
  static constexpr std::uint64_t unknown_value = ~std::uint64_t{0};
  std::vector<std::uint64_t> numbers_; ///< of the values of the function being written
  std::uint64_t next_value_ = 0;
  int loops_ = 0; ///< around the operation being written
  SourceLoc at_;  ///< of it, for messages
};

} // namespace

Result<std::vector<std::byte>> write(const ir::Module& module, ir::Version version, Layout layout) {
  return Writer(module, version, layout).run();
}

} // namespace cutile::bytecode
