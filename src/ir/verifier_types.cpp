#include <fmt/format.h>

#include <set>

#include "ir/verifier_rules.hpp"

namespace cutile::ir {
namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 24;

bool is_4bit(TypeKind kind) { return kind == TypeKind::f4e2m1fn || kind == TypeKind::i4; }

/// A tile's extents, or those of a view's tiles.
std::string check_extents(const std::vector<std::int64_t>& shape, TypeKind element) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) {
    if (!is_power_of_two(extent))
      return fmt::format("every extent of a tile must be a power of two, which {} is not", extent);
    elements *= std::min(extent, most_elements + 1);
    if (elements > most_elements)
      return fmt::format("a tile has at most {} elements", most_elements);
  }
  return is_4bit(element) && elements % 2 != 0 ? "a tile of 4-bit elements holds pairs of them"
                                               : "";
}

std::string check_tensor_view(const TypeTable& types, const Type& t) {
  if (!is_number(types[t.element].kind)) return "a tensor_view has numbers as elements";
  if (t.shape.size() != t.strides.size()) return "a tensor_view has one stride for each extent";
  for (const auto* list : {&t.shape, &t.strides}) {
    for (const std::int64_t v : *list) {
      if (v != dynamic && v <= 0) return "extents and strides must be positive, or dynamic";
    }
  }
  return "";
}

bool is_permutation(std::vector<std::int32_t> map, std::size_t rank) {
  std::sort(map.begin(), map.end());
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (map[i] != static_cast<std::int32_t>(i)) return false;
  }
  return map.size() == rank;
}

std::string check_view(const TypeTable& types, const Type& t) {
  const Type& tensor = types[t.element];
  if (tensor.kind != TypeKind::tensor_view) return "a view is over a tensor_view";
  if (t.shape.empty() || tensor.shape.size() != t.shape.size())
    return "a view has one tile extent for each axis of its tensor_view, and at least one";
  const TypeKind element = types[tensor.element].kind;
  if (std::string problem = check_extents(t.shape, element); !problem.empty()) return problem;
  if (t.padding && static_cast<int>(*t.padding) > static_cast<int>(Padding::neg_inf))
    return "this padding does not exist";
  if (t.padding && *t.padding != Padding::zero && !is_float(element))
    return "only floats can be padded with anything but zero";
  if (t.kind == TypeKind::gather_scatter_view) {
    const bool exists =
        t.sparse_dim >= 0 && static_cast<std::size_t>(t.sparse_dim) < t.shape.size();
    return exists ? "" : "the sparse axis does not exist";
  }
  if (!is_permutation(t.dim_map, t.shape.size()))
    return "dim_map must name every axis of the tensor_view once";
  if (t.kind != TypeKind::strided_view) return "";
  const bool positive = std::ranges::all_of(t.strides, [](auto s) { return s > 0; });
  return positive && t.strides.size() == t.shape.size()
             ? ""
             : "a strided view has one positive traversal stride for each axis";
}

std::string check_hint(std::string_view arch, std::string_view key, const Hints::Value& value,
                       Op on) {
  const bool at_entry = on == Op::entry;
  const bool at_view = on == Op::load_view_tko || on == Op::store_view_tko;
  if (key == "allow_tma" && at_view) {
    return std::holds_alternative<bool>(value) ? "" : "hint allow_tma is true or false";
  }
  const auto* number = std::get_if<std::int32_t>(&value);
  const std::int32_t n = number == nullptr ? 0 : *number;
  if (key == "latency" && !at_entry) return n >= 1 && n <= 10 ? "" : "hint latency is 1 to 10";
  if (key == "occupancy" && at_entry) return n >= 1 && n <= 32 ? "" : "hint occupancy is 1 to 32";
  if (key == "num_worker_warps_per_cta" && at_entry) {
    return is_power_of_two(n) && n <= 32
               ? ""
               : "hint num_worker_warps_per_cta is a power of two up to 32";
  }
  if (key == "num_cta_in_cga" && at_entry) {
    if (arch.starts_with("sm_8") && n != 1)
      return fmt::format("hint num_cta_in_cga is 1 on {}", arch);
    return is_power_of_two(n) && n <= 16 ? "" : "hint num_cta_in_cga is a power of two up to 16";
  }
  return fmt::format("there is no hint {} for {}", key, def(on).name);
}

} // namespace

std::string check_type(const TypeTable& types, TypeId id) {
  const Type& t = types[id];
  switch (t.kind) {
  case TypeKind::tile: {
    const TypeKind element = types[t.element].kind;
    if (!is_number(element) && element != TypeKind::pointer)
      return "a tile has numbers or pointers as elements";
    return check_extents(t.shape, element);
  }
  case TypeKind::pointer:
    return is_number(types[t.element].kind) ? "" : "a pointer points at a number";
  case TypeKind::tensor_view: return check_tensor_view(types, t);
  case TypeKind::partition_view:
  case TypeKind::strided_view:
  case TypeKind::gather_scatter_view: return check_view(types, t);
  default: return "";
  }
}

std::string check_constant(const TypeTable& types, const Constant& c) {
  if (types[c.type].kind != TypeKind::tile) return "a constant is a tile";
  const TypeKind kind = types.element_kind(c.type);
  if (!is_number(kind) || kind == TypeKind::i4) return "its elements cannot be written as literals";
  const auto size = static_cast<std::size_t>(storage_bytes(kind));
  const std::size_t all = size * static_cast<std::size_t>(types.elements(c.type));
  if (c.data.size() != size && c.data.size() != all) {
    return fmt::format("it has {} bytes, where one element has {} and all have {}", c.data.size(),
                       size, all);
  }
  const auto above = [&](unsigned most) {
    return std::ranges::any_of(c.data,
                               [=](std::byte b) { return std::to_integer<unsigned>(b) > most; });
  };
  if (kind == TypeKind::i1 && above(1)) return "an i1 is 0 or 1";
  if (kind == TypeKind::f4e2m1fn && above(15)) return "an f4E2M1FN has four bits";
  for (std::size_t i = 0; kind == TypeKind::tf32 && i < c.data.size(); i += size) {
    const unsigned low =
        std::to_integer<unsigned>(c.data[i]) | std::to_integer<unsigned>(c.data[i + 1]) << 8U;
    if ((low & 0x1fffU) != 0) return "the lowest 13 bits of a tf32 are zero";
  }
  return "";
}

std::string check_hints(const Hints& hints, Op on) {
  std::set<std::string_view> seen;
  for (const Hints::Entry& entry : hints.entries) {
    const std::string_view arch = entry.arch;
    const bool numbered = arch.starts_with("sm_") && arch.size() > 3 &&
                          arch.find_first_not_of("0123456789", 3) == std::string_view::npos;
    if (!numbered && arch != "default")
      return fmt::format("hints are for sm_NN or default, not for '{}'", arch);
    if (!seen.insert(arch).second) return fmt::format("hints for {} are given twice", arch);
    for (const auto& [key, value] : entry.values) {
      if (std::string problem = check_hint(arch, key, value, on); !problem.empty()) return problem;
    }
  }
  return "";
}

} // namespace cutile::ir
