#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cutile::ir {

/// A bytecode version, 13.1 to 13.5, written as 1301 to 1305.
enum Version : std::uint16_t {
  V13_1 = 1301,
  V13_2 = 1302,
  V13_3 = 1303,
  V13_4 = 1304,
  V13_5 = 1305
};

/// Values are the bytecode tags.
enum class TypeKind : std::uint8_t {
  i1 = 0,
  i8 = 1,
  i16 = 2,
  i32 = 3,
  i64 = 4,
  f16 = 5,
  bf16 = 6,
  f32 = 7,
  tf32 = 8,
  f64 = 9,
  f8e4m3fn = 10,
  f8e5m2 = 11,
  pointer = 12,
  tile = 13,
  tensor_view = 14,
  partition_view = 15,
  function = 16,
  token = 17,
  f8e8m0fnu = 18,
  f4e2m1fn = 19,
  gather_scatter_view = 20,
  strided_view = 21,
  i4 = 22,
  f8e5m3fnu = 130,
};

enum class Padding : std::uint8_t { zero = 0, neg_zero = 1, nan = 2, pos_inf = 3, neg_inf = 4 };

/// An extent or stride known only at run time.
inline constexpr std::int64_t dynamic = std::numeric_limits<std::int64_t>::min();

struct TypeId {
  std::uint32_t index = std::numeric_limits<std::uint32_t>::max();
  [[nodiscard]] bool valid() const { return index != std::numeric_limits<std::uint32_t>::max(); }
  friend bool operator==(TypeId, TypeId) = default;
};

/// A type. Which fields mean something follows from `kind`; the rest stay empty.
struct Type {
  TypeKind kind = TypeKind::token;
  TypeId element{}; ///< pointer: pointee; tile, tensor_view: element; views: the tensor_view
  std::vector<std::int64_t>
      shape{}; ///< tile, tensor_view (or `dynamic`); views: the tile's extents
  std::vector<std::int64_t>
      strides{}; ///< tensor_view: elements (or `dynamic`); strided_view: traversal strides
  std::vector<std::int32_t>
      dim_map{}; ///< partition_view, strided_view: tile dim i walks tensor dim dim_map[i]
  std::optional<Padding> padding{};        ///< views
  std::int32_t sparse_dim = 0;             ///< gather_scatter_view
  std::vector<TypeId> inputs{}, results{}; ///< function
  bool multicast = false; ///< pointer, tensor_view: memory of several devices at one address
  friend bool operator==(const Type&, const Type&) = default;
};

[[nodiscard]] bool is_integer(TypeKind kind);    // i1..i64 and i4
[[nodiscard]] bool is_float(TypeKind kind);      // every float
[[nodiscard]] bool is_base_float(TypeKind kind); // f16, bf16, f32, f64: those with arithmetic
[[nodiscard]] bool is_number(TypeKind kind);
[[nodiscard]] bool is_view(TypeKind kind); // partition, strided, gather_scatter
/// Width of an element in a tile: i1 is 1, tf32 is 19.
[[nodiscard]] int bit_width(TypeKind kind);
/// Bytes of an element in memory: i1 is 1, tf32 is 4; 4-bit types, which are packed in pairs,
/// are 1.
[[nodiscard]] int storage_bytes(TypeKind kind);
/// "f32", "ptr", "tile", ... as the text form spells it.
[[nodiscard]] std::string_view spelling(TypeKind kind);
[[nodiscard]] std::string_view spelling(Padding padding);
/// Every kind.
[[nodiscard]] std::span<const TypeKind> all_type_kinds();

/// Interned types: equal types have equal ids.
class TypeTable {
 public:
  TypeId intern(const Type& type);
  [[nodiscard]] const Type& operator[](TypeId id) const { return types_[id.index]; }
  [[nodiscard]] std::size_t size() const { return types_.size(); }

  TypeId scalar(TypeKind kind) { return intern({.kind = kind}); }
  TypeId token() { return scalar(TypeKind::token); }
  TypeId pointer(TypeId pointee) { return intern({.kind = TypeKind::pointer, .element = pointee}); }
  TypeId tile(TypeId element, std::span<const std::int64_t> shape = {}) {
    return intern(
        {.kind = TypeKind::tile, .element = element, .shape = {shape.begin(), shape.end()}});
  }
  TypeId tile(TypeKind element, std::span<const std::int64_t> shape = {}) {
    return tile(scalar(element), shape);
  }
  TypeId tensor_view(TypeId element, std::span<const std::int64_t> shape,
                     std::span<const std::int64_t> strides);
  TypeId partition_view(TypeId tensor_view, std::span<const std::int64_t> tile,
                        std::optional<Padding> padding = std::nullopt,
                        std::span<const std::int32_t> dim_map = {});

  /// Kind of a tile's element (a tile of pointers gives `pointer`).
  [[nodiscard]] TypeKind element_kind(TypeId tile) const {
    return types_[types_[tile.index].element.index].kind;
  }
  /// Elements of a tile: the product of its extents; the largest number where that overflows.
  [[nodiscard]] std::int64_t elements(TypeId tile) const;
  /// The text form: `tile<4x8xf32>`, `tensor_view<?xf32, strides=[1]>`, ...
  [[nodiscard]] std::string text(TypeId id) const;

 private:
  std::vector<Type> types_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
};

} // namespace cutile::ir
