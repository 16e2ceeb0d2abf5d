#include <fmt/format.h>

#include "ir/verifier_rules.hpp"

namespace cutile::ir {
namespace {

std::string check_scope(const OpContext& c) {
  const bool weak =
      enum_attribute<MemoryOrdering>(c.op, "memory_ordering_semantics") == MemoryOrdering::weak;
  const bool scope = !std::holds_alternative<std::monostate>(attribute(c.op, "memory_scope"));
  if (weak && scope) return "a weak access has no scope";
  return !weak && !scope ? "an access that is not weak needs a scope" : "";
}

std::string check_pointee(const OpContext& c, const Type& pointers, const Type& values) {
  if (pointers.shape != values.shape) return "pointers and values must have one shape";
  return c.module.types[pointers.element].element == values.element
             ? ""
             : "the pointers point at another type than that of the values";
}

std::string check_mask(const OpContext& c, ValueId mask) {
  if (!mask.valid()) return "";
  return c.type(mask).shape == c.in(0).shape ? "" : "the mask must have the shape of the pointers";
}

/// The first problem of several.
std::string first(std::initializer_list<std::string> problems) {
  for (const std::string& p : problems) {
    if (!p.empty()) return p;
  }
  return "";
}

std::string check_load(const OpContext& c) {
  const ValueId padding = operand(c.op, 2);
  const bool padded = padding.valid() && c.function[padding].type != c.out_id();
  return first({check_pointee(c, c.in(0), c.out()), check_mask(c, operand(c.op, 1)),
                padded ? "the padding must have the type of the result" : "", check_scope(c)});
}

std::string check_store(const OpContext& c) {
  return first(
      {check_pointee(c, c.in(0), c.in(1)), check_mask(c, operand(c.op, 2)), check_scope(c)});
}

std::string check_atomic_mode(const OpContext& c, TypeKind element) {
  const auto mode = enum_attribute<AtomicMode>(c.op, "mode");
  const int width = bit_width(element);
  const std::string_view name = *enum_spelling(EnumId::atomic_mode, static_cast<int>(mode));
  if (mode == AtomicMode::addf)
    return is_base_float(element) ? "" : "addf is for f16, bf16, f32 and f64";
  if (mode == AtomicMode::xchg)
    return width == 32 || width == 64 ? "" : "xchg is for elements of 32 or 64 bits";
  return element == TypeKind::i32 || element == TypeKind::i64
             ? ""
             : fmt::format("{} is for i32 and i64", name);
}

bool is_multicast(const OpContext& c, const Type& pointers) {
  return c.module.types[pointers.element].multicast;
}

std::string check_atomic_rmw(const OpContext& c) {
  if (is_multicast(c, c.in(0))) return "multicast pointers cannot be used here";
  return first({c.in_id(1) != c.out_id() ? "argument and result must have one type" : "",
                check_pointee(c, c.in(0), c.in(1)), check_mask(c, operand(c.op, 2)),
                check_atomic_mode(c, c.element(c.in(1)))});
}

std::string check_atomic_cas(const OpContext& c) {
  if (is_multicast(c, c.in(0))) return "multicast pointers cannot be used here";
  const int width = bit_width(c.element(c.in(1)));
  if (c.in_id(1) != c.in_id(2) || c.in_id(1) != c.out_id())
    return "both values and the result must have one type";
  if (width != 32 && width != 64) return "elements must have 32 or 64 bits";
  return first({check_pointee(c, c.in(0), c.in(1)), check_mask(c, operand(c.op, 3))});
}

/// An access to one tile of a view, at `index`.
std::string check_access(const OpContext& c, const Type& view, const Type& tile,
                         std::span<const ValueId> index) {
  const std::size_t rank = view.shape.size();
  if (index.size() != rank)
    return fmt::format("a view of rank {} needs {} indices, not {}", rank, rank, index.size());
  if (tile.shape != view.shape || tile.element != c.module.types[view.element].element)
    return "the tile must have the shape and element of the view's tiles";
  for (std::size_t a = 0; a < rank; ++a) {
    const Type& t = c.type(index[a]);
    const bool sparse = view.kind == TypeKind::gather_scatter_view &&
                        static_cast<std::int32_t>(a) == view.sparse_dim;
    if (sparse && t.shape != std::vector<std::int64_t>{view.shape[a]})
      return "the index of the sparse axis is a tile of rank 1, as long as the view's tile";
    if (!sparse && !t.shape.empty()) return "an index must have rank 0";
    if (t.element != c.type(index[0]).element) return "all indices must have one element type";
  }
  const OpDef& d = def(c.op.op);
  for (std::size_t i = 0; i < d.attributes.size(); ++i) {
    const auto* flags = std::get_if<std::vector<bool>>(&c.op.attributes[i]);
    if (flags != nullptr && flags->size() != rank) return "inbounds needs one value for each index";
  }
  return "";
}

std::string check_atomic_view(const OpContext& c) {
  const Type& view = c.in(0);
  if (view.kind == TypeKind::gather_scatter_view) return "gather_scatter_views cannot be used here";
  if (view.padding) return "a view with padding cannot be used here";
  const Type& value = c.type(operand(c.op, 2));
  return first({check_access(c, view, value, operand_group(c.op, 1)),
                check_atomic_mode(c, c.element(value))});
}

std::string check_multimem(const OpContext& c, const Type& tile, std::size_t index_group) {
  const Type& view = c.in(0);
  if (view.kind != TypeKind::partition_view) return "only partition_views can be used here";
  if (!c.module.types[view.element].multicast) return "the view must be over multicast memory";
  return check_access(c, view, tile, operand_group(c.op, index_group));
}

std::string check_make_tensor_view(const OpContext& c) {
  const Type& view = c.out();
  const Type& pointer = c.module.types[c.in(0).element];
  if (pointer.element != view.element) return "the pointer points at another type";
  if (pointer.multicast != view.multicast)
    return "pointer and tensor_view must both be multicast, or neither";
  const auto fits = [&](const std::vector<std::int64_t>& extents, std::size_t group) {
    return std::ranges::count(extents, dynamic) == std::ssize(operand_group(c.op, group));
  };
  if (!fits(view.shape, 1)) return "needs one operand for each dynamic extent";
  if (!fits(view.strides, 2)) return "needs one operand for each dynamic stride";
  for (std::size_t i = 2; i < c.op.operands.size(); ++i) {
    if (c.in_id(i) != c.in_id(1)) return "extents and strides must have one type";
  }
  return "";
}

std::string check_divisor(const OpContext& c, const DivBy& div) {
  const Type& t = c.out();
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  if (div.divisor == 0 || (div.divisor & (div.divisor - 1)) != 0 || div.divisor > most)
    return "the divisor must be a power of two up to 2^62";
  if (t.kind == TypeKind::tensor_view)
    return div.every_along ? "every and along are for tiles" : "";
  const bool suits =
      t.kind == TypeKind::tile && (is_integer(c.element(t)) || c.element(t) == TypeKind::pointer);
  if (!suits) return "div_by is for integers, pointers and tensor_views";
  if (!div.every_along) return "";
  const auto [every, along] = *div.every_along;
  if (along < 0 || along >= std::ssize(t.shape)) return "the axis after along does not exist";
  return every >= 0 && every <= t.shape[static_cast<std::size_t>(along)]
             ? ""
             : "every is at most the extent of the axis";
}

std::string check_same_elements(const OpContext& c, const SameElements& same) {
  const Type& t = c.out();
  const bool suits =
      t.kind == TypeKind::tile && (is_integer(c.element(t)) || c.element(t) == TypeKind::pointer);
  if (!suits) return "same_elements is for tiles of integers or pointers";
  if (same.group.size() != t.shape.size()) return "same_elements needs one number for each axis";
  for (std::size_t a = 0; a < t.shape.size(); ++a) {
    if (same.group[a] < 0 || same.group[a] > t.shape[a])
      return "a number of same_elements is at most the extent of its axis";
  }
  return "";
}

std::string check_bounds(const OpContext& c, const Bounded& bounds) {
  const Type& t = c.out();
  if (t.kind != TypeKind::tile || !is_integer(c.element(t)))
    return "bounded is for tiles of integers";
  const auto spare = static_cast<unsigned>(64 - bit_width(c.element(t)));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> spare, least = -most - 1;
  for (const auto& bound : {bounds.lower, bounds.upper}) {
    if (bound && (*bound < least || *bound > most))
      return "a bound does not fit in the element type";
  }
  return bounds.lower && bounds.upper && *bounds.lower > *bounds.upper
             ? "the lower bound is above the upper one"
             : "";
}

std::string check_assume(const OpContext& c) {
  if (c.in_id(0) != c.out_id()) return "value and result must have one type";
  const auto& predicate = std::get<Predicate>(c.op.attributes[0]);
  if (const auto* div = std::get_if<DivBy>(&predicate)) return check_divisor(c, *div);
  if (const auto* same = std::get_if<SameElements>(&predicate))
    return check_same_elements(c, *same);
  return check_bounds(c, std::get<Bounded>(predicate));
}

std::string check_get_global(const OpContext& c) {
  const auto& name = std::get<std::string>(c.op.attributes[0]);
  const auto global = c.globals.find(name);
  if (global == c.globals.end()) return fmt::format("there is no global '{}'", name);
  const Constant& value = c.module[global->second->value];
  const TypeId element = c.module.types[value.type].element;
  return c.module.types[c.out().element].element == element
             ? ""
             : fmt::format("global '{}' holds another type", name);
}

std::string check_alloca(const OpContext& c) {
  const std::int64_t alignment = int_attribute(c.op, "alignment");
  const TypeKind pointee = c.module.types[c.module.types[c.out().element].element].kind;
  if (int_attribute(c.op, "num_elem") <= 0) return "the number of elements must be positive";
  return is_power_of_two(alignment) && alignment >= storage_bytes(pointee)
             ? ""
             : "the alignment must be a power of two, not below the size of an element";
}

/// Conversions in a printf-like format; nothing when one is not finished.
std::optional<std::size_t> conversions(std::string_view format) {
  constexpr std::string_view ends = "diouxXeEfFgGaAcs";
  std::size_t count = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (i + 1 < format.size() && format[i + 1] == '%') {
      ++i;
      continue;
    }
    i = format.find_first_of(ends, i + 1);
    if (i == std::string_view::npos) return std::nullopt;
    ++count;
  }
  return count;
}

std::string check_print(const OpContext& c) {
  const auto wanted = conversions(std::get<std::string>(c.op.attributes[0]));
  if (!wanted) return "the format ends within a conversion";
  const std::size_t given = operand_group(c.op, 0).size();
  return *wanted == given
             ? ""
             : fmt::format("the format has {} conversions for {} values", *wanted, given);
}

} // namespace

