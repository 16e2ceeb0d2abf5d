#include "bytecode/read_functions.hpp"

#include <algorithm>

#include "bytecode/layout.hpp"
#include "bytecode/read_attributes.hpp"
#include "ir/builder.hpp"

namespace cutile::bytecode {
namespace {

using ir::Arity;
using ir::BlockId;
using ir::OpDef;
using ir::OpId;
using ir::TypeId;
using ir::ValueDef;
using ir::ValueId;
using ir::Version;

/// Which optional attributes and operands an operation has: bit i stands for the i-th of the table.
struct Present {
  unsigned attributes = 0, operands = 0;
};

/// Reads the operations of one function. Values are numbered as in the file: parameters, then
/// results in order, those of a region only until it ends.
class FunctionReader {
 public:
  FunctionReader(ir::Builder builder, Version version, ReadTables& tables, DebugReader& debug)
      : b_(builder), version_(version), tables_(tables), debug_(debug),
        attributes_(b_.module(), tables) {}

  void run(Decoder body) try {
    values_ = b_.function().params();
    while (!body.done()) operation(body, 0);
  } catch (const Malformed& e) {
    const std::string place = op_ == nullptr ? "" : fmt::format(", {}", op_->name);
    throw Malformed{e.offset, fmt::format("entry '{}'{}: {}", b_.function().name, place, e.what)};
  }

 private:
  template <class Def> [[nodiscard]] bool has(const Def& d) const { return d.since <= version_; }

  void operation(Decoder& in, int depth) {
    const OpDef& d = definition(in);
    const OpId id = b_.emit(d.op, {}, {}, {}, debug_.next(in));
    const std::size_t results_in_file = results(in, id, d);
    const Present present = flags(in, d);
    attributes(in, id, d, present);
    operands(in, b_.function()[id], d, present);
    if (d.regions > 0) regions(in, id, d, depth);
    op_ = &d; // again, after the regions
    const std::span<const ValueId> results = b_.function()[id].results;
    values_.insert(values_.end(), results.begin(),
                   results.begin() + static_cast<std::ptrdiff_t>(results_in_file));
  }

  const OpDef& definition(Decoder& in) {
    const Decoder start = in;
    op_ = nullptr;
    const std::uint64_t opcode = in.varint("an opcode");
    const OpDef* d = ir::find_def(opcode);
    if (d == nullptr) start.fail(fmt::format("no operation has opcode {:#x}", opcode));
    if (d->has(ir::container)) start.fail(fmt::format("{} cannot stand in an entry", d->name));
    if (!has(*d))
      start.fail(fmt::format("operation {} needs version {}, but the file states {}", d->name,
                             text(d->since), text(version_)));
    op_ = d;
    return *d;
  }

  /// Adds the results and returns how many of them the file knows. Those that its version has not
  /// got are tokens.
  std::size_t results(Decoder& in, OpId id, const OpDef& d) {
    const Decoder start = in;
    const bool variadic = d.results.size() == 1 && d.results[0].arity == Arity::variadic;
    const auto wanted = static_cast<std::size_t>(
        std::count_if(d.results.begin(), d.results.end(), [&](auto& r) { return has(r); }));
    const std::size_t count = counts_results(d) ? in.count("results") : wanted;
    if (!variadic && count != wanted)
      start.fail(fmt::format("expected {} results, not {}", wanted, count));
    for (std::size_t i = 0; i < count; ++i) b_.add_result(id, value_type(in));
    for (std::size_t i = count; !variadic && i < d.results.size(); ++i)
      b_.add_result(id, b_.types().token());
    return count;
  }

  TypeId value_type(Decoder& in) {
    const Decoder start = in;
    const TypeId type = tables_.type(in, "type");
    if (b_.types()[type].kind == ir::TypeKind::function)
      start.fail("expected the type of a value, not that of a function");
    return type;
  }

  Present flags(Decoder& in, const OpDef& d) const {
    const Decoder start = in;
    std::vector<Flag> known = flags_of(d);
    std::erase_if(known, [&](const Flag& f) { return !has(f); });
    Present present;
    if (known.empty()) return present;
    const std::uint64_t bits = in.varint("flags");
    if (bits >> known.size() != 0)
      start.fail(fmt::format("flags {:#x} have bits set beyond the {} known", bits, known.size()));
    for (std::size_t i = 0; i < known.size(); ++i) {
      const auto set = static_cast<unsigned>(bits >> i & 1U) << known[i].index;
      (known[i].of == Flag::Of::operand ? present.operands : present.attributes) |= set;
    }
    return present;
  }

  void attributes(Decoder& in, OpId id, const OpDef& d, Present present) {
    ir::Function& f = b_.function();
    const TypeId result = f[id].results.empty() ? TypeId{} : f[f[id].results[0]].type;
    for (std::size_t i = 0; i < d.attributes.size(); ++i) {
      const ir::AttrDef& a = d.attributes[i];
      const bool set = (present.attributes >> i & 1U) != 0;
      if (a.kind == ir::AttrKind::unit) {
        if (set) f[id].attributes[i] = true;
      } else if (has(a) && (set || !a.optional)) {
        f[id].attributes[i] = attributes_.inline_attribute(in, a, result);
      }
    }
  }

