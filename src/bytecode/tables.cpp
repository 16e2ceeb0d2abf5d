#include "bytecode/tables.hpp"

#include <fmt/format.h>

#include "bytecode/too_new.hpp"
#include "ir/literals.hpp"

namespace cutile::bytecode {
namespace {

using ir::TypeKind;

template <class Int, class Range> void fixed_list(Encoder& out, const Range& values) {
  out.varint(values.size());
  for (const auto v : values) out.fixed(static_cast<Int>(v));
}

/// An offset table: count, padding, offsets of `Offset`, data.
template <class Offset, class Items> Encoder offset_table(const Items& items) {
  Encoder out;
  out.varint(items.size());
  out.pad(sizeof(Offset));
  std::size_t offset = 0;
  for (const auto& item : items) {
    out.fixed(static_cast<Offset>(offset));
    offset += item.size();
  }
  for (const auto& item : items) out.raw(item);
  return out;
}

} // namespace

ir::Version since(TypeKind kind) {
  switch (kind) {
  case TypeKind::f8e8m0fnu: return ir::V13_2;
  case TypeKind::f4e2m1fn:
  case TypeKind::i4:
  case TypeKind::gather_scatter_view:
  case TypeKind::strided_view: return ir::V13_3;
  case TypeKind::f8e5m3fnu: return ir::V13_4;
  default: return ir::V13_1;
  }
}

void Tables::add_all() {
  for (std::uint32_t i = 0; i < module_.types.size(); ++i) type_index({i});
  for (std::uint32_t i = 0; i < module_.constants.size(); ++i) constant({i});
}

std::uint64_t Tables::string(std::string_view text) {
  const auto [it, added] = strings_.try_emplace(std::string(text), string_items_.size());
  if (added) string_items_.emplace_back(text);
  return it->second;
}

std::uint64_t Tables::type_index(ir::TypeId id) {
  if (const auto found = types_.find(id.index); found != types_.end()) return found->second;
  const ir::Type type = extra_[id];
  const ir::Version needed = type.multicast ? ir::V13_5 : since(type.kind);
  if (needed > version_) {
    throw TooNew{fmt::format("type {}", extra_.text(id)), needed};
  }
  std::vector<std::byte> item = encode(type).take(); // adds the types that it needs first
  const std::uint64_t index = type_items_.size();
  type_items_.push_back(std::move(item));
  types_.emplace(id.index, index);
  return index;
}

Encoder Tables::encode(const ir::Type& t) {
  Encoder out;
  out.varint(static_cast<std::uint64_t>(t.kind));
  const bool has_flags = version_ >= ir::V13_4; // 0: ordinary memory
  switch (t.kind) {
  case TypeKind::pointer:
    if (has_flags) out.varint(t.multicast ? 1 : 0);
    out.varint(type_index(t.element));
    if (t.multicast) out.byte(multicast);
    break;
  case TypeKind::tile:
    out.varint(type_index(t.element));
    fixed_list<std::int64_t>(out, t.shape);
    break;
  case TypeKind::tensor_view:
    if (has_flags) out.varint(t.multicast ? 1 : 0);
    out.varint(type_index(t.element));
    fixed_list<std::int64_t>(out, t.shape);
    fixed_list<std::int64_t>(out, t.strides);
    if (t.multicast) out.byte(multicast);
    break;
  case TypeKind::partition_view:
  case TypeKind::strided_view:
  case TypeKind::gather_scatter_view: {
    const bool flags_first = version_ >= ir::V13_3;
    if (flags_first) out.varint(t.padding ? 1 : 0);
    fixed_list<std::int32_t>(out, t.shape);
    if (t.kind == TypeKind::strided_view) fixed_list<std::int32_t>(out, t.strides);
    out.varint(type_index(t.element));
    if (t.kind == TypeKind::gather_scatter_view) {
      out.varint(static_cast<std::uint64_t>(t.sparse_dim));
    } else {
      fixed_list<std::int32_t>(out, t.dim_map);
    }
    if (!flags_first) out.byte(t.padding ? 1 : 0);
    if (t.padding) out.varint(static_cast<std::uint64_t>(*t.padding));
    break;
  }
  case TypeKind::function:
    out.varint(t.inputs.size());
    for (const ir::TypeId i : t.inputs) out.varint(type_index(i));
    out.varint(t.results.size());
    for (const ir::TypeId i : t.results) out.varint(type_index(i));
    break;
  default: break;
  }
  return out;
}

std::uint64_t Tables::constant(ir::ConstantId id) {
  if (const auto found = constants_.find(id.index); found != constants_.end()) return found->second;
  const std::uint64_t index = constant_items_.size();
  constant_items_.push_back(encode(module_[id]).take());
  constants_.emplace(id.index, index);
  return index;
}

Encoder Tables::encode(const ir::Constant& c) const {
  const std::vector<std::byte> data = ir::packed(c, module_.types.element_kind(c.type));
  Encoder out;
  out.varint(data.size());
  out.raw(data);
  return out;
}

Encoder Tables::string_section() const {
  Encoder out;
  std::vector<std::span<const std::byte>> items;
  for (const std::string& s : string_items_) items.push_back(std::as_bytes(std::span(s)));
  return offset_table<std::uint32_t>(items);
}
Encoder Tables::type_section() const {
  return type_items_.empty() ? Encoder{} : offset_table<std::uint32_t>(type_items_);
}
Encoder Tables::constant_section(bool even_empty) const {
  if (constant_items_.empty() && !even_empty) return {};
  return offset_table<std::uint64_t>(constant_items_);
}

} // namespace cutile::bytecode
