#include "bytecode/read_tables.hpp"

#include "bytecode/tables.hpp"
#include "ir/literals.hpp"

namespace cutile::bytecode {
namespace {

using ir::TypeKind;

constexpr int deepest = 64; // types within types

/// The items of an offset table with offsets of type `Offset`.
template <class Offset> std::vector<Decoder> items(Decoder section, std::string_view what) {
  const std::size_t count = section.count(what, sizeof(Offset));
  section.align(sizeof(Offset));
  std::vector<std::uint64_t> offsets;
  for (std::size_t i = 0; i < count; ++i) offsets.push_back(section.fixed<Offset>(what));
  offsets.push_back(count == 0 ? 0 : section.left());
  std::vector<Decoder> out;
  for (std::size_t i = 0; i < count; ++i) {
    if (offsets[i] > offsets[i + 1] || (i == 0 && offsets[0] != 0))
      section.fail(fmt::format("the offsets of {} are not in order", what));
    out.push_back(section.take(offsets[i + 1] - offsets[i], what));
  }
  return out;
}

template <class Int> std::vector<std::int64_t> list(Decoder& in, std::string_view what) {
  std::vector<std::int64_t> out(in.count(what, sizeof(Int)));
  for (std::int64_t& v : out) v = in.fixed<Int>(what);
  return out;
}

} // namespace

void ReadTables::strings(Decoder section) {
  for (const Decoder& item : items<std::uint32_t>(section, "strings")) {
    const auto bytes = item.rest();
    strings_.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
}

void ReadTables::constants(Decoder section) {
  constant_items_ = items<std::uint64_t>(section, "constants");
}

void ReadTables::types(Decoder section) {
  type_items_ = items<std::uint32_t>(section, "types");
  types_.resize(type_items_.size());
  states_.assign(type_items_.size(), State::unread);
  for (std::size_t i = 0; i < type_items_.size(); ++i) resolve(i, 0);
}

ir::TypeId ReadTables::resolve(std::size_t index, int depth) {
  if (states_[index] == State::read) return types_[index];
  Decoder in = type_items_[index];
  if (states_[index] == State::reading) in.fail(fmt::format("type {} contains itself", index));
  if (depth > deepest) in.fail(fmt::format("types are nested deeper than {}", deepest));
  states_[index] = State::reading;
  const ir::Type type = decode(in, depth + 1);
  if (!in.done()) in.fail(fmt::format("{} bytes too many in type {}", in.left(), index));
  types_[index] = module_.types.intern(type);
  states_[index] = State::read;
  return types_[index];
}

ir::TypeId ReadTables::referred(Decoder& in, int depth) {
  return resolve(in.index("type", type_items_.size()), depth);
}

ir::Type ReadTables::decode(Decoder& in, int depth) {
  const auto kind_of = [&](ir::TypeId id) { return module_.types[id].kind; };
  const std::uint64_t tag = in.varint("kind of a type");
  ir::Type t{.kind = static_cast<TypeKind>(tag)};
  const auto last = static_cast<std::uint64_t>(TypeKind::i4);
  if (tag > last && tag != static_cast<std::uint64_t>(TypeKind::f8e5m3fnu))
    in.fail(fmt::format("no type has the tag {}", tag));
  if (since(t.kind) > version_)
    in.fail(fmt::format("a type that bytecode has from {}.{} on, in a file of {}.{}",
                        since(t.kind) / 100, since(t.kind) % 100, version_ / 100, version_ % 100));
  const auto address_flags = [&] {
    if (version_ < ir::V13_4) return;
    const std::uint64_t flags = in.varint("flags of a type");
    if (flags > 1) in.fail(fmt::format("unknown flags {} of a type", flags));
    t.multicast = flags == 1;
  };
  const auto address_kind = [&] {
    if (t.multicast && in.byte("kind of address") != multicast) in.fail("unknown kind of address");
  };
  switch (t.kind) {
  case TypeKind::pointer:
    address_flags();
    t.element = referred(in, depth);
    if (!ir::is_number(kind_of(t.element))) in.fail("a pointer to something that is no number");
    address_kind();
    break;
  case TypeKind::tile:
    t.element = referred(in, depth);
    if (!ir::is_number(kind_of(t.element)) && kind_of(t.element) != TypeKind::pointer)
      in.fail("a tile of something that is neither a number nor a pointer");
    t.shape = list<std::int64_t>(in, "extents of a tile");
    break;
  case TypeKind::tensor_view:
    address_flags();
    t.element = referred(in, depth);
    if (!ir::is_number(kind_of(t.element))) in.fail("a tensor_view of something that is no number");
    t.shape = list<std::int64_t>(in, "extents of a tensor_view");
    t.strides = list<std::int64_t>(in, "strides of a tensor_view");
    address_kind();
    break;
  case TypeKind::partition_view:
  case TypeKind::strided_view:
  case TypeKind::gather_scatter_view: {
    const bool flags_first = version_ >= ir::V13_3;
    std::uint64_t padded = flags_first ? in.varint("flags of a view") : 0;
    t.shape = list<std::int32_t>(in, "extents of a view");
    if (t.kind == TypeKind::strided_view) t.strides = list<std::int32_t>(in, "strides of a view");
    t.element = referred(in, depth);
    if (kind_of(t.element) != TypeKind::tensor_view)
      in.fail("a view of something that is no tensor_view");
    if (t.kind == TypeKind::gather_scatter_view) {
      t.sparse_dim = static_cast<std::int32_t>(in.index("sparse axis", t.shape.size()));
    } else {
      for (const std::int64_t v : list<std::int32_t>(in, "axes of a view"))
        t.dim_map.push_back(static_cast<std::int32_t>(v));
    }
    if (!flags_first) padded = in.byte("flag of padding");
    if (padded > 1) in.fail(fmt::format("unknown flags {} of a view", padded));
    if (padded == 1) t.padding = static_cast<ir::Padding>(in.index("padding", 5));
    break;
  }
  case TypeKind::function:
    for (auto* types : {&t.inputs, &t.results}) {
      const std::size_t n = in.count("types of a function");
      for (std::size_t i = 0; i < n; ++i) types->push_back(referred(in, depth));
    }
    break;
  default: break;
  }
  return t;
}

ir::ConstantId ReadTables::constant(Decoder& in, ir::TypeId type) {
  const std::size_t index = in.index("constant", constant_items_.size());
  if (module_.types[type].kind != TypeKind::tile) in.fail("a constant that is no tile");
  const auto [it, added] = constants_.try_emplace({index, type.index});
  if (!added) return it->second;
  Decoder item = constant_items_[index];
  const std::uint64_t size = item.varint("size of a constant");
  if (size != item.left())
    item.fail(fmt::format("a constant of {} bytes in an item of {}", size, item.left()));
  auto data =
      ir::unpacked(item.rest(), module_.types.element_kind(type), module_.types.elements(type));
  if (!data)
    item.fail(fmt::format("{} bytes are neither one element nor all of {}", size,
                          module_.types.text(type)));
  it->second = {static_cast<std::uint32_t>(module_.constants.size())};
  module_.constants.push_back({.type = type, .data = *std::move(data)});
  return it->second;
}

} // namespace cutile::bytecode
