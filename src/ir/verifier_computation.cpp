#include <fmt/format.h>

#include "ir/verifier_rules.hpp"

namespace cutile::ir {
namespace {

using Shape = std::vector<std::int64_t>;

std::string require(bool good, std::string_view problem) {
  return std::string(good ? "" : problem);
}

int width(const OpContext& c, const Type& tile) { return bit_width(c.element(tile)); }

/// Options of float arithmetic that only f32 has.
std::string check_f32_options(const OpContext& c) {
  for (const AttrDef& a : def(c.op.op).attributes) {
    std::string_view option;
    if (a.name == "flush_to_zero") {
      if (flag_attribute(c.op, a.name)) option = a.name;
    } else if (a.name == "rounding_mode") {
      const auto mode = enum_attribute<RoundingMode>(c.op, a.name);
      if (mode == RoundingMode::approx) option = "rounding approx";
      if (mode == RoundingMode::full && c.op.op == Op::divf) option = "rounding full";
    }
    if (!option.empty() && c.element(c.out()) != TypeKind::f32)
      return fmt::format("{} is for f32 only", option);
  }
  return "";
}

std::string check_division(const OpContext& c) {
  const bool floors = enum_attribute<RoundingMode>(c.op, "rounding") == RoundingMode::negative_inf;
  const bool is_signed = enum_attribute<Signedness>(c.op, "signedness") == Signedness::signed_;
  return require(!floors || is_signed, "rounding negative_inf is for signed division");
}

std::string check_ftof(const OpContext& c) {
  if (c.in(0).element == c.out().element) return "the element types must differ";
  const auto mode = enum_attribute<RoundingMode>(c.op, "rounding_mode");
  if (c.element(c.out()) == TypeKind::f8e8m0fnu)
    return require(mode != RoundingMode::nearest_even,
                   "to f8E8M0FNU the rounding is zero or positive_inf");
  return require(mode == RoundingMode::nearest_even,
                 "the rounding is nearest_even but for f8E8M0FNU");
}

std::string check_packing(const OpContext& c) {
  const auto bits = [&](const Type& t) { // of the storage: tf32 takes 32
    const TypeKind kind = c.element(t);
    return t.shape[0] * (kind == TypeKind::tf32 ? 32 : bit_width(kind));
  };
  if (c.in(0).shape.size() != 1 || c.out().shape.size() != 1) return "both tiles must have rank 1";
  if (width(c, c.in(0)) == width(c, c.out())) return "the elements must differ in width";
  return require(bits(c.in(0)) == bits(c.out()), "both tiles must have the same size in bytes");
}

std::string check_iota(const OpContext& c) {
  if (c.out().shape.size() != 1) return "the result must have rank 1";
  const int bits = width(c, c.out());
  return require(bits >= 32 || c.out().shape[0] <= std::int64_t{1} << static_cast<unsigned>(bits),
                 "the numbers do not fit in the element type");
}

std::string check_reshape(const OpContext& c) {
  if (c.in(0).element != c.out().element) return "the element type must stay the same";
  const std::int64_t from = c.module.types.elements(c.in_id(0)),
                     to = c.module.types.elements(c.out_id());
  return from == to ? "" : fmt::format("{} elements cannot become {}", from, to);
}

std::string check_broadcast(const OpContext& c) {
  const Type &from = c.in(0), &to = c.out();
  if (from.element != to.element) return "the element type must stay the same";
  if (from.shape.size() != to.shape.size()) return "the rank must stay the same";
  for (std::size_t a = 0; a < to.shape.size(); ++a) {
    if (from.shape[a] != to.shape[a] && from.shape[a] != 1)
      return "only axes of extent 1 can be repeated";
  }
  return "";
}

std::string check_permute(const OpContext& c) {
  const auto& order = std::get<std::vector<std::int32_t>>(c.op.attributes[0]);
  const Type &from = c.in(0), &to = c.out();
  const std::size_t rank = from.shape.size();
  if (rank < 2) return "the rank must be at least 2";
  std::vector<std::int32_t> sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted.size() != rank || sorted[i] != static_cast<std::int32_t>(i))
      return "the permutation must name every axis once";
  }
  if (order.size() != rank) return "the permutation must name every axis once";
  if (to.element != from.element || to.shape.size() != rank) return "the result has the wrong type";
  for (std::size_t i = 0; i < rank; ++i) {
    if (to.shape[i] != from.shape[static_cast<std::size_t>(order[i])])
      return "the result has the wrong shape";
  }
  return "";
}

std::string check_cat(const OpContext& c) {
  const std::int64_t dim = int_attribute(c.op, "dim");
  Shape joined = c.in(0).shape, other = c.in(1).shape;
  if (dim < 0 || dim >= std::ssize(joined) || joined.size() != other.size())
    return "the axis does not exist in both tiles";
  const auto axis = static_cast<std::size_t>(dim);
  joined[axis] += other[axis];
  other[axis] = c.in(0).shape[axis];
  if (c.in(0).element != c.in(1).element || c.in(0).element != c.out().element)
    return "the element type must stay the same";
  return require(joined == c.out().shape && other == c.in(0).shape,
                 "the joined axis must be the sum, all others the same");
}

