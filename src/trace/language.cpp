#include <fmt/format.h>

#include <limits>

#include "trace/trace.hpp"

// Arithmetic, conversions, shapes, reductions and matrix products of the kernel language.

namespace cutile::detail {

using ir::Op;
using ir::RoundingMode;
using ir::Signedness;
using trace::element_kind;
using trace::Trace;

namespace {

std::int64_t raw(auto e) { return static_cast<std::int64_t>(e); }
std::int64_t signedness_of(DType dtype) {
  return raw(is_unsigned(dtype) || dtype == DType::b1 ? Signedness::unsigned_
                                                      : Signedness::signed_);
}

/// Bits of a one of this element type.
std::uint64_t one_bits(DType dtype) {
  switch (dtype) {
  case DType::f16: return 0x3c00;
  case DType::bf16: return 0x3f80;
  case DType::f32: return 0x3f800000;
  case DType::f64: return 0x3ff0000000000000;
  default: return 1;
  }
}
/// Bits of positive infinity.
std::uint64_t infinity_bits(DType dtype) {
  switch (dtype) {
  case DType::f16: return 0x7c00;
  case DType::bf16: return 0x7f80;
  case DType::f32: return 0x7f800000;
  default: return 0x7ff0000000000000;
  }
}
std::uint64_t width_mask(DType dtype) {
  const int bits = dtype == DType::b1 ? 1 : 8 * size_of(dtype);
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << static_cast<unsigned>(bits)) - 1;
}
std::uint64_t sign_bit(DType dtype) { return width_mask(dtype) ^ (width_mask(dtype) >> 1U); }

/// Bits of the value that changes nothing under `fn`.
std::uint64_t identity_bits(ReduceFn fn, DType dtype) {
  const bool fp = is_float(dtype);
  switch (fn) {
  case ReduceFn::sum:
  case ReduceFn::any: return 0;
  case ReduceFn::prod: return one_bits(dtype);
  case ReduceFn::all: return 1;
  case ReduceFn::max:
    if (fp) return infinity_bits(dtype) | sign_bit(dtype);
    return is_unsigned(dtype) ? 0 : sign_bit(dtype);
  case ReduceFn::min:
    if (fp) return infinity_bits(dtype);
    return is_unsigned(dtype) ? width_mask(dtype) : width_mask(dtype) >> 1U;
  }
  return 0;
}

ir::ValueId emit_binary(Trace& t, BinaryFn fn, ir::ValueId a, ir::ValueId b, DType dtype,
                        SourceLoc at) {
  const ir::TypeId type = t.type_of(a);
  ir::Builder& out = t.builder();
  const bool fp = is_float(dtype);
  const auto rounded = [&](Op op) {
    return out.value(op, {a, b}, type, {{"rounding_mode", raw(RoundingMode::nearest_even)}}, at);
  };
  const auto plain = [&](Op op) { return out.value(op, {a, b}, type, {}, at); };
  const auto with_sign = [&](Op op) {
    return out.value(op, {a, b}, type, {{"signedness", signedness_of(dtype)}}, at);
  };
  switch (fn) {
  case BinaryFn::add: return fp ? rounded(Op::addf) : plain(Op::addi);
  case BinaryFn::sub: return fp ? rounded(Op::subf) : plain(Op::subi);
  case BinaryFn::mul: return fp ? rounded(Op::mulf) : plain(Op::muli);
  case BinaryFn::div:
    if (fp) return rounded(Op::divf);
    return out.value(Op::divi, {a, b}, type,
                     {{"signedness", signedness_of(dtype)}, {"rounding", raw(RoundingMode::zero)}},
                     at);
  case BinaryFn::rem: return fp ? plain(Op::remf) : with_sign(Op::remi);
  case BinaryFn::max: return fp ? plain(Op::maxf) : with_sign(Op::maxi);
  case BinaryFn::min: return fp ? plain(Op::minf) : with_sign(Op::mini);
  case BinaryFn::pow: return plain(Op::pow);
  case BinaryFn::atan2: return plain(Op::atan2);
  case BinaryFn::and_: return plain(Op::andi);
  case BinaryFn::or_: return plain(Op::ori);
  case BinaryFn::xor_: return plain(Op::xori);
  case BinaryFn::shl: return plain(Op::shli);
  case BinaryFn::shr: return with_sign(Op::shri);
  }
  return a;
}

Slot one_operand(Slot x, SourceLoc& at, auto emit) {
  Trace& t = Trace::current();
  at = t.place(at);
  return t.declare(emit(t, t.read(x, at)));
}

} // namespace

