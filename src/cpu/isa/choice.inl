// Part of kernels.inl, inside its namespace: which kernel runs an operation on a type.

struct ArraySin {
  auto operator()(const auto& x) const { return x.sin(); }
};
struct ArrayCos {
  auto operator()(const auto& x) const { return x.cos(); }
};

template <class F> ElementFn with_rounding(ir::RoundingMode mode, F f) {
  switch (mode) {
  case ir::RoundingMode::zero: return f.template operator()<Rounding::zero>();
  case ir::RoundingMode::negative_inf: return f.template operator()<Rounding::negative_inf>();
  case ir::RoundingMode::positive_inf: return f.template operator()<Rounding::positive_inf>();
  default: return f.template operator()<Rounding::nearest_even>(); // approx and full promise less
  }
}
template <class T, class F> ElementFn binary_fn(const ElementKey& key) {
  return with_rounding(key.rounding, [&]<Rounding R>() -> ElementFn {
    if constexpr (std::is_same_v<T, float>) {
      if (key.flush_to_zero) return binary<float, Flushed<F>, R>;
    }
    return binary<T, F, R>;
  });
}
template <class T, class F> ElementFn unary_fn(const ElementKey& key) {
  if constexpr (std::is_same_v<T, float>) {
    if (key.flush_to_zero) return unary<float, Flushed<F>>;
  }
  return unary<T, F>;
}
template <class T> ElementFn sqrt_fn(const ElementKey& key) {
  return with_rounding(key.rounding, [&]<Rounding R>() -> ElementFn {
    if constexpr (std::is_same_v<T, float>) {
      if (key.flush_to_zero) return unary<float, Flushed<Sqrt>, R>;
    }
    return unary<T, Sqrt, R>;
  });
}
template <class T> ElementFn fma_fn(const ElementKey& key) {
  return with_rounding(key.rounding, [&]<Rounding R>() -> ElementFn {
    if constexpr (is_small_float<T> && R == Rounding::nearest_even) {
      return ternary<T, FmaToOdd>;
    } else {
      if constexpr (std::is_same_v<T, float>) {
        if (key.flush_to_zero) return ternary<float, Flushed<Fma>, R>;
      }
      return ternary<T, Fma, R>;
    }
  });
}
template <class T, bool Max> ElementFn extreme_fn(ElementKey key) {
  key.rounding = ir::RoundingMode::nearest_even;
  return key.flag ? binary_fn<T, Extreme<Max, true>>(key) : binary_fn<T, Extreme<Max, false>>(key);
}

template <class T> ElementFn float_fn(const ElementKey& key) {
  switch (key.op) {
  case Op::addf: return binary_fn<T, Add>(key);
  case Op::subf: return binary_fn<T, Sub>(key);
  case Op::mulf: return binary_fn<T, Mul>(key);
  case Op::divf: return binary_fn<T, Div>(key);
  case Op::remf: return binary<T, Rem>;
  case Op::pow: return binary<T, Pow>;
  case Op::atan2: return binary<T, Atan2>;
  case Op::maxf: return extreme_fn<T, true>(key);
  case Op::minf: return extreme_fn<T, false>(key);
  case Op::fma: return fma_fn<T>(key);
  case Op::negf: return unary<T, Neg>;
  case Op::absf: return unary<T, Abs>;
  case Op::exp: return unary<T, Exp>;
  case Op::exp2: return unary_fn<T, Exp2>(key);
  case Op::log: return unary<T, Log>;
  case Op::log2: return unary<T, Log2>;
  case Op::sin: return array<T, ArraySin>;
  case Op::cos: return array<T, ArrayCos>;
  case Op::tan: return unary<T, Tan>;
  case Op::sinh: return unary<T, Sinh>;
  case Op::cosh: return unary<T, Cosh>;
  case Op::tanh: return unary<T, Tanh>;
  case Op::sqrt: return sqrt_fn<T>(key);
  case Op::rsqrt: return unary_fn<T, Rsqrt>(key);
  case Op::floor: return unary<T, Floor>;
  case Op::ceil: return unary<T, Ceil>;
  case Op::cmpf: {
    constexpr ElementFn ordered[] = {compare<T, Equal>,   compare<T, NotEqualOrdered>,
                                     compare<T, Less>,    compare<T, LessEqual>,
                                     compare<T, Greater>, compare<T, GreaterEqual>};
    constexpr ElementFn unordered[] = {compare<T, EqualOrNan>,   compare<T, NotEqual>,
                                       compare<T, LessOrNan>,    compare<T, LessEqualOrNan>,
                                       compare<T, GreaterOrNan>, compare<T, GreaterEqualOrNan>};
    const auto predicate = static_cast<std::size_t>(key.comparison);
    return key.flag ? ordered[predicate] : unordered[predicate];
  }
  default: return nullptr;
  }
}