std::string check_slice(const OpContext& c, const Type& whole, const Type& part,
                        std::size_t indices) {
  if (whole.element != part.element) return "the element type must stay the same";
  if (whole.shape.size() != part.shape.size()) return "both tiles must have the same rank";
  if (indices != whole.shape.size()) return "needs one index for each axis";
  for (std::size_t a = 0; a < whole.shape.size(); ++a) {
    if (whole.shape[a] % part.shape[a] != 0) return "the slice's extents must divide the tile's";
  }
  return require(c.op.op != Op::insert || c.in_id(1) == c.out_id(),
                 "the result must have the destination's type");
}

std::string check_mma_shapes(const OpContext& c) {
  const Shape &a = c.in(0).shape, &b = c.in(1).shape, &acc = c.in(2).shape;
  const std::size_t rank = a.size();
  if (rank < 2 || rank > 3 || b.size() != rank || acc.size() != rank)
    return "all tiles must have rank 2, or 3 with a batch in front";
  const std::size_t r = rank - 2;
  const bool batches = rank == 2 || (a[0] == b[0] && a[0] == acc[0]);
  if (!batches || a[r + 1] != b[r] || a[r] != acc[r] || b[r + 1] != acc[r + 1])
    return "the shapes must be M x K, K x N and M x N";
  return require(c.out_id() == c.in_id(2), "the result must have the accumulator's type");
}

std::string check_mmaf(const OpContext& c) {
  if (std::string problem = check_mma_shapes(c); !problem.empty()) return problem;
  if (c.in(0).element != c.in(1).element) return "both factors must have one element type";
  const TypeKind from = c.element(c.in(0)), to = c.element(c.in(2));
  const bool half = from == TypeKind::f16 || from == TypeKind::f8e4m3fn || from == TypeKind::f8e5m2;
  const bool good = from == TypeKind::f64 ? to == TypeKind::f64
                                          : to == TypeKind::f32 || (half && to == TypeKind::f16);
  return good ? "" : fmt::format("{} does not accumulate in {}", spelling(from), spelling(to));
}

std::string check_mmaf_scaled(const OpContext& c) {
  if (std::string problem = check_mma_shapes(c); !problem.empty()) return problem;
  if (c.in(0).element != c.in(1).element) return "both factors must have one element type";
  if (c.in(3).element != c.in(4).element) return "both scales must have one element type";
  const Shape &a = c.in(0).shape, &b = c.in(1).shape, &sa = c.in(3).shape, &sb = c.in(4).shape;
  const std::size_t rank = a.size(), r = rank - 2;
  if (sa.size() != rank || sb.size() != rank) return "the scales must have the factors' rank";
  const bool batches = rank == 2 || (sa[0] == a[0] && sb[0] == b[0]);
  if (!batches || sa[r] != a[r] || sb[r + 1] != b[r + 1] || sa[r + 1] != sb[r])
    return "the scales must be M x K/block and K/block x N";
  const std::int64_t block = sa[r + 1] > a[r + 1] ? 0 : a[r + 1] / sa[r + 1];
  const bool four_bits = c.element(c.in(0)) == TypeKind::f4e2m1fn;
  if (c.element(c.in(3)) == TypeKind::f8e4m3fn) {
    if (!four_bits) return "scales of f8E4M3FN are for factors of f4E2M1FN";
    return require(block == 16, "one scale of f8E4M3FN is for 16 elements");
  }
  return require(block == 32 || (four_bits && block == 16),
                 "one scale is for 32 elements, or for 16 of f4E2M1FN");
}

std::string check_combiner(const OpContext& c) {
  const std::size_t n = c.op.operands.size();
  const Function& f = c.function;
  const Block& body = f[c.op.regions[0]];
  if (body.args.size() != 2 * n) return "the body takes two values for each operand";
  for (std::size_t i = 0; i < 2 * n; ++i) {
    const Type& t = c.type(body.args[i]);
    if (!t.shape.empty() || t.element != c.in(i / 2).element)
      return "the body takes numbers of the operands' element types";
  }
  for (const OpId id : body.ops) {
    if (!def(f[id].op).has(pure) && f[id].op != Op::yield) return "the body may only compute";
  }
  if (body.ops.empty() || f[body.ops.back()].op != Op::yield) return "the body must end in yield";
  const std::vector<ValueId>& yielded = f[body.ops.back()].operands;
  bool good = yielded.size() == n;
  for (std::size_t i = 0; good && i < n; ++i) good = f[yielded[i]].type == f[body.args[2 * i]].type;
  return require(good, "the body must yield one value for each operand, of its element type");
}