Slot copy(Slot from) {
  Trace& t = Trace::current();
  return t.declare(t.read(from));
}
void assign(Slot to, Slot from) {
  Trace& t = Trace::current();
  t.write(to, t.read(from));
}

Slot constant(TileType type, std::uint64_t bits, SourceLoc at) {
  Trace& t = Trace::current();
  return t.declare(t.constant(t.tile(type), bits & width_mask(type.dtype), at));
}

Slot iota(TileType type, SourceLoc at) {
  Trace& t = Trace::current();
  if (size_of(type.dtype) == 1 && type.shape[0] > 256) {
    t.error(at, fmt::format("ct::iota: {} numbers do not fit in {}", type.shape[0],
                            name_of(type.dtype)));
    return constant(type, 0, at);
  }
  return t.declare(
      t.in_prologue([&] { return t.builder().value(Op::iota, {}, t.tile(type), {}, at); }));
}

Slot unary(UnaryFn fn, Slot x, DType dtype, SourceLoc at) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    const ir::TypeId type = t.type_of(v);
    const auto plain = [&](Op op) { return t.builder().value(op, {v}, type, {}, at); };
    const bool fp = is_float(dtype);
    switch (fn) {
    case UnaryFn::neg: return plain(fp ? Op::negf : Op::negi);
    case UnaryFn::abs:
      return fp ? plain(Op::absf) : is_unsigned(dtype) || dtype == DType::b1 ? v : plain(Op::absi);
    case UnaryFn::exp: return plain(Op::exp);
    case UnaryFn::exp2: return plain(Op::exp2);
    case UnaryFn::log: return plain(Op::log);
    case UnaryFn::log2: return plain(Op::log2);
    case UnaryFn::sin: return plain(Op::sin);
    case UnaryFn::cos: return plain(Op::cos);
    case UnaryFn::tan: return plain(Op::tan);
    case UnaryFn::sinh: return plain(Op::sinh);
    case UnaryFn::cosh: return plain(Op::cosh);
    case UnaryFn::tanh: return plain(Op::tanh);
    case UnaryFn::sqrt:
      return t.builder().value(Op::sqrt, {v}, type,
                               {{"rounding_mode", raw(RoundingMode::nearest_even)}}, at);
    case UnaryFn::rsqrt: return plain(Op::rsqrt);
    case UnaryFn::floor: return plain(Op::floor);
    case UnaryFn::ceil: return plain(Op::ceil);
    case UnaryFn::not_:
      return t.builder().value(Op::xori, {v, t.constant(type, width_mask(dtype), at)}, type, {},
                               at);
    }
    return v;
  });
}

Slot binary(BinaryFn fn, Slot a, Slot b, DType dtype, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at), y = t.read(b, at);
  return t.declare(emit_binary(t, fn, x, y, dtype, at));
}

Slot compare(CompareFn fn, Slot a, Slot b, DType dtype, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at), y = t.read(b, at);
  const ir::TypeId type = t.with_element(x, ir::TypeKind::i1);
  const std::int64_t predicate = raw(fn); // in the order of ir::Comparison
  if (!is_float(dtype)) {
    return t.declare(t.builder().value(
        Op::cmpi, {x, y}, type,
        {{"comparison_predicate", predicate}, {"signedness", signedness_of(dtype)}}, at));
  }
  // As in C++: != is true where an operand is NaN, the others are false.
  const auto ordering = raw(fn == CompareFn::ne ? ir::ComparisonOrdering::unordered
                                                : ir::ComparisonOrdering::ordered);
  return t.declare(t.builder().value(
      Op::cmpf, {x, y}, type,
      {{"comparison_predicate", predicate}, {"comparison_ordering", ordering}}, at));
}

Slot fma(Slot a, Slot b, Slot c, DType, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at);
  return t.declare(t.builder().value(Op::fma, {x, t.read(b, at), t.read(c, at)}, t.type_of(x),
                                     {{"rounding_mode", raw(RoundingMode::nearest_even)}}, at));
}

Slot select(Slot condition, Slot a, Slot b, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at);
  return t.declare(t.builder().value(Op::select, {t.read(condition, at), x, t.read(b, at)},
                                     t.type_of(x), {}, at));
}

