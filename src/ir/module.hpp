#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cutile/source_loc.hpp"
#include "ir/ops.hpp"
#include "ir/types.hpp"

// Tile IR in memory. Everything is an id into a vector of its function or module; nothing points at
// anything.

namespace cutile::ir {

template <class Tag> struct Id {
  std::uint32_t index = std::numeric_limits<std::uint32_t>::max();
  [[nodiscard]] bool valid() const { return index != std::numeric_limits<std::uint32_t>::max(); }
  friend bool operator==(Id, Id) = default;
};
using ValueId = Id<struct ValueTag>;
using OpId = Id<struct OpTag>;
using BlockId = Id<struct BlockTag>;
using ConstantId = Id<struct ConstantTag>;

/// A typed scalar: an identity of a reduction. `bits` is the value's bit pattern, zero-extended.
struct Literal {
  TypeId type; ///< an element type
  std::uint64_t bits = 0;
  friend bool operator==(const Literal&, const Literal&) = default;
};

struct DivBy {
  std::uint64_t divisor = 1;
  std::optional<std::pair<std::int64_t, std::int64_t>> every_along; ///< (every, along)
  friend bool operator==(const DivBy&, const DivBy&) = default;
};
struct SameElements {
  std::vector<std::int64_t> group;
  friend bool operator==(const SameElements&, const SameElements&) = default;
};
struct Bounded {
  std::optional<std::int64_t> lower, upper; ///< inclusive
  friend bool operator==(const Bounded&, const Bounded&) = default;
};
using Predicate = std::variant<DivBy, SameElements, Bounded>;

/// Per architecture ("sm_90", "default") a dictionary of i32 or bool values. Hints do not change
/// meaning.
struct Hints {
  using Value = std::variant<std::int32_t, bool>;
  struct Entry {
    std::string arch;
    std::vector<std::pair<std::string, Value>> values;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries;
  friend bool operator==(const Hints&, const Hints&) = default;
};

/// Value of an attribute; which alternative follows from AttrKind:
/// enumeration, integer: int64; boolean, unit: bool; string, symbol: string; type: TypeId; dense:
/// ConstantId. monostate: absent (then an enumeration has its default, a unit is off).
using Attr = std::variant<std::monostate, std::int64_t, bool, std::string, TypeId, ConstantId,
                          std::vector<std::int32_t>, std::vector<bool>, std::vector<Literal>, Hints,
                          Predicate>;

/// Literal elements of a constant or global: exactly one element (a splat) or all, row-major,
/// little-endian at `storage_bytes` each (i1: one byte, 0 or 1; tf32: 4 bytes, low 13 bits zero;
/// f4: low nibble). The bytecode's own packing is the writer's business.
struct Constant {
  TypeId type; ///< a tile
  std::vector<std::byte> data;
  friend bool operator==(const Constant&, const Constant&) = default;
};

struct Operation {
  Op op;
  SourceLoc loc;
  std::vector<ValueId> operands; ///< all groups, one after the other
  std::vector<std::uint32_t>
      segments;                 ///< operands in each group of OpDef::operands (optional: 0 or 1)
  std::vector<Attr> attributes; ///< as OpDef::attributes
  std::vector<ValueId> results;
  std::vector<BlockId> regions; ///< one block each; an invalid id is an empty region
};

struct Value {
  TypeId type;
  OpId def;                ///< invalid for a block argument
  BlockId block;           ///< of a block argument
  std::uint32_t index = 0; ///< result or argument number
};

struct Block {
  OpId parent; ///< the operation whose region this is; invalid for the body
  std::vector<ValueId> args;
  std::vector<OpId> ops;
};

/// An entry. Its parameters are the arguments of `body`.
struct Function {
  std::string name;
  SourceLoc loc;
  Hints hints;
  std::vector<Operation> ops;
  std::vector<Value> values;
  std::vector<Block> blocks;
  BlockId body;

  Operation& operator[](OpId id) { return ops[id.index]; }
  const Operation& operator[](OpId id) const { return ops[id.index]; }
  Value& operator[](ValueId id) { return values[id.index]; }
  const Value& operator[](ValueId id) const { return values[id.index]; }
  Block& operator[](BlockId id) { return blocks[id.index]; }
  const Block& operator[](BlockId id) const { return blocks[id.index]; }
  [[nodiscard]] const std::vector<ValueId>& params() const { return (*this)[body].args; }
};

struct Global {
  std::string name;
  ConstantId value;            ///< a rank-1 tile
  std::uint64_t alignment = 0; ///< 0: natural
  bool is_private = false;
  bool constant = false;
};

struct Module {
  std::string name = "kernels";
  std::string producer;
  TypeTable types;
  std::vector<Constant> constants;
  std::vector<Global> globals;
  std::vector<Function> functions;

  [[nodiscard]] const Constant& operator[](ConstantId id) const { return constants[id.index]; }
  /// Adds a constant, or finds an equal one.
  ConstantId intern(Constant constant);
};

/// Operands of group `group` of `op` (see OpDef::operands).
[[nodiscard]] std::span<const ValueId> operand_group(const Operation& op, std::size_t group);
/// The only operand of a single or optional group; an invalid id when absent.
[[nodiscard]] ValueId operand(const Operation& op, std::size_t group);
/// The attribute called `name`.
[[nodiscard]] const Attr& attribute(const Operation& op, std::string_view name);
/// An enumeration's or integer's value, its default where absent.
[[nodiscard]] std::int64_t int_attribute(const Operation& op, std::string_view name);
template <class Enum>
[[nodiscard]] Enum enum_attribute(const Operation& op, std::string_view name) {
  return static_cast<Enum>(int_attribute(op, name));
}
/// A unit's or boolean's value, false where absent.
[[nodiscard]] bool flag_attribute(const Operation& op, std::string_view name);

} // namespace cutile::ir