std::string check_reduction(const OpContext& c) {
  const std::size_t n = c.op.operands.size();
  const std::int64_t dim = int_attribute(c.op, "dim");
  const auto& identities = std::get<std::vector<Literal>>(attribute(c.op, "identities"));
  if (n == 0) return "needs at least one operand";
  if (c.op.results.size() != n || identities.size() != n)
    return "needs one result and one identity for each operand";
  if (dim < 0 || dim >= std::ssize(c.in(0).shape)) return "the axis does not exist";
  for (std::size_t i = 0; i < n; ++i) {
    Shape shape = c.in(i).shape;
    if (shape != c.in(0).shape) return "all operands must have one shape";
    if (c.op.op == Op::reduce) shape.erase(shape.begin() + dim);
    if (c.out(i).shape != shape || c.out(i).element != c.in(i).element)
      return fmt::format("the result must have the operand's type{}",
                         c.op.op == Op::reduce ? " without the axis" : "");
    if (identities[i].type != c.in(i).element)
      return "an identity must have the operand's element type";
  }
  return check_combiner(c);
}

bool holds_view(const OpContext& c, std::span<const ValueId> values) {
  return std::ranges::any_of(values, [&](ValueId v) {
    return c.type(v).kind == TypeKind::tensor_view || is_view(c.type(v).kind);
  });
}

std::string check_for(const OpContext& c) {
  const std::span<const ValueId> args = c.function[c.op.regions[0]].args;
  if (c.in_id(0) != c.in_id(1) || c.in_id(0) != c.in_id(2))
    return "bounds and step must have one type";
  if (args.empty() || c.function[args[0]].type != c.in_id(0))
    return "the first value of the body is the index, of the bounds' type";
  const auto inits = operand_group(c.op, 3);
  if (!c.same_types(inits, args.subspan(1)) || !c.same_types(inits, c.op.results))
    return "initial values, the body's values and the results must have the same types";
  return require(!holds_view(c, inits), "views cannot be carried from turn to turn");
}

std::string check_loop(const OpContext& c) {
  if (!c.same_types(c.op.operands, c.function[c.op.regions[0]].args))
    return "initial values and the body's values must have the same types";
  return require(!holds_view(c, c.op.operands) && !holds_view(c, c.op.results),
                 "views cannot be carried from turn to turn, or be results");
}

} // namespace

std::string check_computation(const OpContext& c) {
  const Operation& op = c.op;
  switch (op.op) {
  case Op::constant:
    return require(c.module[std::get<ConstantId>(op.attributes[0])].type == c.out_id(),
                   "the value has another type than the result");
  case Op::divi: return check_division(c);
  case Op::trunci:
    return require(width(c, c.in(0)) > width(c, c.out()), "the result must be narrower");
  case Op::exti: return require(width(c, c.in(0)) < width(c, c.out()), "the result must be wider");
  case Op::ftof: return check_ftof(c);
  case Op::itof:
    return require(c.element(c.out()) != TypeKind::f8e8m0fnu,
                   "integers cannot become f8E8M0FNU; convert to f32 first");
  case Op::bitcast:
    return require(width(c, c.in(0)) == width(c, c.out()),
                   "both elements must have the same width");
  case Op::fpowi:
    if (c.in_id(0) != c.out_id()) return "source and result must have one type";
    return require(width(c, c.in(1)) <= 32, "the exponent has at most 32 bits");
  case Op::pack:
  case Op::unpack: return check_packing(c);
  case Op::iota: return check_iota(c);
  case Op::reshape: return check_reshape(c);
  case Op::broadcast: return check_broadcast(c);
  case Op::permute: return check_permute(c);
  case Op::cat: return check_cat(c);
  case Op::extract: return check_slice(c, c.in(0), c.out(), operand_group(op, 1).size());
  case Op::insert: return check_slice(c, c.in(1), c.in(0), operand_group(op, 2).size());
  case Op::select:
    if (c.in_id(1) != c.in_id(2) || c.in_id(1) != c.out_id())
      return "both values and the result must have one type";
    return require(c.element(c.out()) != TypeKind::f4e2m1fn, "f4E2M1FN cannot be selected");
  case Op::cmpf:
  case Op::cmpi: return require(c.in_id(0) == c.in_id(1), "both operands must have one type");
  case Op::mmaf: return check_mmaf(c);
  case Op::mmai: return check_mma_shapes(c);
  case Op::mmaf_scaled: return check_mmaf_scaled(c);
  case Op::reduce:
  case Op::scan: return check_reduction(c);
  case Op::for_: return check_for(c);
  case Op::loop: return check_loop(c);
  case Op::if_: return require(!holds_view(c, op.results), "views cannot be results");
  default: return check_f32_options(c);
  }
}

} // namespace cutile::ir
