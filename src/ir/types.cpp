#include "ir/types.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>

namespace cutile::ir {
namespace {

struct KindFacts {
  TypeKind kind;
  std::string_view spelling;
  std::uint8_t bits;
  std::uint8_t bytes;
};

constexpr KindFacts kinds[] = {
    {TypeKind::i1, "i1", 1, 1},
    {TypeKind::i4, "i4", 4, 1},
    {TypeKind::i8, "i8", 8, 1},
    {TypeKind::i16, "i16", 16, 2},
    {TypeKind::i32, "i32", 32, 4},
    {TypeKind::i64, "i64", 64, 8},
    {TypeKind::f16, "f16", 16, 2},
    {TypeKind::bf16, "bf16", 16, 2},
    {TypeKind::f32, "f32", 32, 4},
    {TypeKind::tf32, "tf32", 19, 4},
    {TypeKind::f64, "f64", 64, 8},
    {TypeKind::f8e4m3fn, "f8E4M3FN", 8, 1},
    {TypeKind::f8e5m2, "f8E5M2", 8, 1},
    {TypeKind::f8e8m0fnu, "f8E8M0FNU", 8, 1},
    {TypeKind::f8e5m3fnu, "f8E5M3FNU", 8, 1},
    {TypeKind::f4e2m1fn, "f4E2M1FN", 4, 1},
    {TypeKind::pointer, "ptr", 64, 8},
    {TypeKind::tile, "tile", 0, 0},
    {TypeKind::tensor_view, "tensor_view", 0, 0},
    {TypeKind::partition_view, "partition_view", 0, 0},
    {TypeKind::strided_view, "strided_view", 0, 0},
    {TypeKind::gather_scatter_view, "gather_scatter_view", 0, 0},
    {TypeKind::function, "function", 0, 0},
    {TypeKind::token, "token", 0, 0},
};

const KindFacts* facts(TypeKind kind) {
  for (const KindFacts& k : kinds) {
    if (k.kind == kind) return &k;
  }
  return nullptr;
}

template <class Int> void combine(std::uint64_t& hash, Int value) {
  hash ^= static_cast<std::uint64_t>(value) + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
}

std::uint64_t hash_of(const Type& t) {
  std::uint64_t h = static_cast<std::uint64_t>(t.kind);
  combine(h, t.element.index);
  for (const auto v : t.shape) combine(h, v);
  for (const auto v : t.strides) combine(h, v);
  for (const auto v : t.dim_map) combine(h, v);
  combine(h, t.padding ? 1 + static_cast<int>(*t.padding) : 0);
  combine(h, t.sparse_dim);
  for (const auto v : t.inputs) combine(h, v.index);
  for (const auto v : t.results) combine(h, v.index);
  combine(h, t.multicast ? 1 : 0);
  return h;
}

template <class Range> std::string joined(const Range& values, std::string_view separator) {
  std::string out;
  for (const auto v : values) {
    if (!out.empty()) out += separator;
    out += v == dynamic ? "?" : fmt::format("{}", v);
  }
  return out;
}

bool is_identity(const std::vector<std::int32_t>& map) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] != static_cast<std::int32_t>(i)) return false;
  }
  return true;
}

} // namespace

bool is_integer(TypeKind kind) {
  return kind == TypeKind::i1 || kind == TypeKind::i4 || kind == TypeKind::i8 ||
         kind == TypeKind::i16 || kind == TypeKind::i32 || kind == TypeKind::i64;
}
bool is_base_float(TypeKind kind) {
  return kind == TypeKind::f16 || kind == TypeKind::bf16 || kind == TypeKind::f32 ||
         kind == TypeKind::f64;
}
bool is_float(TypeKind kind) {
  return is_base_float(kind) || kind == TypeKind::tf32 || kind == TypeKind::f8e4m3fn ||
         kind == TypeKind::f8e5m2 || kind == TypeKind::f8e8m0fnu || kind == TypeKind::f4e2m1fn ||
         kind == TypeKind::f8e5m3fnu;
}
bool is_number(TypeKind kind) { return is_integer(kind) || is_float(kind); }
bool is_view(TypeKind kind) {
  return kind == TypeKind::partition_view || kind == TypeKind::strided_view ||
         kind == TypeKind::gather_scatter_view;
}
int bit_width(TypeKind kind) {
  const KindFacts* k = facts(kind);
  return k == nullptr ? 0 : k->bits;
}
int storage_bytes(TypeKind kind) {
  const KindFacts* k = facts(kind);
  return k == nullptr ? 0 : k->bytes;
}
std::string_view spelling(TypeKind kind) {
  const KindFacts* k = facts(kind);
  return k == nullptr ? "?" : k->spelling;
}