template <class U> ElementFn int_fn(const ElementKey& key) {
  using S = std::make_signed_t<U>;
  switch (key.op) {
  case Op::addi: return binary<U, AddInt>;
  case Op::subi: return binary<U, SubInt>;
  case Op::muli: return binary<U, MulInt>;
  case Op::mulhii: return binary<U, MulHigh>;
  case Op::andi: return binary<U, And>;
  case Op::ori: return binary<U, Or>;
  case Op::xori: return binary<U, Xor>;
  case Op::shli: return binary<U, ShiftLeft>;
  case Op::shri: return key.flag ? binary<U, ShiftRightSigned> : binary<U, ShiftRight>;
  case Op::maxi: return key.flag ? binary<S, MaxInt> : binary<U, MaxInt>;
  case Op::mini: return key.flag ? binary<S, MinInt> : binary<U, MinInt>;
  case Op::negi: return unary<U, NegInt>;
  case Op::absi: return unary<U, AbsInt>;
  case Op::remi: return key.flag ? divide_as<S, true, 1> : divide_as<U, true, 1>;
  case Op::divi:
    if (key.rounding == ir::RoundingMode::zero)
      return key.flag ? divide_as<S, false, 1> : divide_as<U, false, 1>;
    if (key.rounding == ir::RoundingMode::negative_inf) return divide_as<S, false, 2>;
    return key.flag ? divide_as<S, false, 3> : divide_as<U, false, 3>;
  case Op::cmpi: {
    constexpr ElementFn as_signed[] = {compare<S, Equal>,   compare<S, NotEqual>,
                                       compare<S, Less>,    compare<S, LessEqual>,
                                       compare<S, Greater>, compare<S, GreaterEqual>};
    constexpr ElementFn as_unsigned[] = {compare<U, Equal>,   compare<U, NotEqual>,
                                         compare<U, Less>,    compare<U, LessEqual>,
                                         compare<U, Greater>, compare<U, GreaterEqual>};
    const auto predicate = static_cast<std::size_t>(key.comparison);
    return key.flag ? as_signed[predicate] : as_unsigned[predicate];
  }
  default: return nullptr;
  }
}

struct BitShift { // a bit moved by one place is gone
  std::uint8_t operator()(std::uint8_t x, std::uint8_t y) const { return y != 0 ? 0 : x; }
};
struct First {
  std::uint8_t operator()(std::uint8_t x, std::uint8_t) const { return x; }
};

/// Arithmetic modulo 2 on bytes 0 and 1. As a signed number, 1 stands for -1.
ElementFn bit_fn(ElementKey key) {
  const bool is_signed = std::exchange(key.flag, false);
  using C = ir::Comparison;
  switch (key.op) {
  case Op::addi:
  case Op::subi: return binary<std::uint8_t, Xor>;
  case Op::muli: return binary<std::uint8_t, And>;
  case Op::shli: return binary<std::uint8_t, BitShift>;
  case Op::shri: return is_signed ? binary<std::uint8_t, First> : binary<std::uint8_t, BitShift>;
  case Op::maxi: return is_signed ? binary<std::uint8_t, And> : binary<std::uint8_t, Or>;
  case Op::mini: return is_signed ? binary<std::uint8_t, Or> : binary<std::uint8_t, And>;
  case Op::negi:
  case Op::absi: return copy<1>;
  case Op::divi: return divide_as<std::uint8_t, false, 1>;
  case Op::cmpi:
    if (is_signed) {
      switch (key.comparison) {
      case C::less_than: key.comparison = C::greater_than; break;
      case C::less_than_or_equal: key.comparison = C::greater_than_or_equal; break;
      case C::greater_than: key.comparison = C::less_than; break;
      case C::greater_than_or_equal: key.comparison = C::less_than_or_equal; break;
      default: break;
      }
    }
    return int_fn<std::uint8_t>(key);
  default: return int_fn<std::uint8_t>(key); // and, or, xor, mulhii (0), remi
  }
}

ElementFn element(const ElementKey& key) {
  const int size = ir::storage_bytes(key.in);
  switch (key.op) {
  case Op::select:
    return size == 1   ? select<std::uint8_t>
           : size == 2 ? select<std::uint16_t>
           : size == 4 ? select<std::uint32_t>
                       : select<std::uint64_t>;
  case Op::bitcast:
  case Op::int_to_ptr:
  case Op::ptr_to_int:
  case Op::ptr_to_ptr:
    return size == 1 ? copy<1> : size == 2 ? copy<2> : size == 4 ? copy<4> : copy<8>;
  case Op::offset:
    if (key.in == TypeKind::i1) return offset<std::uint8_t>;
    return with_int(key.in, true, []<class Int>(Int) -> ElementFn { return offset<Int>; });
  case Op::fpowi:
    return with_float(key.out, [&]<class T>(T) {
      return with_int(key.in, true, []<class Int>(Int) -> ElementFn { return power<T, Int>; });
    });
  default: break;
  }
  if (const ElementFn fn = cast_fn(key)) return fn;
  if (ir::is_float(key.in)) return with_float(key.in, [&]<class T>(T) { return float_fn<T>(key); });
  if (key.in == TypeKind::i1) return bit_fn(key);
  return with_unsigned(key.in, [&]<class T>(T) { return int_fn<T>(key); });
}
