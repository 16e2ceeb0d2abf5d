#include "ir/ops.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace cutile::ir {
namespace {

using A = AttrKind;
using E = EnumId;
using enum TypeSet;
using enum Arity;
using enum Rank;

// Attributes that several operations share.
constexpr AttrDef rounding_mode(Version since, std::int64_t understood,
                                std::initializer_list<int> allowed) {
  return AttrDef{.name = "rounding_mode",
                 .kind = A::enumeration,
                 .enum_id = E::rounding_mode,
                 .since = since,
                 .default_value = understood}
      .only(allowed);
}
constexpr AttrDef ieee_rounding = rounding_mode(V13_1, 0, {0, 1, 2, 3});
constexpr AttrDef flush_to_zero{.name = "flush_to_zero", .kind = A::unit};
constexpr AttrDef propagate_nan{.name = "propagate_nan", .kind = A::unit};
constexpr AttrDef overflow{
    .name = "overflow", .kind = A::enumeration, .enum_id = E::overflow, .default_value = 0};
constexpr AttrDef sign(std::string_view name) {
  return {.name = name, .kind = A::enumeration, .enum_id = E::signedness};
}
constexpr AttrDef signedness = sign("signedness");
constexpr AttrDef comparison{
    .name = "comparison_predicate", .kind = A::enumeration, .enum_id = E::comparison};
constexpr AttrDef memory_ordering{
    .name = "memory_ordering_semantics", .kind = A::enumeration, .enum_id = E::memory_ordering};
constexpr AttrDef memory_scope{
    .name = "memory_scope", .kind = A::enumeration, .enum_id = E::memory_scope};
constexpr AttrDef optional_memory_scope{
    .name = "memory_scope", .kind = A::enumeration, .enum_id = E::memory_scope, .optional = true};
// weak 0, relaxed 1, acquire 2, release 3, acq_rel 4
constexpr AttrDef load_ordering = memory_ordering.only({0, 1, 2});
constexpr AttrDef store_ordering = memory_ordering.only({0, 1, 3});
constexpr AttrDef atomic_ordering = memory_ordering.only({1, 2, 3, 4});
constexpr AttrDef atomic_mode{.name = "mode", .kind = A::enumeration, .enum_id = E::atomic_mode};
constexpr AttrDef multimem_reduction{.name = "reduction",
                                     .kind = A::enumeration,
                                     .enum_id = E::multimem_reduction,
                                     .default_value = 0};
constexpr AttrDef optimization_hints{
    .name = "optimization_hints", .kind = A::hints, .optional = true};
constexpr AttrDef dim{.name = "dim", .kind = A::integer};
constexpr AttrDef identities{.name = "identities", .kind = A::literal_array};
constexpr AttrDef inbounds(Version since) {
  return {.name = "inbounds", .kind = A::bool_array, .since = since};
}

constexpr OpDef table[] = {
#define OP(id, spelling, opcode, version, ...)                                                     \
  OpDef{.op = Op::id, .name = spelling, .since = version, __VA_ARGS__},
#include "ir/ops.def"
#undef OP
};

constexpr std::size_t opcode_limit = 0x80;

constexpr auto by_opcode = [] {
  std::array<std::int16_t, opcode_limit> index{};
  index.fill(-1);
  for (std::size_t i = 0; i < std::size(table); ++i)
    index[static_cast<std::size_t>(table[i].op)] = static_cast<std::int16_t>(i);
  return index;
}();

struct Spellings {
  EnumId id;
  List<std::string_view, 10> names;
};
constexpr Spellings enums[] = {
    {E::rounding_mode,
     {"nearest_even", "zero", "negative_inf", "positive_inf", "approx", "full",
      "nearest_int_to_zero", "nearest_away"}},
    {E::overflow, {"none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap"}},
    {E::signedness, {"unsigned", "signed"}},
    {E::comparison,
     {"equal", "not_equal", "less_than", "less_than_or_equal", "greater_than",
      "greater_than_or_equal"}},
    {E::comparison_ordering, {"unordered", "ordered"}},
    {E::memory_ordering, {"weak", "relaxed", "acquire", "release", "acq_rel"}},
    {E::memory_scope, {"tl_blk", "device", "sys"}},
    {E::atomic_mode, {"and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"}},
    {E::multimem_reduction, {"add", "min", "max", "and", "or", "xor", "umin", "umax"}},
    {E::visibility, {"public", "private"}},
};

struct SetFacts {
  TypeSet set;
  std::string_view description;
  std::vector<TypeKind> kinds; // of the tile's element, or of the type itself
};

const SetFacts& facts(TypeSet set) {
  using K = TypeKind;
  static const std::vector<K> numbers{
      K::i1,   K::i8,  K::i16,      K::i32,    K::i64,       K::f16,      K::bf16,     K::f32,
      K::tf32, K::f64, K::f8e4m3fn, K::f8e5m2, K::f8e8m0fnu, K::f4e2m1fn, K::f8e5m3fnu};
  static const auto with = [](std::vector<K> kinds, K extra) {
    kinds.push_back(extra);
    return kinds;
  };
  static const std::vector<SetFacts> all{
      {any, "any value", {}},
      {any_tile, "a tile", {}},
      {boolean, "a tile of i1", {K::i1}},
      {integer, "a tile of i1, i8, i16, i32 or i64", {K::i1, K::i8, K::i16, K::i32, K::i64}},
      {integer_or_i4, "a tile of integers", {K::i1, K::i4, K::i8, K::i16, K::i32, K::i64}},
      {i8, "a tile of i8", {K::i8}},
      {i32, "a tile of i32", {K::i32}},
      {i64, "a tile of i64", {K::i64}},
      {base_float, "a tile of f16, bf16, f32 or f64", {K::f16, K::bf16, K::f32, K::f64}},
      {any_float,
       "a tile of floats",
       {K::f16, K::bf16, K::f32, K::tf32, K::f64, K::f8e4m3fn, K::f8e5m2, K::f8e8m0fnu, K::f4e2m1fn,
        K::f8e5m3fnu}},
      {f32, "a tile of f32", {K::f32}},
      {number, "a tile of numbers", numbers},
      {number_or_4bit, "a tile of numbers", with(numbers, K::i4)},
      {mma_float,
       "a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2",
       {K::f16, K::bf16, K::f32, K::f64, K::tf32, K::f8e4m3fn, K::f8e5m2}},
      {mma_acc, "a tile of f16, f32 or f64", {K::f16, K::f32, K::f64}},
      {scaled_float,
       "a tile of f8E4M3FN, f8E5M2 or f4E2M1FN",
       {K::f8e4m3fn, K::f8e5m2, K::f4e2m1fn}},
      {scale_float, "a tile of f8E8M0FNU or f8E4M3FN", {K::f8e8m0fnu, K::f8e4m3fn}},
      {pointer_tile, "a tile of pointers", {K::pointer}},
      {token, "a token", {K::token}},
      {tensor_view, "a tensor_view", {K::tensor_view}},
      {tile_view, "a view", {K::partition_view, K::strided_view, K::gather_scatter_view}},
      {partition_view, "a partition_view", {K::partition_view}},
      {strided_view, "a strided_view", {K::strided_view}},
      {gather_scatter_view, "a gather_scatter_view", {K::gather_scatter_view}},
  };
  return *std::find_if(all.begin(), all.end(), [&](const SetFacts& f) { return f.set == set; });
}

} // namespace

