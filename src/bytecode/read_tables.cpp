#include "bytecode/read_tables.hpp"

#include "bytecode/layout.hpp"
#include "bytecode/type_fields.hpp"
#include "ir/literals.hpp"

namespace cutile::bytecode {
namespace {

using ir::TypeId;
using ir::TypeKind;

/// Far more than any kernel has; keeps the texts of types short.
constexpr std::size_t most_axes = 64;

TypeKind type_kind(Decoder item, ir::Version version) {
  const Decoder start = item;
  const std::uint64_t tag = item.varint("the tag of a type");
  const auto kind = static_cast<TypeKind>(tag);
  const bool known = tag <= static_cast<std::uint64_t>(TypeKind::i4) ||
                     tag == static_cast<std::uint64_t>(TypeKind::f8e5m3fnu);
  if (!known) start.fail(fmt::format("no type has tag {}", tag));
  if (since(kind) > version)
    start.fail(fmt::format("type {} needs version {}", ir::spelling(kind), text(since(kind))));
  return kind;
}

/// Whether types of kind `of` are made of types of kind `part`. Such chains are short, so types
/// nest but a little and never in a ring.
bool may_hold(TypeKind of, TypeKind part) {
  switch (of) {
  case TypeKind::pointer:
  case TypeKind::tensor_view: return ir::is_number(part);
  case TypeKind::tile: return ir::is_number(part) || part == TypeKind::pointer;
  case TypeKind::function: return part != TypeKind::function;
  default: return part == TypeKind::tensor_view;
  }
}

} // namespace

ReadTables::ReadTables(ir::Module& module, ir::Version version, std::size_t file_bytes)
    : module_(module), version_(version) {
  constexpr std::size_t floor = std::size_t{1} << 20, factor = 64;
  allowance_ = floor + factor * file_bytes;
}

void ReadTables::expand(const Decoder& in, std::size_t bytes) {
  if (bytes > allowance_) in.fail("expected less: the file stands for far more than its size");
  allowance_ -= bytes;
}

void ReadTables::read_strings(Decoder section) {
  strings_ = offset_table<std::uint32_t>(section, "strings");
}

void ReadTables::read_types(Decoder section) {
  type_items_ = offset_table<std::uint32_t>(section, "types");
  for (const Decoder& item : type_items_) kinds_.push_back(type_kind(item, version_));
  types_.resize(type_items_.size());
  for (std::size_t i = 0; i < types_.size(); ++i) resolve(i);
}

void ReadTables::read_constants(Decoder section) {
  constant_items_ = offset_table<std::uint64_t>(section, "constants");
}

/// Reads the fields of a type (see type_fields).
struct ReadTables::TypeReader {
  ReadTables& tables;
  Decoder& in;
  TypeKind kind;

  bool flag(bool) const {
    const Decoder start = in;
    const std::uint64_t flags = in.varint("the flags of a type");
    if (flags > 1) start.fail(fmt::format("a type has flags {}, where only bit 0 is known", flags));
    return flags != 0;
  }
  void type(TypeId& id) const {
    const Decoder start = in;
    const std::size_t part = in.index("type", tables.kinds_.size());
    if (!may_hold(kind, tables.kinds_[part]))
      start.fail(fmt::format("a {} cannot be made of a {}", ir::spelling(kind),
                             ir::spelling(tables.kinds_[part])));
    id = tables.resolve(part);
  }
  void types(std::vector<TypeId>& ids) const {
    ids.resize(in.count("types"));
    for (TypeId& id : ids) type(id);
  }
  template <class Int, class T> void list(std::vector<T>& values) const {
    const Decoder start = in;
    const std::size_t axes = in.count("axes", sizeof(Int));
    if (axes > most_axes)
      start.fail(fmt::format("a type has {} axes; at most {} can be read", axes, most_axes));
    values.resize(axes);
    for (T& v : values) v = in.fixed<Int>("an extent or stride");
  }
  void address(bool& is_multicast) const {
    const Decoder start = in;
    const std::uint8_t address = in.byte("a kind of address");
    if (address != unicast && address != multicast)
      start.fail(fmt::format("no kind of address has number {}", address));
    is_multicast = address == multicast;
  }
  void number(std::int32_t& value) const {
    value = static_cast<std::int32_t>(in.index("axis", most_axes));
  }
  void padding(std::optional<ir::Padding>& value) const {
    constexpr std::size_t paddings = 5;
    value = static_cast<ir::Padding>(in.index("padding", paddings));
  }
};

/// The type with number `index`, read now unless another needed it before.
TypeId ReadTables::resolve(std::size_t index) {
  if (types_[index].valid()) return types_[index];
  Decoder in = type_items_[index];
  static_cast<void>(in.varint("the tag of a type"));
  ir::Type type{.kind = kinds_[index]};
  TypeReader fields{*this, in, type.kind};
  type_fields(fields, type, version_);
  in.end("a type");
  return types_[index] = module_.types.intern(type);
}

std::string_view ReadTables::string_view(Decoder& in, std::string_view what) const {
  const auto bytes = strings_[in.index(what, strings_.size())].rest();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string ReadTables::string(Decoder& in, std::string_view what) {
  const std::string_view text = string_view(in, what);
  expand(in, text.size());
  return std::string(text);
}

TypeId ReadTables::type(Decoder& in, std::string_view what) const {
  return types_[in.index(what, types_.size())];
}

void ReadTables::skip_constant(Decoder& in) const {
  static_cast<void>(in.index("constant", constant_items_.size()));
}

ir::ConstantId ReadTables::constant(Decoder& in, TypeId type) {
  const Decoder start = in;
  const std::size_t index = in.index("constant", constant_items_.size());
  const auto [known, is_new] = constants_.try_emplace({index, type.index});
  if (!is_new) return known->second;
  const bool is_tile = module_.types[type].kind == TypeKind::tile;
  const TypeKind kind = is_tile ? module_.types.element_kind(type) : TypeKind::token;
  if (!ir::is_number(kind) || kind == TypeKind::i4)
    start.fail(fmt::format("no constant can have type {}", module_.types.text(type)));
  Decoder item = constant_items_[index];
  const Decoder bytes = item.take(item.varint("the size of a constant"), "a constant");
  item.end("a constant");
  constexpr std::size_t most_per_byte = 8; // of i1
  expand(start, bytes.left() * most_per_byte);
  auto data = ir::unpacked(bytes.rest(), kind, module_.types.elements(type));
  if (!data)
    bytes.fail(fmt::format("the {} bytes of constant {} are neither one element of {} nor all",
                           bytes.left(), index, module_.types.text(type)));
  known->second = {static_cast<std::uint32_t>(module_.constants.size())};
  module_.constants.push_back({.type = type, .data = *std::move(data)});
  return known->second;
}

} // namespace cutile::bytecode