  void operands(Decoder& in, ir::Operation& op, const OpDef& d, Present present) {
    const Decoder start = in;
    const bool segmented = d.has(ir::segmented);
    const auto singles = static_cast<std::size_t>(
        std::count_if(d.operands.begin(), d.operands.end(),
                      [](const ValueDef& v) { return v.arity == Arity::single; }));
    const std::size_t all = counts_operands(d) ? in.count("operands") : singles;
    if (all < singles)
      start.fail(fmt::format("expected at least {} operands, not {}", singles, all));
    const std::size_t rest = all - singles; // are the only group that is not single
    for (std::size_t g = 0; g < d.operands.size(); ++g) {
      const Arity arity = d.operands[g].arity;
      std::size_t count = 1;
      if (segmented && arity == Arity::variadic) count = in.count(d.operands[g].name);
      if (segmented && arity == Arity::optional) count = present.operands >> g & 1U;
      if (!segmented && arity != Arity::single) count = rest;
      if (arity == Arity::optional && count > 1)
        start.fail(fmt::format("expected at most one {}, not {}", d.operands[g].name, count));
      op.segments[g] = static_cast<std::uint32_t>(count);
      for (; count > 0; --count) op.operands.push_back(values_[in.index("value", values_.size())]);
    }
  }

  void regions(Decoder& in, OpId id, const OpDef& d, int depth) {
    const Decoder start = in;
    if (depth >= most_nested) in.fail(fmt::format("more than {} regions are nested", most_nested));
    const std::uint64_t count = in.varint("the number of regions");
    if (count != static_cast<std::uint64_t>(d.regions))
      start.fail(fmt::format("expected {} regions, not {}", d.regions, count));
    for (int i = 0; i < d.regions; ++i) {
      const Decoder region_start = in;
      const std::uint64_t blocks = in.varint("the number of blocks");
      const bool may_miss = d.op == ir::Op::if_ && i == 1;
      if (blocks > 1 || (blocks == 0 && !may_miss))
        region_start.fail(fmt::format("expected a region of one block, not {}", blocks));
      if (blocks == 0) {
        b_.function()[id].regions.emplace_back();
      } else {
        block(in, b_.add_region(id), depth + 1);
      }
    }
  }

  void block(Decoder& in, BlockId id, int depth) {
    const auto inside = b_.enter(id);
    const std::size_t outer = values_.size(); // a block's numbers are free again after it
    for (std::size_t n = in.count("arguments"); n > 0; --n)
      values_.push_back(b_.add_argument(id, value_type(in)));
    for (std::size_t n = in.count("operations"); n > 0; --n) operation(in, depth);
    values_.resize(outer);
  }

  ir::Builder b_;
  Version version_;
  ReadTables& tables_;
  DebugReader& debug_;
  AttributeDecoder attributes_;
  std::vector<ValueId> values_; ///< by number, those that may be used here
  const OpDef* op_ = nullptr;   ///< being read, for messages
};

/// The types of the parameters of an entry.
std::vector<TypeId> parameters(Decoder& in, const ir::Module& module, ReadTables& tables) {
  const Decoder start = in;
  const ir::Type& type = module.types[tables.type(in, "type")];
  if (type.kind != ir::TypeKind::function)
    start.fail(fmt::format("expected the type of a function, not a {}", ir::spelling(type.kind)));
  if (!type.results.empty()) start.fail("expected an entry without results");
  tables.expand(start, type.inputs.size() * sizeof(ir::Value));
  return type.inputs;
}

} // namespace

void read_functions(Decoder in, ir::Module& module, Version version, ReadTables& tables,
                    DebugReader& debug) {
  constexpr std::size_t alignment = 8;
  const bool always_hints = version >= ir::V13_5;
  AttributeDecoder attributes(module, tables);
  for (std::size_t n = in.count("functions"); n > 0; --n) {
    std::string name = tables.string(in, "the name of a function");
    const std::vector<TypeId> params = parameters(in, module, tables);
    const Decoder start = in;
    const unsigned flags = in.byte("the flags of a function");
    if (flags > (private_function | kernel | hinted))
      start.fail(fmt::format("function '{}' has unknown flags {:#x}", name, flags));
    if ((flags & kernel) == 0)
      start.fail(fmt::format("function '{}' is no entry; others cannot be read", name));
    const SourceLoc at = debug.begin_function(in);
    ir::Builder builder = ir::Builder::entry(module, std::move(name), params, at);
    if (always_hints || (flags & hinted) != 0)
      builder.function().hints = attributes.tagged_hints(in);
    if (always_hints) attributes.skip(in); // attributes of the arguments, which are promises
    const Decoder body = in.take(in.varint("the size of a function"), "a function");
    FunctionReader(builder, version, tables, debug).run(body);
  }
  if (in.left() >= alignment) in.end("the functions");
}

} // namespace cutile::bytecode
