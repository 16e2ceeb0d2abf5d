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

/// Emits an operation with those of `options` that it has; the others are refused.
ir::ValueId emit(Trace& t, Op op, std::initializer_list<ir::ValueId> operands, ir::TypeId type,
                 const OpOptions& options, SourceLoc at,
                 std::initializer_list<ir::Builder::Named> attributes = {}) {
  const ir::ValueId result = t.builder().value(op, operands, type, attributes, at);
  ir::Function& f = t.builder().function();
  ir::Operation& emitted = f[f[result].def];
  const ir::OpDef& d = ir::def(op);
  const bool f32 = t.types().element_kind(type) == ir::TypeKind::f32;
  const auto refuse = [&](std::string_view what) {
    t.error(at, fmt::format("{} does not take {}", d.name, what));
  };
  bool rounds = false, flushes = false, propagates = false, overflows = false;
  for (std::size_t i = 0; i < d.attributes.size(); ++i) {
    const ir::AttrDef& a = d.attributes[i];
    ir::Attr& value = emitted.attributes[i];
    if (a.name == "rounding_mode" && op != Op::ftoi) {
      rounds = true;
      const auto mode = options.rounding;
      const bool approximate = mode >= raw(RoundingMode::approx);
      if ((a.allowed >> mode & 1U) == 0 || (approximate && !f32)) {
        if (mode != 0)
          refuse(approximate ? "approximate rounding, which is for float alone where it is there"
                             : "this rounding");
      } else {
        value = std::int64_t{mode};
      }
    } else if (a.name == "flush_to_zero") {
      flushes = f32;
      if (options.flush_to_zero && f32) value = true;
    } else if (a.name == "propagate_nan") {
      propagates = true;
      if (options.propagate_nan) value = true;
    } else if (a.name == "overflow") {
      overflows = true;
      if (options.overflow != 0) value = std::int64_t{options.overflow};
    } else if (a.name == "saturating" && options.saturating) {
      value = true;
    }
  }
  if (options.rounding != 0 && !rounds) refuse("a rounding");
  if (options.flush_to_zero && !flushes)
    refuse("flush_to_zero, which is for float alone where it is there");
  if (options.propagate_nan && !propagates) refuse("propagate_nan");
  if (options.overflow != 0 && !overflows) refuse("an overflow");
  return result;
}

ir::ValueId emit_binary(Trace& t, BinaryFn fn, ir::ValueId a, ir::ValueId b, DType dtype,
                        SourceLoc at, const OpOptions& options = {}) {
  const ir::TypeId type = t.type_of(a);
  const bool fp = is_float(dtype);
  const auto plain = [&](Op op) { return emit(t, op, {a, b}, type, options, at); };
  const auto divided = [&](RoundingMode rounding) {
    return emit(t, Op::divi, {a, b}, type, options, at,
                {{"signedness", signedness_of(dtype)}, {"rounding", raw(rounding)}});
  };
  const auto with_sign = [&](Op op) {
    return emit(t, op, {a, b}, type, options, at, {{"signedness", signedness_of(dtype)}});
  };
  switch (fn) {
  case BinaryFn::add: return fp ? plain(Op::addf) : plain(Op::addi);
  case BinaryFn::sub: return fp ? plain(Op::subf) : plain(Op::subi);
  case BinaryFn::mul: return fp ? plain(Op::mulf) : plain(Op::muli);
  case BinaryFn::div: return fp ? plain(Op::divf) : divided(RoundingMode::zero);
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
  case BinaryFn::floor_div: // of unsigned numbers, truncation is the floor
    return divided(is_unsigned(dtype) ? RoundingMode::zero : RoundingMode::negative_inf);
  case BinaryFn::ceil_div: return divided(RoundingMode::positive_inf);
  case BinaryFn::mul_high: return plain(Op::mulhii);
  case BinaryFn::pow_int: return plain(Op::fpowi);
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

Slot unary(UnaryFn fn, Slot x, DType dtype, SourceLoc at, OpOptions options) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    const ir::TypeId type = t.type_of(v);
    const auto plain = [&](Op op) { return emit(t, op, {v}, type, options, at); };
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
    case UnaryFn::sqrt: return plain(Op::sqrt);
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

Slot binary(BinaryFn fn, Slot a, Slot b, DType dtype, SourceLoc at, OpOptions options) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at), y = t.read(b, at);
  return t.declare(emit_binary(t, fn, x, y, dtype, at, options));
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

Slot fma(Slot a, Slot b, Slot c, DType, SourceLoc at, OpOptions options) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at);
  return t.declare(emit(t, Op::fma, {x, t.read(b, at), t.read(c, at)}, t.type_of(x), options, at));
}