std::optional<std::string_view> enum_spelling(EnumId id, std::int64_t value) {
  for (const Spellings& e : enums) {
    if (e.id == id && value >= 0 && static_cast<std::size_t>(value) < e.names.size()) {
      return e.names[static_cast<std::size_t>(value)];
    }
  }
  return std::nullopt;
}

bool contains(TypeSet set, const TypeTable& types, TypeId type) {
  if (set == TypeSet::any) return true;
  const Type& t = types[type];
  const bool bare = set == token || set == tensor_view || set == tile_view ||
                    set == partition_view || set == strided_view || set == gather_scatter_view;
  if (!bare && t.kind != TypeKind::tile) return false;
  if (set == any_tile) return true;
  const std::vector<TypeKind>& kinds = facts(set).kinds;
  return std::find(kinds.begin(), kinds.end(), bare ? t.kind : types.element_kind(type)) !=
         kinds.end();
}

std::string_view description(TypeSet set) { return facts(set).description; }

std::size_t OpDef::attribute(std::string_view wanted) const {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].name == wanted) return i;
  }
  throw std::logic_error(std::string(name) + " has no attribute " + std::string(wanted));
}

const OpDef& def(Op op) { return table[by_opcode[static_cast<std::size_t>(op)]]; }

const OpDef* find_def(std::uint64_t opcode) {
  if (opcode >= opcode_limit || by_opcode[opcode] < 0) return nullptr;
  return &table[by_opcode[opcode]];
}

std::span<const OpDef> all_ops() { return table; }

} // namespace cutile::ir
