#include "bytecode/reader.hpp"

#include <array>
#include <optional>

#include "bytecode/layout.hpp"
#include "bytecode/read_debug.hpp"
#include "bytecode/read_tables.hpp"

namespace cutile::bytecode {
namespace {

using ir::Arity;
using ir::AttrDef;
using ir::AttrKind;
using ir::Function;
using ir::OpDef;
using ir::TypeKind;
using ir::ValueId;
using ir::Version;

constexpr int deepest_region = 128;
constexpr std::size_t section_kinds = 8;

constexpr std::array<std::string_view, section_kinds> section_names = {
    "end",       "strings", "functions", "debug information",
    "constants", "types",   "globals",   "producer"};

Version header(Decoder& in) {
  constexpr std::string_view magic("\x7fTileIR\0", 8);
  const Decoder start = in;
  const auto bytes = in.rest();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(magic))
    start.fail("this is no Tile IR bytecode: it does not start with 7F 'TileIR' 00");
  static_cast<void>(in.take(magic.size(), "magic number"));
  const Decoder at_version = in;
  const unsigned major = in.byte("version"), minor = in.byte("version");
  if (major != 13 || minor < 1 || minor > 5)
    at_version.fail(
        fmt::format("bytecode version {}.{}, where 13.1 to 13.5 can be read", major, minor));
  constexpr unsigned preview = 1;
  if ((in.fixed<std::uint16_t>("version tag") & preview) != 0)
    at_version.fail("the file uses preview features, which have no fixed meaning");
  return static_cast<Version>(100 * major + minor);
}

class Reader {
 public:
  Reader(Decoder file, Version version)
      : file_(file), version_(version), tables_(module_, version) {}

  ir::Module run() {
    index_sections();
    tables_.strings(required(Section::strings));
    if (const auto& s = section(Section::types)) tables_.types(*s);
    if (const auto& s = section(Section::constants)) tables_.constants(*s);
    if (const auto& s = section(Section::debug_info)) debug_.read(*s, tables_);
    if (auto s = section(Section::producer)) module_.producer = tables_.string(*s, "producer");
    if (auto s = section(Section::globals)) globals(*s);
    functions(required(Section::functions));
    return std::move(module_);
  }

 private:
  // Sections.
  std::optional<Decoder>& section(Section id) { return sections_[static_cast<std::size_t>(id)]; }
  Decoder required(Section id) {
    if (!section(id))
      file_.fail(fmt::format("the file has no section of {}",
                             section_names[static_cast<std::size_t>(id)]));
    return *section(id);
  }