std::string check_memory(const OpContext& c) {
  const Operation& op = c.op;
  switch (op.op) {
  case Op::assume: return check_assume(c);
  case Op::make_tensor_view: return check_make_tensor_view(c);
  case Op::make_partition_view:
  case Op::make_strided_view:
  case Op::make_gather_scatter_view:
    return c.out().element == c.in_id(0) ? "" : "the view is over another tensor_view";
  case Op::get_tensor_shape:
  case Op::get_index_space_shape:
    if (op.results.size() != c.in(0).shape.size()) return "needs one result for each axis";
    return std::ranges::all_of(op.results,
                               [&](ValueId r) { return c.function[r].type == c.out_id(); })
               ? ""
               : "all results must have one type";
  case Op::load_ptr_tko: return check_load(c);
  case Op::store_ptr_tko: return check_store(c);
  case Op::load_view_tko:
    return first({check_access(c, c.in(0), c.out(), operand_group(op, 1)), check_scope(c)});
  case Op::store_view_tko:
    return first({check_access(c, c.in(1), c.in(0), operand_group(op, 2)), check_scope(c)});
  case Op::atomic_rmw_tko: return check_atomic_rmw(c);
  case Op::atomic_cas_tko: return check_atomic_cas(c);
  case Op::atomic_red_view_tko: return check_atomic_view(c);
  case Op::multimem_load_reduce_view_tko:
    return first({check_multimem(c, c.out(), 1), check_scope(c)});
  case Op::multimem_reduce_view_tko: return check_multimem(c, c.in(1), 2);
  case Op::multimem_store_view_tko: return first({check_multimem(c, c.in(1), 2), check_scope(c)});
  case Op::join_tokens: return op.operands.size() >= 2 ? "" : "needs at least two tokens";
  case Op::offset:
    return c.in(0).element == c.out().element ? "" : "pointers and result must have one type";
  case Op::get_global: return check_get_global(c);
  case Op::alloca: return check_alloca(c);
  case Op::print_tko: return check_print(c);
  default: return "";
  }
}

} // namespace cutile::ir