std::string_view spelling(Padding padding) {
  constexpr std::string_view names[] = {"zero", "neg_zero", "nan", "pos_inf", "neg_inf"};
  return names[static_cast<std::size_t>(padding)];
}
std::span<const TypeKind> all_type_kinds() {
  static constexpr auto all = [] {
    std::array<TypeKind, std::size(kinds)> list{};
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = kinds[i].kind;
    return list;
  }();
  return all;
}

TypeId TypeTable::intern(const Type& type) {
  const std::uint64_t hash = hash_of(type);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (types_[it->second] == type) return {it->second};
  }
  const auto index = static_cast<std::uint32_t>(types_.size());
  types_.push_back(type);
  by_hash_.emplace(hash, index);
  return {index};
}

TypeId TypeTable::tensor_view(TypeId element, std::span<const std::int64_t> shape,
                              std::span<const std::int64_t> strides) {
  return intern({.kind = TypeKind::tensor_view,
                 .element = element,
                 .shape = {shape.begin(), shape.end()},
                 .strides = {strides.begin(), strides.end()}});
}

TypeId TypeTable::partition_view(TypeId tensor_view, std::span<const std::int64_t> tile,
                                 std::optional<Padding> padding,
                                 std::span<const std::int32_t> dim_map) {
  Type t{.kind = TypeKind::partition_view,
         .element = tensor_view,
         .shape = {tile.begin(), tile.end()}};
  t.padding = padding;
  t.dim_map.assign(dim_map.begin(), dim_map.end());
  if (t.dim_map.empty()) {
    for (std::size_t i = 0; i < tile.size(); ++i) t.dim_map.push_back(static_cast<std::int32_t>(i));
  }
  return intern(t);
}

std::int64_t TypeTable::elements(TypeId tile) const {
  std::int64_t n = 1;
  for (const std::int64_t extent : types_[tile.index].shape) {
    if (__builtin_mul_overflow(n, extent, &n)) return std::numeric_limits<std::int64_t>::max();
  }
  return n;
}

std::string TypeTable::text(TypeId id) const {
  const Type& t = types_[id.index];
  switch (t.kind) {
  case TypeKind::token: return "token";
  case TypeKind::pointer:
    return fmt::format("ptr<{}{}>", text(t.element), t.multicast ? ", <multicast>" : "");
  case TypeKind::tile:
    return t.shape.empty() ? fmt::format("tile<{}>", text(t.element))
                           : fmt::format("tile<{}x{}>", joined(t.shape, "x"), text(t.element));
  case TypeKind::tensor_view: {
    std::string out = "tensor_view<";
    if (!t.shape.empty()) out += joined(t.shape, "x") + "x";
    out += text(t.element);
    if (!t.shape.empty()) out += fmt::format(", strides=[{}]", joined(t.strides, ","));
    if (t.multicast) out += ", #cuda_tile.ptr_attr<multicast>";
    return out + ">";
  }
  case TypeKind::partition_view:
  case TypeKind::strided_view:
  case TypeKind::gather_scatter_view: {
    std::string out = fmt::format("{}<tile=({})", spelling(t.kind), joined(t.shape, "x"));
    if (t.kind == TypeKind::strided_view)
      out += fmt::format(", traversal_strides=[{}]", joined(t.strides, ","));
    if (t.padding) out += fmt::format(", padding_value = {}", spelling(*t.padding));
    out += ", " + text(t.element);
    if (!is_identity(t.dim_map)) out += fmt::format(", dim_map=[{}]", joined(t.dim_map, ", "));
    if (t.kind == TypeKind::gather_scatter_view)
      out += fmt::format(", sparse_dim={}", t.sparse_dim);
    return out + ">";
  }
  case TypeKind::function: {
    std::string in;
    for (const TypeId i : t.inputs) in += (in.empty() ? "" : ", ") + text(i);
    std::string out;
    for (const TypeId i : t.results) out += (out.empty() ? "" : ", ") + text(i);
    return fmt::format("({}) -> ({})", in, out);
  }
  default: return std::string(spelling(t.kind));
  }
}

} // namespace cutile::ir