Slot cast(Slot x, DType from, DType to, SourceLoc at) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    const ir::TypeKind source = element_kind(from), target = element_kind(to);
    if (source == target) return v;
    const ir::TypeId type = t.with_element(v, target);
    ir::Builder& out = t.builder();
    const auto nearest = raw(RoundingMode::nearest_even);
    if (is_float(from) && is_float(to))
      return out.value(Op::ftof, {v}, type, {{"rounding_mode", nearest}}, at);
    if (is_float(from)) {
      return out.value(Op::ftoi, {v}, type,
                       {{"signedness", signedness_of(to)},
                        {"rounding_mode", raw(RoundingMode::nearest_int_to_zero)}},
                       at);
    }
    if (is_float(to)) {
      return out.value(Op::itof, {v}, type,
                       {{"signedness", signedness_of(from)}, {"rounding_mode", nearest}}, at);
    }
    if (ir::bit_width(target) < ir::bit_width(source))
      return out.value(Op::trunci, {v}, type, {}, at);
    return out.value(Op::exti, {v}, type, {{"signedness", signedness_of(from)}}, at);
  });
}

Slot reshape(Slot x, TileType to, SourceLoc at) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    const ir::TypeId type = t.tile(to);
    return type == t.type_of(v) ? v : t.builder().value(Op::reshape, {v}, type, {}, at);
  });
}

Slot broadcast(Slot x, TileType to, SourceLoc at) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    const ir::TypeId type = t.tile(to);
    if (type == t.type_of(v)) return v;
    if (t.types()[t.type_of(v)].shape.empty()) {
      const std::vector<std::int64_t> ones(to.shape.size(), 1);
      const ir::TypeId one = t.types().tile(element_kind(to.dtype), ones);
      v = t.builder().value(Op::reshape, {v}, one, {}, at);
      if (one == type) return v;
    }
    return t.builder().value(Op::broadcast, {v}, type, {}, at);
  });
}

Slot permute(Slot x, std::span<const int> order, TileType to, SourceLoc at) {
  Trace& t = Trace::current();
  std::vector<bool> seen(order.size(), false);
  for (const int axis : order) {
    const auto a = static_cast<std::size_t>(axis);
    if (a >= order.size() || seen[a]) {
      t.error(at, "ct::permute: the order must name every axis once");
      return constant(to, 0, at);
    }
    seen[a] = true;
  }
  return one_operand(x, at, [&](Trace&, ir::ValueId v) {
    return t.builder().value(
        Op::permute, {v}, t.tile(to),
        {{"permutation", std::vector<std::int32_t>(order.begin(), order.end())}}, at);
  });
}

Slot reduce(ReduceFn fn, Slot x, int axis, DType dtype, SourceLoc at) {
  constexpr BinaryFn combine[] = {BinaryFn::add, BinaryFn::mul,  BinaryFn::max,
                                  BinaryFn::min, BinaryFn::and_, BinaryFn::or_};
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId v = t.read(x, at);
  std::vector<std::int64_t> shape = t.types()[t.type_of(v)].shape;
  shape.erase(shape.begin() + axis);
  const ir::TypeKind element = element_kind(dtype);
  const ir::TypeId result = t.types().tile(element, shape);
  const std::vector<ir::Literal> identities{{t.types().scalar(element), identity_bits(fn, dtype)}};
  const ir::OpId op =
      t.builder().emit_groups(Op::reduce, {{v}}, std::span(&result, 1),
                              {{"dim", std::int64_t{axis}}, {"identities", identities}}, at);
  const ir::TypeId scalar = t.types().tile(element);
  const ir::TypeId args[] = {scalar, scalar};
  const ir::BlockId body = t.builder().add_region(op, args);
  const auto in = t.builder().enter(body);
  const std::vector<ir::ValueId> operands = t.builder().function()[body].args;
  const ir::ValueId combined =
      emit_binary(t, combine[static_cast<std::size_t>(fn)], operands[0], operands[1], dtype, at);
  t.builder().emit_groups(Op::yield, {{combined}}, {}, {}, at);
  return t.declare(t.builder().function()[op].results.front());
}

Slot mma(Slot a, Slot b, Slot c, DType, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId acc = t.read(c, at);
  return t.declare(
      t.builder().value(Op::mmaf, {t.read(a, at), t.read(b, at), acc}, t.type_of(acc), {}, at));
}

void device_assert(Slot condition, const char* message, SourceLoc at) {
  Trace& t = Trace::current();
  const ir::ValueId v = t.read(condition, at);
  t.builder().emit(Op::assert_, std::span(&v, 1), {},
                   {{"message", fmt::format("{}:{}: {}", at.file, at.line, message)}}, at);
}

} // namespace cutile::detail
