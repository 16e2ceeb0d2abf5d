#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "ir/types.hpp"

namespace cutile::ir {

/// Every operation; the value is its bytecode opcode.
enum class Op : std::uint16_t {
#define OP(id, spelling, opcode, ...) id = opcode,
#include "ir/ops.def"
#undef OP
};

enum class RoundingMode : std::uint8_t {
  nearest_even = 0,
  zero = 1,
  negative_inf = 2,
  positive_inf = 3,
  approx = 4,
  full = 5,
  nearest_int_to_zero = 6,
  nearest_away = 7,
};
enum class IntegerOverflow : std::uint8_t {
  none = 0,
  no_signed_wrap = 1,
  no_unsigned_wrap = 2,
  no_wrap = 3
};
enum class Signedness : std::uint8_t { unsigned_ = 0, signed_ = 1 };
enum class Comparison : std::uint8_t {
  equal = 0,
  not_equal = 1,
  less_than = 2,
  less_than_or_equal = 3,
  greater_than = 4,
  greater_than_or_equal = 5,
};
enum class ComparisonOrdering : std::uint8_t { unordered = 0, ordered = 1 };
enum class MemoryOrdering : std::uint8_t {
  weak = 0,
  relaxed = 1,
  acquire = 2,
  release = 3,
  acq_rel = 4
};
enum class MemoryScope : std::uint8_t { tl_blk = 0, device = 1, sys = 2 };
enum class AtomicMode : std::uint8_t {
  and_ = 0,
  or_ = 1,
  xor_ = 2,
  add = 3,
  addf = 4,
  max = 5,
  min = 6,
  umax = 7,
  umin = 8,
  xchg = 9,
};
enum class MultimemReduction : std::uint8_t {
  add = 0,
  min = 1,
  max = 2,
  and_ = 3,
  or_ = 4,
  xor_ = 5,
  umin = 6,
  umax = 7
};

/// Names the enums above, for attributes.
enum class EnumId : std::uint8_t {
  none,
  rounding_mode,
  overflow,
  signedness,
  comparison,
  comparison_ordering,
  memory_ordering,
  memory_scope,
  atomic_mode,
  multimem_reduction,
  visibility,
};
/// Spelling of value `value` of `id`, or nothing if the enum has no such value.
[[nodiscard]] std::optional<std::string_view> enum_spelling(EnumId id, std::int64_t value);

enum class AttrKind : std::uint8_t {
  enumeration,
  integer,
  boolean,
  unit,
  string,
  symbol,
  type,
  i32_array,
  bool_array,
  literal_array,
  dictionary_array,
  dense,
  hints,
  predicate,
};

/// Sets of types that an operand or result may have. All but token, any and the views are tiles.
enum class TypeSet : std::uint8_t {
  any,
  any_tile,
  boolean,
  integer,
  integer_or_i4,
  i8,
  i32,
  i64,
  base_float,
  any_float,
  f32,
  number,
  number_or_4bit,
  mma_float,
  mma_acc,
  scaled_float,
  scale_float,
  pointer_tile,
  token,
  tensor_view,
  tile_view,
  partition_view,
  strided_view,
  gather_scatter_view,
};
[[nodiscard]] bool contains(TypeSet set, const TypeTable& types, TypeId type);
[[nodiscard]] std::string_view description(TypeSet set);

enum class Arity : std::uint8_t { single, optional, variadic };
enum class Rank : std::uint8_t { free, scalar };

struct ValueDef {
  std::string_view name;
  TypeSet types = TypeSet::any;
  Arity arity = Arity::single;
  Rank rank = Rank::free;
  Version since = V13_1; ///< first bytecode version that has it
};

struct AttrDef {
  std::string_view name;
  AttrKind kind = AttrKind::integer;
  EnumId enum_id = EnumId::none;
  Version since = V13_1; ///< first bytecode version that has the attribute
  bool optional = false;
  std::optional<std::int64_t> default_value{}; ///< of an enumeration; without one it must be given
  std::uint16_t allowed = 0xffff; ///< bit n: the operation takes value n of the enumeration

  [[nodiscard]] constexpr AttrDef only(std::initializer_list<int> values) const {
    AttrDef narrowed = *this;
    narrowed.allowed = 0;
    for (const int v : values)
      narrowed.allowed = static_cast<std::uint16_t>(narrowed.allowed | (1U << v));
    return narrowed;
  }
};

/// A constexpr list of at most N items.
template <class T, std::size_t N> class List {
 public:
  constexpr List() = default;
  constexpr List(std::initializer_list<T> items) {
    for (const T& item : items) items_[size_++] = item;
  }
  [[nodiscard]] constexpr const T* begin() const { return items_; }
  [[nodiscard]] constexpr const T* end() const { return items_ + size_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return items_[i]; }

 private:
  T items_[N]{};
  std::size_t size_ = 0;
};

enum Trait : std::uint8_t {
  no_traits = 0,
  pure = 1, ///< no memory, no control: may be dropped when unused
  elementwise =
      2,         ///< result element i depends on operand elements i alone; all tiles have one shape
  same_type = 4, ///< operands and result have one type
  terminator = 8,
  segmented = 16, ///< operands are encoded group by group (bytecode)
  container = 32, ///< module, entry, global: not encoded as an operation
};

struct OpDef {
  Op op;
  std::string_view name;
  Version since;
  int traits = no_traits;
  List<ValueDef, 5> operands{};
  List<AttrDef, 6> attributes{};
  int regions = 0;
  List<ValueDef, 3> results{};
  std::string_view text{}; ///< the text form where it is not the usual one: see text.cpp

  [[nodiscard]] bool has(Trait trait) const { return (traits & trait) != 0; }
  /// Position of the attribute called `name`; the name must exist.
  [[nodiscard]] std::size_t attribute(std::string_view name) const;
};

/// The definition of `op`.
[[nodiscard]] const OpDef& def(Op op);
/// The definition with this opcode, or null.
[[nodiscard]] const OpDef* find_def(std::uint64_t opcode);
/// All definitions in opcode order.
[[nodiscard]] std::span<const OpDef> all_ops();

} // namespace cutile::ir
