#include "bytecode/tables.hpp"

#include <fmt/format.h>

#include "bytecode/layout.hpp"
#include "bytecode/too_new.hpp"
#include "bytecode/type_fields.hpp"
#include "ir/literals.hpp"

namespace cutile::bytecode {
namespace {

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

void Tables::add_types() {
  for (std::uint32_t i = 0; i < module_.types.size(); ++i) {
    try {
      type_index({i});
    } catch (const TooNew&) {
      continue; // a fault only where something uses it
    }
  }
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

/// Writes the fields of a type (see type_fields).
struct Tables::TypeWriter {
  Tables& tables;
  Encoder& out;
  bool flag(bool set) const {
    out.varint(set ? 1 : 0);
    return set;
  }
  void type(ir::TypeId id) const { out.varint(tables.type_index(id)); }
  void types(const std::vector<ir::TypeId>& ids) const {
    out.varint(ids.size());
    for (const ir::TypeId id : ids) type(id);
  }
  template <class Int, class T> void list(const std::vector<T>& values) const {
    out.varint(values.size());
    for (const T v : values) out.fixed(static_cast<Int>(v));
  }
  void address(bool is_multicast) const { out.byte(is_multicast ? multicast : unicast); }
  void number(std::int32_t value) const { out.varint(static_cast<std::uint64_t>(value)); }
  void padding(std::optional<ir::Padding> value) const {
    out.varint(static_cast<std::uint64_t>(*value));
  }
};

Encoder Tables::encode(ir::Type type) {
  Encoder out;
  out.varint(static_cast<std::uint64_t>(type.kind));
  TypeWriter fields{*this, out};
  type_fields(fields, type, version_);
  return out;
}

std::uint64_t Tables::constant(ir::ConstantId id) {
  if (const auto found = constants_.find(id.index); found != constants_.end()) return found->second;
  std::vector<std::byte> item = encode(module_[id]).take();
  // The pool has no types, so constants of several types may share an item.
  const std::string key(reinterpret_cast<const char*>(item.data()), item.size());
  const auto [known, is_new] = constant_numbers_.try_emplace(key, constant_items_.size());
  const std::uint64_t index = known->second;
  if (is_new) constant_items_.push_back(std::move(item));
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
