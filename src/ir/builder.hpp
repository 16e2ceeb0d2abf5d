#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "ir/module.hpp"

namespace cutile::ir {

/// Appends operations to the blocks of one function. Where operations go is a stack of guards:
/// `auto in = b.enter(block)` appends to `block` until `in` dies, on every path.
class Builder {
 public:
  Builder(Module& module, std::size_t function) : module_(module), function_(function) {}

  /// Starts an entry in `module`: adds a function with these parameters and enters its body.
  static Builder entry(Module& module, std::string name, std::span<const TypeId> params,
                       SourceLoc loc = {});

  [[nodiscard]] Module& module() { return module_; }
  [[nodiscard]] TypeTable& types() { return module_.types; }
  [[nodiscard]] Function& function() { return module_.functions[function_]; }
  [[nodiscard]] BlockId block() const { return block_; }
  [[nodiscard]] TypeId type(ValueId value) { return function()[value].type; }

  class Guard {
   public:
    Guard(Builder& builder, BlockId outer) : builder_(builder), outer_(outer) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { builder_.block_ = outer_; }

   private:
    Builder& builder_;
    BlockId outer_;
  };
  [[nodiscard]] Guard enter(BlockId block) {
    const BlockId outer = block_;
    block_ = block;
    return Guard(*this, outer);
  }
  void set_block(BlockId block) {
    block_ = block;
  } ///< for structured tracers that close regions themselves

  struct Named {
    std::string_view name;
    Attr value;
  };
  /// One operand of an operation that takes several groups: see `emit`.
  using Group = std::vector<ValueId>;

  /// Appends an operation whose operands are all single. `attributes` are given by name; missing
  /// ones are absent.
  OpId emit(Op op, std::span<const ValueId> operands, std::span<const TypeId> results,
            std::initializer_list<Named> attributes = {}, SourceLoc loc = {});
  /// Appends an operation with optional or variadic operands: one group for each entry of
  /// OpDef::operands.
  OpId emit_groups(Op op, const std::vector<Group>& groups, std::span<const TypeId> results,
                   std::initializer_list<Named> attributes = {}, SourceLoc loc = {});
  /// As `emit`, for one result, which it returns.
  ValueId value(Op op, std::initializer_list<ValueId> operands, TypeId result,
                std::initializer_list<Named> attributes = {}, SourceLoc loc = {});

  /// Adds a region (one empty block with these argument types) to `op`.
  BlockId add_region(OpId op, std::span<const TypeId> args = {});
  ValueId add_argument(BlockId block, TypeId type);
  ValueId add_result(OpId op, TypeId type);

  /// A splat of `bits` (the element's bit pattern).
  ValueId constant(TypeId tile, std::uint64_t bits, SourceLoc loc = {});
  ValueId constant_i32(std::int32_t v, SourceLoc loc = {}) {
    return constant(types().tile(TypeKind::i32), static_cast<std::uint32_t>(v), loc);
  }

 private:
  Module& module_;
  std::size_t function_;
  BlockId block_;
};

/// Drops pure operations whose results nobody uses, and region arguments nobody needs. Order is
/// kept.
void remove_dead(Function& function);

} // namespace cutile::ir
