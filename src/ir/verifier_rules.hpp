#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "ir/module.hpp"

// The rules of single operations and types, behind `verify`. Each function returns what is wrong,
// or an empty text.

namespace cutile::ir {

[[nodiscard]] constexpr bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/// An operation with its types at hand. Counts of operands and type sets have been checked.
struct OpContext {
  const Module& module;
  const std::map<std::string_view, const Global*>& globals; ///< of the module, by name
  const Function& function;
  const Operation& op;

  [[nodiscard]] const Type& type(ValueId v) const { return module.types[function[v].type]; }
  [[nodiscard]] const Type& in(std::size_t i) const { return type(op.operands[i]); }
  [[nodiscard]] const Type& out(std::size_t i = 0) const { return type(op.results[i]); }
  [[nodiscard]] TypeId in_id(std::size_t i) const { return function[op.operands[i]].type; }
  [[nodiscard]] TypeId out_id(std::size_t i = 0) const { return function[op.results[i]].type; }
  /// Kind of the element of a tile or tensor_view.
  [[nodiscard]] TypeKind element(const Type& t) const { return module.types[t.element].kind; }
  [[nodiscard]] std::string text(TypeId id) const { return module.types.text(id); }
  [[nodiscard]] std::string text(ValueId v) const { return text(function[v].type); }
  [[nodiscard]] bool same_types(std::span<const ValueId> a, std::span<const ValueId> b) const {
    return std::ranges::equal(
        a, b, {}, [&](ValueId v) { return function[v].type.index; },
        [&](ValueId v) { return function[v].type.index; });
  }
};

[[nodiscard]] std::string check_type(const TypeTable& types, TypeId type);
[[nodiscard]] std::string check_constant(const TypeTable& types, const Constant& constant);
/// `on`: what the hints stand at, an operation or Op::entry.
[[nodiscard]] std::string check_hints(const Hints& hints, Op on);

/// Arithmetic, conversions, shapes, matrix products, reductions, loops.
[[nodiscard]] std::string check_computation(const OpContext& c);
/// Views, loads and stores, atomics, assumptions, pointers.
[[nodiscard]] std::string check_memory(const OpContext& c);

} // namespace cutile::ir