Slot select(Slot condition, Slot a, Slot b, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at);
  return t.declare(t.builder().value(Op::select, {t.read(condition, at), x, t.read(b, at)},
                                     t.type_of(x), {}, at));
}

Slot cast(Slot x, DType from, DType to, SourceLoc at, OpOptions options) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    const ir::TypeKind source = element_kind(from), target = element_kind(to);
    if (source == target) return v;
    const ir::TypeId type = t.with_element(v, target);
    const auto cast_as = [&](Op op, DType integer) {
      return emit(t, op, {v}, type, options, at, {{"signedness", signedness_of(integer)}});
    };
    if (is_float(from) && is_float(to)) {
      // Of powers of two the larger one, so that nothing scaled by it overflows.
      if (to == DType::f8e8m0 && options.rounding == 0)
        options.rounding = static_cast<std::uint8_t>(RoundingMode::positive_inf);
      return emit(t, Op::ftof, {v}, type, options, at);
    }
    if (is_float(from)) {
      return emit(t, Op::ftoi, {v}, type, options, at,
                  {{"signedness", signedness_of(to)},
                   {"rounding_mode", raw(RoundingMode::nearest_int_to_zero)}});
    }
    if (is_float(to)) return cast_as(Op::itof, from);
    if (ir::bit_width(target) < ir::bit_width(source))
      return emit(t, Op::trunci, {v}, type, options, at);
    return cast_as(Op::exti, from);
  });
}

