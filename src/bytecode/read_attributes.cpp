#include "bytecode/read_attributes.hpp"

#include <limits>

#include "bytecode/layout.hpp"

namespace cutile::bytecode {
namespace {

using ir::AttrDef;
using ir::AttrKind;

void expect_tag(Decoder& in, Tag wanted, std::string_view what) {
  const Decoder start = in;
  const std::uint64_t tag = in.varint("the tag of an attribute");
  if (tag != wanted)
    start.fail(fmt::format("expected {}, which has tag {}, not tag {}", what,
                           static_cast<unsigned>(wanted), tag));
}

/// A byte of presence bits, of which `known` are all.
unsigned presence(Decoder& in, unsigned known) {
  const Decoder start = in;
  const unsigned bits = in.byte("the flags of a predicate");
  if ((bits & ~known) != 0) start.fail(fmt::format("a predicate has unknown flags {}", bits));
  return bits;
}

std::int64_t enumeration(Decoder& in, const AttrDef& a) {
  const Decoder start = in;
  const std::uint64_t value = in.varint(a.name);
  if (!ir::enum_spelling(a.enum_id, static_cast<std::int64_t>(value)))
    start.fail(fmt::format("{} has no value {}", a.name, value));
  return static_cast<std::int64_t>(value);
}

ir::Predicate predicate(Decoder& in) {
  const Decoder start = in;
  const std::uint64_t tag = in.varint("the tag of a predicate");
  switch (tag) {
  case div_by_tag: {
    ir::DivBy div{.divisor = in.varint("a divisor"), .every_along = {}};
    const unsigned bits = presence(in, 3);
    if (bits == 1 || bits == 2) in.fail("expected both every and along, or neither");
    if (bits == 0) return div;
    const std::int64_t every = in.svarint("every"), along = in.svarint("along");
    div.every_along.emplace(every, along);
    return div;
  }
  case same_elements_tag: {
    ir::SameElements same{std::vector<std::int64_t>(in.count("axes", sizeof(std::int64_t)))};
    for (std::int64_t& v : same.group) v = in.fixed<std::int64_t>("a group of same elements");
    return same;
  }
  case bounded_tag: {
    const unsigned bits = presence(in, 3);
    ir::Bounded bounds;
    if ((bits & 1U) != 0) bounds.lower = in.svarint("a lower bound");
    if ((bits & 2U) != 0) bounds.upper = in.svarint("an upper bound");
    return bounds;
  }
  default: start.fail(fmt::format("expected a predicate, not an attribute of tag {}", tag));
  }
}

} // namespace

ir::Attr AttributeDecoder::inline_attribute(Decoder& in, const AttrDef& a, ir::TypeId result) {
  switch (a.kind) {
  case AttrKind::enumeration: return enumeration(in, a);
  case AttrKind::integer: return static_cast<std::int64_t>(in.varint(a.name));
  case AttrKind::boolean: return in.index(a.name, 2) != 0;
  case AttrKind::string:
  case AttrKind::symbol: return tables_.string(in, a.name);
  case AttrKind::type: return tables_.type(in, a.name);
  case AttrKind::dense: return tables_.constant(in, result);
  case AttrKind::i32_array: {
    std::vector<std::int32_t> list(in.count(a.name, sizeof(std::int32_t)));
    for (std::int32_t& v : list) v = in.fixed<std::int32_t>(a.name);
    return list;
  }
  case AttrKind::bool_array: {
    std::vector<bool> list(in.count(a.name));
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = in.index(a.name, 2) != 0;
    return list;
  }
  case AttrKind::literal_array: {
    std::vector<ir::Literal> list(in.count(a.name));
    for (ir::Literal& l : list) l = literal(in);
    return list;
  }
  case AttrKind::hints: return hints(in);
  case AttrKind::predicate: return predicate(in);
  case AttrKind::dictionary_array: // of containers alone, which are no operations in a file
  case AttrKind::unit: break;      // a flag
  }
  return {};
}

ir::Literal AttributeDecoder::literal(Decoder& in) {
  const Decoder start = in;
  const std::uint64_t tag = in.varint("the tag of a number");
  if (tag != integer_tag && tag != float_tag)
    start.fail(fmt::format("expected a number, not an attribute of tag {}", tag));
  const bool is_integer = tag == integer_tag;
  const Decoder type_start = in;
  const ir::TypeId type = tables_.type(in, "type");
  const ir::TypeKind kind = module_.types[type].kind;
  if (is_integer ? !ir::is_integer(kind) : !ir::is_float(kind))
    type_start.fail(fmt::format("expected the type of {}, not {}",
                                is_integer ? "an integer" : "a float", module_.types.text(type)));
  const int width = ir::bit_width(kind);
  const auto unused = static_cast<unsigned>(64 - width);
  const Decoder number = in;
  std::uint64_t bits = 0;
  if (kind == ir::TypeKind::i1) {
    bits = in.byte("an i1") & 1U;
  } else if (is_integer) {
    bits = in.varint("an integer");
  } else if (width <= 8) {
    bits = in.byte("a float");
  } else { // some writers extend the sign
    const std::int64_t pattern = in.svarint("a float");
    const auto high = pattern >> (width - 1);
    bits = static_cast<std::uint64_t>(pattern);
    if (high == -1) bits = bits << unused >> unused;
  }
  if (bits << unused >> unused != bits)
    number.fail(fmt::format("{:#x} does not fit in {} bits", bits, width));
  return {type, kind == ir::TypeKind::tf32 ? bits << 13U : bits};
}

ir::Hints AttributeDecoder::tagged_hints(Decoder& in) {
  expect_tag(in, hints_tag, "hints");
  return hints(in);
}

ir::Hints AttributeDecoder::hints(Decoder& in) {
  ir::Hints out;
  for (std::size_t n = in.count("architectures"); n > 0; --n) {
    ir::Hints::Entry& entry = out.entries.emplace_back();
    entry.arch = tables_.string(in, "an architecture");
    expect_tag(in, dictionary_tag, "a dictionary");
    for (std::size_t values = in.count("hints"); values > 0; --values) {
      std::string key = tables_.string(in, "the name of a hint");
      entry.values.emplace_back(std::move(key), hint(in));
    }
  }
  return out;
}

ir::Hints::Value AttributeDecoder::hint(Decoder& in) {
  const Decoder start = in;
  const std::uint64_t tag = in.varint("the tag of a hint");
  if (tag == bool_tag) return in.index("a hint", 2) != 0;
  in = start;
  const ir::Literal l = literal(in);
  const ir::TypeKind kind = module_.types[l.type].kind;
  if (!ir::is_integer(kind)) start.fail("expected an integer, true or false as a hint");
  const auto unused = static_cast<unsigned>(64 - ir::bit_width(kind));
  const std::int64_t value = static_cast<std::int64_t>(l.bits << unused) >> unused;
  if (value != static_cast<std::int32_t>(value))
    start.fail(fmt::format("the value {} of a hint does not fit in 32 bits", value));
  return static_cast<std::int32_t>(value);
}

void AttributeDecoder::skip(Decoder& in, int depth) {
  const Decoder start = in;
  if (depth > most_nested) in.fail(fmt::format("more than {} attributes are nested", most_nested));
  const auto dictionary = [&] {
    for (std::size_t n = in.count("keys"); n > 0; --n) {
      static_cast<void>(tables_.string_view(in, "a key"));
      skip(in, depth + 1);
    }
  };
  const std::uint64_t tag = in.varint("the tag of an attribute");
  switch (tag) {
  case integer_tag:
  case float_tag:
    in = start;
    static_cast<void>(literal(in));
    return;
  case bool_tag: static_cast<void>(in.byte("a bool")); return;
  case type_tag: static_cast<void>(tables_.type(in, "type")); return;
  case string_tag: static_cast<void>(tables_.string_view(in, "string")); return;
  case array_tag:
    for (std::size_t n = in.count("attributes"); n > 0; --n) skip(in, depth + 1);
    return;
  case dense_tag:
    static_cast<void>(tables_.type(in, "type"));
    tables_.skip_constant(in);
    return;
  case dictionary_tag:
  case hints_tag: dictionary(); return; // hints hold a dictionary for each key
  case div_by_tag:
  case same_elements_tag:
  case bounded_tag:
    in = start;
    static_cast<void>(predicate(in));
    return;
  default: start.fail(fmt::format("no attribute has tag {}", tag));
  }
}

} // namespace cutile::bytecode
