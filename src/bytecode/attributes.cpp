#include "bytecode/attributes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bytecode/layout.hpp"
#include "bytecode/too_new.hpp"

namespace cutile::bytecode {
namespace {

using ir::AttrDef;
using ir::AttrKind;

/// Whether leaving `value` out of the file means the same.
bool is_default(const AttrDef& a, const ir::Attr& value) {
  if (std::holds_alternative<std::monostate>(value)) return true;
  if (const auto* flag = std::get_if<bool>(&value)) return !*flag;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return a.default_value == *number;
  const auto* list = std::get_if<std::vector<bool>>(&value);
  return list != nullptr && std::none_of(list->begin(), list->end(), [](bool b) { return b; });
}

/// How many indices an access has: the length of its `inbounds`.
std::size_t index_count(const ir::Operation& op) {
  const ir::OpDef& d = ir::def(op.op);
  for (std::size_t i = 0; i < d.operands.size(); ++i) {
    if (d.operands[i].name == "index") return op.segments[i];
  }
  return 0;
}

std::uint64_t low_bits(std::uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << static_cast<unsigned>(width)) - 1);
}

} // namespace

void AttributeEncoder::inline_attribute(Encoder& out, const ir::Operation& op, std::size_t i) {
  const AttrDef& a = ir::def(op.op).attributes[i];
  const ir::Attr& value = op.attributes[i];
  if (a.since > version_) {
    if (is_default(a, value)) return;
    throw TooNew{fmt::format("attribute {} of {}", a.name, ir::def(op.op).name), a.since};
  }
  if (a.kind == AttrKind::unit) return;
  if (a.optional && std::holds_alternative<std::monostate>(value)) return;
  switch (a.kind) {
  case AttrKind::enumeration:
  case AttrKind::integer:
    out.varint(static_cast<std::uint64_t>(ir::int_attribute(op, a.name)));
    return;
  case AttrKind::boolean: out.byte(ir::flag_attribute(op, a.name) ? 1 : 0); return;
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
  case AttrKind::bool_array: { // absent: no promise for any index
    const auto* list = std::get_if<std::vector<bool>>(&value);
    const std::size_t count = list != nullptr ? list->size() : index_count(op);
    out.varint(count);
    for (std::size_t b = 0; b < count; ++b) out.byte(list != nullptr && (*list)[b] ? 1 : 0);
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
  case AttrKind::dictionary_array: // of containers alone, which are no operations in a file
  case AttrKind::unit: return;
  }
}

void AttributeEncoder::literal(Encoder& out, const ir::Literal& l) {
  const ir::TypeKind kind = module_.types[l.type].kind;
  const int width = ir::bit_width(kind);
  const bool is_integer = ir::is_integer(kind);
  out.varint(is_integer ? integer_tag : float_tag);
  out.varint(tables_.type(l.type));
  if (is_integer) {
    out.varint(low_bits(l.bits, width)); // never sign-extended
  } else if (width <= 8) {
    out.byte(l.bits);
  } else {
    out.svarint(static_cast<std::int64_t>(kind == ir::TypeKind::tf32 ? l.bits >> 13U : l.bits));
  }
}

void AttributeEncoder::predicate(Encoder& out, const ir::Predicate& p) {
  if (const auto* div = std::get_if<ir::DivBy>(&p)) {
    constexpr unsigned every_and_along = 3;
    out.varint(div_by_tag);
    out.varint(div->divisor);
    out.byte(div->every_along ? every_and_along : 0);
    if (div->every_along) {
      out.svarint(div->every_along->first);
      out.svarint(div->every_along->second);
    }
  } else if (const auto* same = std::get_if<ir::SameElements>(&p)) {
    out.varint(same_elements_tag);
    out.varint(same->group.size());
    for (const std::int64_t v : same->group) out.fixed(v);
  } else {
    const auto& bounds = std::get<ir::Bounded>(p);
    out.varint(bounded_tag);
    out.byte((bounds.lower ? 1U : 0U) | (bounds.upper ? 2U : 0U));
    if (bounds.lower) out.svarint(*bounds.lower);
    if (bounds.upper) out.svarint(*bounds.upper);
  }
}

void AttributeEncoder::tagged_hints(Encoder& out, const ir::Hints& h) {
  out.varint(hints_tag);
  hints(out, h);
}

void AttributeEncoder::hints(Encoder& out, const ir::Hints& h) {
  out.varint(h.entries.size());
  for (const ir::Hints::Entry& entry : h.entries) {
    if (entry.arch == "default" && version_ < ir::V13_3)
      throw TooNew{"a hint for every architecture ('default')", ir::V13_3};
    out.varint(tables_.string(entry.arch));
    out.varint(dictionary_tag);
    out.varint(entry.values.size());
    for (const auto& [key, value] : entry.values) {
      if (key == "num_worker_warps_per_cta" && version_ < ir::V13_3)
        throw TooNew{fmt::format("hint {}", key), ir::V13_3};
      out.varint(tables_.string(key));
      if (const bool* flag = std::get_if<bool>(&value)) {
        out.varint(bool_tag);
        out.byte(*flag ? 1 : 0);
      } else {
        out.varint(integer_tag);
        out.varint(tables_.add_type({.kind = ir::TypeKind::i32}));
        out.varint(static_cast<std::uint32_t>(std::get<std::int32_t>(value)));
      }
    }
  }
}

} // namespace cutile::bytecode