Slot bitcast(Slot x, TileType to, SourceLoc at) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    const ir::TypeId type = t.tile(to);
    return type == t.type_of(v) ? v : t.builder().value(Op::bitcast, {v}, type, {}, at);
  });
}
Slot pack(Slot x, TileType to, SourceLoc at) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    return t.builder().value(Op::pack, {v}, t.tile(to), {}, at);
  });
}
Slot unpack(Slot x, TileType to, SourceLoc at) {
  return one_operand(x, at, [&](Trace& t, ir::ValueId v) {
    return t.builder().value(Op::unpack, {v}, t.tile(to), {}, at);
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

Slot cat(Slot a, Slot b, int axis, TileType to, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId x = t.read(a, at), y = t.read(b, at);
  return t.declare(
      t.builder().value(Op::cat, {x, y}, t.tile(to), {{"dim", std::int64_t{axis}}}, at));
}

Slot extract(Slot x, std::span<const Slot> index, TileType to, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId v = t.read(x, at);
  std::vector<ir::ValueId> indices;
  for (const Slot i : index) indices.push_back(t.read(i, at));
  const ir::TypeId type = t.tile(to);
  const ir::OpId op =
      t.builder().emit_groups(Op::extract, {{v}, indices}, std::span(&type, 1), {}, at);
  return t.declare(t.builder().function()[op].results.front());
}

Slot insert(Slot part, Slot around, std::span<const Slot> index, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId v = t.read(part, at), whole = t.read(around, at);
  std::vector<ir::ValueId> indices;
  for (const Slot i : index) indices.push_back(t.read(i, at));
  const ir::TypeId type = t.type_of(whole);
  const ir::OpId op =
      t.builder().emit_groups(Op::insert, {{v}, {whole}, indices}, std::span(&type, 1), {}, at);
  return t.declare(t.builder().function()[op].results.front());
}

void begin_combine(CombineKind kind, std::span<const Slot> tiles, int axis,
                   std::span<const std::uint64_t> identities, std::span<Slot> arguments,
                   SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  std::vector<ir::ValueId> values;
  for (const Slot x : tiles) values.push_back(t.read(x, at));
  t.begin_combine(kind, values, axis, identities, at);
  const ir::Function& f = t.builder().function();
  const std::vector<ir::ValueId> args = f[t.builder().block()].args;
  for (std::size_t i = 0; i < args.size(); ++i) arguments[i] = t.declare(args[i]);
}

void end_combine(std::span<const Slot> values, std::span<Slot> results, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  std::vector<ir::ValueId> combined;
  for (const Slot v : values) combined.push_back(t.read(v, at));
  const std::vector<ir::ValueId> out = t.end_combine(std::move(combined), at);
  for (std::size_t i = 0; i < out.size(); ++i) results[i] = t.declare(out[i]);
}

namespace {

/// A reduction or scan by one operation.
Slot combine(CombineKind kind, ReduceFn fn, Slot x, int axis, DType dtype, SourceLoc at) {
  constexpr BinaryFn functions[] = {BinaryFn::add, BinaryFn::mul,  BinaryFn::max,
                                    BinaryFn::min, BinaryFn::and_, BinaryFn::or_};
  const std::uint64_t identity = identity_bits(fn, dtype);
  Slot arguments[2];
  begin_combine(kind, std::span(&x, 1), axis, std::span(&identity, 1), arguments, at);
  const Slot combined =
      binary(functions[static_cast<std::size_t>(fn)], arguments[0], arguments[1], dtype, at);
  Slot result;
  end_combine(std::span(&combined, 1), std::span(&result, 1), at);
  return result;
}

} // namespace

Slot reduce(ReduceFn fn, Slot x, int axis, DType dtype, SourceLoc at) {
  return combine(CombineKind::reduce, fn, x, axis, dtype, at);
}
Slot scan(ReduceFn fn, Slot x, int axis, bool reverse, DType dtype, SourceLoc at) {
  return combine(reverse ? CombineKind::reverse_scan : CombineKind::scan, fn, x, axis, dtype, at);
}

Slot mma(Slot a, Slot b, Slot c, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId acc = t.read(c, at);
  return t.declare(
      t.builder().value(Op::mmaf, {t.read(a, at), t.read(b, at), acc}, t.type_of(acc), {}, at));
}

Slot mma_int(Slot a, Slot b, Slot c, bool a_signed, bool b_signed, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId acc = t.read(c, at);
  return t.declare(t.builder().value(
      Op::mmai, {t.read(a, at), t.read(b, at), acc}, t.type_of(acc),
      {{"signedness_lhs", std::int64_t{a_signed}}, {"signedness_rhs", std::int64_t{b_signed}}},
      at));
}

Slot mma_scaled(Slot a, Slot b, Slot c, Slot a_scale, Slot b_scale, SourceLoc at) {
  Trace& t = Trace::current();
  at = t.place(at);
  const ir::ValueId acc = t.read(c, at);
  return t.declare(t.builder().value(
      Op::mmaf_scaled,
      {t.read(a, at), t.read(b, at), acc, t.read(a_scale, at), t.read(b_scale, at)}, t.type_of(acc),
      {}, at));
}

void print(const char* format, std::span<const Slot> tiles, SourceLoc at) {
  Trace& t = Trace::current();
  std::vector<ir::ValueId> values;
  for (const Slot x : tiles) values.push_back(t.read(x, at));
  const ir::TypeId token = t.types().token();
  t.builder().emit_groups(Op::print_tko, {values, {}}, std::span(&token, 1),
                          {{"str", std::string(format)}}, at);
}

void device_assert(Slot condition, const char* message, SourceLoc at) {
  Trace& t = Trace::current();
  const ir::ValueId v = t.read(condition, at);
  t.builder().emit(Op::assert_, std::span(&v, 1), {},
                   {{"message", fmt::format("{}:{}: {}", at.file, at.line, message)}}, at);
}

} // namespace cutile::detail