  void index_sections() {
    for (;;) {
      const Decoder start = file_;
      const unsigned head = file_.byte("the list of sections: its end is missing");
      const std::size_t id = head & 0x7fU;
      if (id == 0) break;
      const std::uint64_t size = file_.varint("size of a section");
      if ((head & 0x80U) != 0) {
        const std::uint64_t alignment = file_.varint("alignment of a section");
        if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1)) != 0)
          start.fail(fmt::format("a section aligned to {} bytes", alignment));
        file_.align(static_cast<std::size_t>(alignment));
      }
      if (id >= section_kinds) start.fail(fmt::format("there is no section {}", id));
      if (sections_[id]) start.fail(fmt::format("a second section of {}", section_names[id]));
      sections_[id] = file_.take(size, fmt::format("a section of {}", section_names[id]));
    }
    if (!file_.done()) file_.fail(fmt::format("{} bytes after the end", file_.left()));
  }

  void globals(Decoder in) {
    const std::size_t count = in.count("globals", 4);
    for (std::size_t i = 0; i < count; ++i) {
      ir::Global g;
      g.name = tables_.string(in, "name of a global");
      const ir::TypeId type = tables_.type(in, "type of a global");
      g.value = tables_.constant(in, type);
      g.alignment = in.varint("alignment of a global");
      if (version_ >= ir::V13_3) {
        g.is_private = in.index("visibility of a global", 2) == 1;
        g.constant = in.index("flag of a constant global", 2) == 1;
      }
      module_.globals.push_back(std::move(g));
    }
  }

  // Functions.
  void functions(Decoder in) {
    const std::size_t count = in.count("functions", 5);
    for (std::size_t i = 0; i < count; ++i) function(in);
  }

  void function(Decoder& in) {
    constexpr unsigned kernel = 2, hinted = 4;
    Function f;
    f.name = tables_.string(in, "name of an entry");
    const ir::TypeId signature = tables_.type(in, "type of an entry");
    const ir::Type type = module_.types[signature];
    if (type.kind != TypeKind::function || !type.results.empty())
      in.fail(fmt::format("entry '{}' must have a function's type, without results", f.name));
    const unsigned flags = in.byte("flags of an entry");
    if ((flags & kernel) == 0) in.fail(fmt::format("'{}' is a function that is no entry", f.name));
    location_ = in.varint("location of an entry");
    next_location_ = 0;
    f.loc = debug_.at(location_, next_location_++);
    const bool always_hints = version_ >= ir::V13_5;
    if (always_hints || (flags & hinted) != 0) {
      if (in.varint("hints of an entry") != hints_tag) in.fail("hints of an entry expected");
      f.hints = hints(in);
    }
    if (always_hints) {
      constexpr unsigned array_tag = 6;
      if (in.varint("attributes of arguments") != array_tag ||
          in.varint("attributes of arguments") != 0)
        in.fail("arguments with attributes are not known");
    }
    f_ = &f;
    numbers_.clear();
    f.body = new_block({}, type.inputs);
    Decoder body = in.take(in.varint("size of a body"), "a body");
    while (!body.done()) operation(body, f.body, 0);
    module_.functions.push_back(std::move(f));
  }

  ir::BlockId new_block(ir::OpId parent, const std::vector<ir::TypeId>& types) {
    Function& f = *f_;
    const ir::BlockId id{static_cast<std::uint32_t>(f.blocks.size())};
    f.blocks.push_back({.parent = parent, .args = {}, .ops = {}});
    for (std::size_t i = 0; i < types.size(); ++i) {
      const ValueId v{static_cast<std::uint32_t>(f.values.size())};
      f.values.push_back(
          {.type = types[i], .def = {}, .block = id, .index = static_cast<std::uint32_t>(i)});
      f.blocks.back().args.push_back(v);
      numbers_.push_back(v);
    }
    return id;
  }

  template <class Def> [[nodiscard]] bool has(const Def& d) const { return d.since <= version_; }

  void operation(Decoder& in, ir::BlockId block, int depth) {
    const Decoder start = in;
    const std::uint64_t opcode = in.varint("opcode");
    const OpDef* const d = ir::find_def(opcode);
    if (d == nullptr || d->has(ir::container))
      start.fail(fmt::format("no operation has the opcode {:#x}", opcode));
    if (!has(*d))
      start.fail(fmt::format("operation {}, which bytecode has from {}.{} on, in a file of {}.{}",
                             d->name, d->since / 100, d->since % 100, version_ / 100,
                             version_ % 100));
    Function& f = *f_;
    const ir::OpId id{static_cast<std::uint32_t>(f.ops.size())};
    f.ops.push_back({.op = d->op,
                     .loc = debug_.at(location_, next_location_++),
                     .operands = {},
                     .segments = {},
                     .attributes = {},
                     .results = {},
                     .regions = {}});
    f[block].ops.push_back(id);
    ir::Operation op = f[id];
    const std::vector<ir::TypeId> types = result_types(in, *d);
    const std::uint64_t flags = flag_bits(in, *d);
    attributes(in, op, *d, flags, types);
    operands(in, op, *d, flags);
    if (d->regions > 0) regions(in, op, id, *d, depth);
    std::vector<ir::TypeId> all = types;
    while (all.size() < d->results.size() && d->results[all.size()].arity == Arity::single &&
           !has(d->results[all.size()]))
      all.push_back(module_.types.token()); // what only newer versions write down
    for (std::size_t i = 0; i < all.size(); ++i) {
      const ValueId v{static_cast<std::uint32_t>(f.values.size())};
      f.values.push_back(
          {.type = all[i], .def = id, .block = {}, .index = static_cast<std::uint32_t>(i)});
      op.results.push_back(v);
      if (i < types.size()) numbers_.push_back(v);
    }
    f[id] = std::move(op);
  }

  std::vector<ir::TypeId> result_types(Decoder& in, const OpDef& d) {
    std::size_t least = 0;
    bool variadic = false;
    for (const ir::ValueDef& r : d.results) {
      variadic = variadic || r.arity == Arity::variadic;
      least += r.arity != Arity::variadic && has(r) ? 1 : 0;
    }
    std::size_t count = least;
    if (counts_results(d)) {
      count = in.count(fmt::format("results of {}", d.name));
      if (!variadic && count != least)
        in.fail(fmt::format("{} results of {}, which has {}", count, d.name, least));
    }
    std::vector<ir::TypeId> types;
    for (std::size_t i = 0; i < count; ++i) types.push_back(tables_.type(in, "type of a result"));
    return types;
  }

  std::uint64_t flag_bits(Decoder& in, const OpDef& d) {
    unsigned known = 0;
    for (const Flag& flag : flags_of(d)) known += has(flag) ? 1 : 0;
    if (known == 0) return 0;
    const std::uint64_t bits = in.varint("flags of an operation");
    if (bits >> known != 0) in.fail(fmt::format("unknown flags {:#x} of {}", bits, d.name));
    return bits;
  }
  [[nodiscard]] bool flagged(const OpDef& d, Flag::Of of, std::size_t index,
                             std::uint64_t bits) const {
    unsigned bit = 0;
    for (const Flag& flag : flags_of(d)) {
      if (!has(flag)) continue;
      if (flag.of == of && flag.index == index) return (bits >> bit & 1U) != 0;
      ++bit;
    }
    return false;
  }

  void operands(Decoder& in, ir::Operation& op, const OpDef& d, std::uint64_t flags) {
    const auto one = [&] {
      op.operands.push_back(numbers_[in.index("number of an operand", numbers_.size())]);
    };
    if (d.has(ir::segmented)) {
      for (std::size_t i = 0; i < d.operands.size(); ++i) {
        std::size_t count = 1;
        if (d.operands[i].arity == Arity::optional)
          count = flagged(d, Flag::Of::operand, i, flags) ? 1 : 0;
        if (d.operands[i].arity == Arity::variadic) count = in.count("operands");
        for (std::size_t k = 0; k < count; ++k) one();
        op.segments.push_back(static_cast<std::uint32_t>(count));
      }
      return;
    }
    // At most one group is not single: it takes what the others leave.
    std::size_t singles = 0;
    for (const ir::ValueDef& v : d.operands) singles += v.arity == Arity::single ? 1 : 0;
    std::size_t total = singles;
    if (counts_operands(d)) {
      total = in.count(fmt::format("operands of {}", d.name));
      const bool optional = d.operands[d.operands.size() - 1].arity == Arity::optional;
      if (total < singles || (optional && total > singles + 1))
        in.fail(fmt::format("{} cannot have {} operands", d.name, total));
    }
    for (const ir::ValueDef& v : d.operands)
      op.segments.push_back(v.arity == Arity::single ? 1
                                                     : static_cast<std::uint32_t>(total - singles));
    for (std::size_t k = 0; k < total; ++k) one();
  }

  void regions(Decoder& in, ir::Operation& op, ir::OpId id, const OpDef& d, int depth) {
    if (depth > deepest_region)
      in.fail(fmt::format("regions are nested deeper than {}", deepest_region));
    if (in.varint("number of regions") != static_cast<std::uint64_t>(d.regions))
      in.fail(fmt::format("{} has {} regions", d.name, d.regions));
    for (int r = 0; r < d.regions; ++r) {
      if (in.index("number of blocks in a region", 2) == 0) {
        op.regions.push_back({});
        continue;
      }
      const std::size_t outer = numbers_.size(); // a block's numbers are free again after it
      std::vector<ir::TypeId> types(in.count("arguments of a block"));
      for (ir::TypeId& t : types) t = tables_.type(in, "type of an argument");
      const ir::BlockId block = new_block(id, types);
      op.regions.push_back(block);
      const std::size_t ops = in.count("operations of a block");
      for (std::size_t i = 0; i < ops; ++i) operation(in, block, depth + 1);
      numbers_.resize(outer);
    }
  }

  // Attributes.
  void attributes(Decoder& in, ir::Operation& op, const OpDef& d, std::uint64_t flags,
                  const std::vector<ir::TypeId>& types) {
    op.attributes.resize(d.attributes.size());
    for (std::size_t i = 0; i < d.attributes.size(); ++i) {
      const AttrDef& a = d.attributes[i];
      if (!has(a)) continue;
      const bool set = flagged(d, Flag::Of::attribute, i, flags);
      if (a.kind == AttrKind::unit) {
        if (set) op.attributes[i] = true;
      } else if (!a.optional || set) {
        op.attributes[i] = attribute(in, a, types);
      }
    }
  }

  ir::Attr attribute(Decoder& in, const AttrDef& a, const std::vector<ir::TypeId>& types) {
    switch (a.kind) {
    case AttrKind::enumeration: {
      const Decoder start = in;
      const std::uint64_t value = in.varint(a.name);
      if (value > 15 || !ir::enum_spelling(a.enum_id, static_cast<std::int64_t>(value)))
        start.fail(fmt::format("{} has no value {}", a.name, value));
      return static_cast<std::int64_t>(value);
    }
    case AttrKind::integer: return static_cast<std::int64_t>(in.varint(a.name));
    case AttrKind::boolean: return in.byte(a.name) != 0;
    case AttrKind::string:
    case AttrKind::symbol: return tables_.string(in, a.name);
    case AttrKind::type: return tables_.type(in, a.name);
    case AttrKind::dense:
      if (types.empty()) in.fail("a constant without a type");
      return tables_.constant(in, types[0]);
    case AttrKind::i32_array: {
      std::vector<std::int32_t> list(in.count(a.name, sizeof(std::int32_t)));
      for (std::int32_t& v : list) v = in.fixed<std::int32_t>(a.name);
      return list;
    }
    case AttrKind::bool_array: {
      std::vector<bool> list(in.count(a.name));
      for (std::size_t i = 0; i < list.size(); ++i) list[i] = in.byte(a.name) != 0;
      return list;
    }
    case AttrKind::literal_array: {
      const std::size_t n = in.count(a.name);
      std::vector<ir::Literal> list;
      for (std::size_t i = 0; i < n; ++i) list.push_back(literal(in));
      return list;
    }
    case AttrKind::hints: return hints(in);
    case AttrKind::predicate: return predicate(in);
    case AttrKind::dictionary_array:
    case AttrKind::unit: break;
    }
    return {};
  }

  ir::Literal literal(Decoder& in) {
    const std::uint64_t tag = in.varint("kind of a literal");
    ir::Literal l{.type = tables_.type(in, "type of a literal")};
    const TypeKind kind = module_.types[l.type].kind;
    const int width = ir::bit_width(kind);
    if (tag == integer_tag && ir::is_integer(kind)) {
      l.bits = in.varint("literal");
      if (width < 64 && l.bits >> static_cast<unsigned>(width) != 0)
        in.fail(fmt::format("literal {} does not fit in {} bits", l.bits, width));
    } else if (tag == float_tag && ir::is_float(kind)) {
      l.bits = width <= 8 ? in.byte("literal") : static_cast<std::uint64_t>(in.svarint("literal"));
      if (width < 64) l.bits &= (std::uint64_t{1} << static_cast<unsigned>(width)) - 1;
      if (kind == TypeKind::tf32) l.bits <<= 13U;
    } else {
      in.fail("a literal is a number of its type");
    }
    return l;
  }

  ir::Predicate predicate(Decoder& in) {
    switch (in.varint("kind of an assumption")) {
    case div_by_tag: {
      ir::DivBy div{.divisor = in.varint("divisor"), .every_along = {}};
      const unsigned flags = in.byte("flags of a divisor");
      if (flags != 0 && flags != 3) in.fail("'every' and 'along' of a divisor come together");
      if (flags == 3) {
        const std::int64_t every = in.svarint("every");
        div.every_along = {every, in.svarint("along")};
      }
      return div;
    }
    case same_elements_tag: {
      ir::SameElements same;
      same.group.resize(in.count("equal elements", sizeof(std::int64_t)));
      for (std::int64_t& v : same.group) v = in.fixed<std::int64_t>("equal elements");
      return same;
    }
    case bounded_tag: {
      ir::Bounded bounds;
      const unsigned flags = in.byte("flags of bounds");
      if (flags > 3) in.fail(fmt::format("unknown flags {} of bounds", flags));
      if ((flags & 1U) != 0) bounds.lower = in.svarint("lower bound");
      if ((flags & 2U) != 0) bounds.upper = in.svarint("upper bound");
      return bounds;
    }
    default: in.fail("an unknown kind of assumption");
    }
  }

  ir::Hints hints(Decoder& in) {
    ir::Hints out;
    const std::size_t archs = in.count("architectures of hints", 2);
    for (std::size_t i = 0; i < archs; ++i) {
      ir::Hints::Entry entry{.arch = tables_.string(in, "architecture of hints"), .values = {}};
      if (in.varint("hints of an architecture") != dictionary_tag)
        in.fail("a dictionary of hints expected");
      const std::size_t values = in.count("hints", 2);
      for (std::size_t k = 0; k < values; ++k) {
        std::string key = tables_.string(in, "name of a hint");
        entry.values.emplace_back(std::move(key), hint_value(in));
      }
      out.entries.push_back(std::move(entry));
    }
    return out;
  }

  ir::Hints::Value hint_value(Decoder& in) {
    switch (in.varint("kind of a hint")) {
    case bool_tag: return in.byte("hint") != 0;
    case integer_tag: {
      const ir::TypeId type = tables_.type(in, "type of a hint");
      const std::uint64_t value = in.varint("hint");
      if (module_.types[type].kind != TypeKind::i32 || value > 0xffffffffU)
        in.fail("a hint is an i32 or a bool");
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    }
    default: in.fail("a hint is an i32 or a bool");
    }
  }

  Decoder file_;
  Version version_;
  ir::Module module_;
  std::array<std::optional<Decoder>, section_kinds> sections_;
  ReadTables tables_;
  ReadDebug debug_;
  Function* f_ = nullptr;
  std::vector<ValueId> numbers_; ///< by number in the file, of the values in scope
  std::uint64_t location_ = 0;   ///< of the function being read, in debug_
  std::size_t next_location_ = 0;
};

Failure malformed(const Malformed& m) {
  return usage_failure(fmt::format("Tile IR bytecode, byte {}: {}", m.offset, m.what));
}

} // namespace

Result<ir::Module> read(std::span<const std::byte> file) try {
  Decoder in(file);
  const Version version = header(in);
  return Reader(in, version).run();
} catch (const Malformed& m) {
  return malformed(m);
}

Result<Version> version_of(std::span<const std::byte> file) try {
  Decoder in(file);
  return header(in);
} catch (const Malformed& m) {
  return malformed(m);
}

} // namespace cutile::bytecode
