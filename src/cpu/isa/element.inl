// Part of kernels.inl, inside its namespace: element-wise kernels, and the choice among them.

template <class T, class F> bool unary(const ElementArgs& a) {
  return apply<T, T>(a, [](std::size_t n, auto* out, const auto* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i]);
    return true;
  });
}
template <class T, class F> bool binary(const ElementArgs& a) {
  return apply<T, T, T>(a, [](std::size_t n, auto* out, const auto* x, const auto* y) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i], y[i]);
    return true;
  });
}
template <class T, class F> bool compare(const ElementArgs& a) {
  return apply<std::uint8_t, T, T>(a, [](std::size_t n, auto* out, const auto* x, const auto* y) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i], y[i]) ? 1 : 0;
    return true;
  });
}
/// A function of Eigen on whole arrays, which it vectorises.
template <class T, class F> bool array(const ElementArgs& a) {
  return apply<T, T>(a, [](std::size_t n, auto* out, const auto* x) {
    using W = std::remove_pointer_t<decltype(out)>;
    using Array = eigen::Array<W, eigen::Dynamic, 1>;
    eigen::Map<Array>(out, static_cast<eigen::Index>(n)) =
        F{}(eigen::Map<const Array>(x, static_cast<eigen::Index>(n)));
    return true;
  });
}

template <class To, class From> bool convert(const ElementArgs& a) {
  return apply<To, From>(a, [](std::size_t n, auto* out, const auto* x) {
    using W = std::remove_pointer_t<decltype(out)>;
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<W>(x[i]);
    return true;
  });
}

template <class To, class From> bool truncate(const ElementArgs& a) {
  return apply<To, From>(a, [](std::size_t n, auto* out, const auto* x) {
    using Limit = std::conditional_t<
        sizeof(To) == 1, std::conditional_t<std::is_signed_v<To>, std::int16_t, std::uint16_t>, To>;
    using W = std::remove_cvref_t<decltype(x[0])>;
    const W low = static_cast<W>(std::numeric_limits<Limit>::min());
    constexpr Limit nan =
        std::is_same_v<To, std::int64_t> ? std::numeric_limits<Limit>::min() : Limit{0};
    const W high =
        std::ldexp(W{1}, std::numeric_limits<Limit>::digits); // the first value that is too large
    for (std::size_t i = 0; i < n; ++i) {
      const W v = x[i];
      const Limit clamped = v != v      ? nan
                            : v < low   ? std::numeric_limits<Limit>::min()
                            : v >= high ? std::numeric_limits<Limit>::max()
                                        : static_cast<Limit>(v);
      out[i] = static_cast<To>(clamped);
    }
    return true;
  });
}

template <class T> bool select(const ElementArgs& a) {
  const auto* c = reinterpret_cast<const std::uint8_t*>(a.in[0]);
  const T* x = reinterpret_cast<const T*>(a.in[1]);
  const T* y = reinterpret_cast<const T*>(a.in[2]);
  T* out = reinterpret_cast<T*>(a.out);
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < a.n; ++i) out[i] = c[i] != 0 ? x[i] : y[i];
  return true;
}
template <std::size_t Size> bool copy(const ElementArgs& a) {
  std::memmove(a.out, a.in[0], a.n * Size);
  return true;
}

template <class T> bool fused(const ElementArgs& a) {
  return apply<T, T, T, T>(
      a, [](std::size_t n, auto* out, const auto* x, const auto* y, const auto* z) {
        CUTILE_VECTORISE
        for (std::size_t i = 0; i < n; ++i) out[i] = std::fma(x[i], y[i], z[i]);
        return true;
      });
}

/// Integer division or remainder. Mode: ir::RoundingMode of a division.
template <class T, bool Remainder> bool divide(const ElementArgs& a, std::int64_t mode) {
  const T* x = reinterpret_cast<const T*>(a.in[0]);
  const T* y = reinterpret_cast<const T*>(a.in[1]);
  T* out = reinterpret_cast<T*>(a.out);
  for (std::size_t i = 0; i < a.n; ++i) {
    if (y[i] == 0) return false;
    if constexpr (std::is_signed_v<T>) {
      if (y[i] == -1) { // INT_MIN / -1 wraps
        using U = std::make_unsigned_t<T>;
        out[i] = Remainder ? T{0} : static_cast<T>(U{0} - static_cast<U>(x[i]));
        continue;
      }
    }
    const T q = static_cast<T>(x[i] / y[i]), r = static_cast<T>(x[i] % y[i]);
    if constexpr (Remainder) {
      out[i] = r;
    } else {
      const bool same_sign = (r < 0) == (y[i] < 0);
      const auto rounding = static_cast<ir::RoundingMode>(mode);
      T adjust = 0;
      if (r != 0 && rounding == ir::RoundingMode::positive_inf && same_sign) adjust = 1;
      if (r != 0 && rounding == ir::RoundingMode::negative_inf && !same_sign)
        adjust = static_cast<T>(-1);
      out[i] = static_cast<T>(q + adjust);
    }
  }
  return true;
}
template <class T, bool Remainder, int Mode> bool divide_as(const ElementArgs& a) {
  return divide<T, Remainder>(a, Mode);
}

struct ArraySin {
  auto operator()(const auto& x) const { return x.sin(); }
};
struct ArrayCos {
  auto operator()(const auto& x) const { return x.cos(); }
};

template <class T> ElementFn float_fn(const ElementKey& key) {
  switch (key.op) {
  case Op::addf: return binary<T, Add>;
  case Op::subf: return binary<T, Sub>;
  case Op::mulf: return binary<T, Mul>;
  case Op::divf: return binary<T, Div>;
  case Op::remf: return binary<T, Rem>;
  case Op::pow: return binary<T, Pow>;
  case Op::atan2: return binary<T, Atan2>;
  case Op::maxf: return key.flag ? binary<T, Extreme<true, true>> : binary<T, Extreme<true, false>>;
  case Op::minf:
    return key.flag ? binary<T, Extreme<false, true>> : binary<T, Extreme<false, false>>;
  case Op::fma: return fused<T>;
  case Op::negf: return unary<T, Neg>;
  case Op::absf: return unary<T, Abs>;
  case Op::exp: return unary<T, Exp>;
  case Op::exp2: return unary<T, Exp2>;
  case Op::log: return unary<T, Log>;
  case Op::log2: return unary<T, Log2>;
  case Op::sin: return array<T, ArraySin>;
  case Op::cos: return array<T, ArrayCos>;
  case Op::tan: return unary<T, Tan>;
  case Op::sinh: return unary<T, Sinh>;
  case Op::cosh: return unary<T, Cosh>;
  case Op::tanh: return unary<T, Tanh>;
  case Op::sqrt: return unary<T, Sqrt>;
  case Op::rsqrt: return unary<T, Rsqrt>;
  case Op::floor: return unary<T, Floor>;
  case Op::ceil: return unary<T, Ceil>;
  case Op::cmpf: {
    constexpr ElementFn ordered[] = {compare<T, Equal>,   compare<T, NotEqualOrdered>,
                                     compare<T, Less>,    compare<T, LessEqual>,
                                     compare<T, Greater>, compare<T, GreaterEqual>};
    constexpr ElementFn unordered[] = {compare<T, EqualOrNan>,   compare<T, NotEqual>,
                                       compare<T, LessOrNan>,    compare<T, LessEqualOrNan>,
                                       compare<T, GreaterOrNan>, compare<T, GreaterEqualOrNan>};
    return key.flag ? ordered[key.mode] : unordered[key.mode];
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
    if (key.mode == 1) return key.flag ? divide_as<S, false, 1> : divide_as<U, false, 1>;
    if (key.mode == 2) return divide_as<S, false, 2>;
    return key.flag ? divide_as<S, false, 3> : divide_as<U, false, 3>;
  case Op::cmpi: {
    constexpr ElementFn as_signed[] = {compare<S, Equal>,   compare<S, NotEqual>,
                                       compare<S, Less>,    compare<S, LessEqual>,
                                       compare<S, Greater>, compare<S, GreaterEqual>};
    constexpr ElementFn as_unsigned[] = {compare<U, Equal>,   compare<U, NotEqual>,
                                         compare<U, Less>,    compare<U, LessEqual>,
                                         compare<U, Greater>, compare<U, GreaterEqual>};
    return key.flag ? as_signed[key.mode] : as_unsigned[key.mode];
  }
  default: return nullptr;
  }
}

/// Calls `f` with a value of the C++ type that stands for `kind`; integers unsigned unless
/// `as_signed`. i1 is a byte 0 or 1.
template <class F> ElementFn with_float(TypeKind kind, F f) {
  switch (kind) {
  case TypeKind::f16: return f(Half{});
  case TypeKind::bf16: return f(Brain{});
  case TypeKind::f32: return f(float{});
  case TypeKind::f64: return f(double{});
  default: return nullptr;
  }
}
template <class F> ElementFn with_unsigned(TypeKind kind, F f) {
  switch (kind) {
  case TypeKind::i8: return f(std::uint8_t{});
  case TypeKind::i16: return f(std::uint16_t{});
  case TypeKind::i32: return f(std::uint32_t{});
  case TypeKind::i64: return f(std::uint64_t{});
  default: return nullptr;
  }
}
template <class F> ElementFn with_int(TypeKind kind, bool as_signed, F f) {
  return with_unsigned(kind,
                       [&]<class U>(U u) { return as_signed ? f(std::make_signed_t<U>{}) : f(u); });
}

/// From a byte 0 or 1 to all bits clear or set.
template <class To> bool spread(const ElementArgs& a) {
  return apply<To, std::uint8_t>(a, [](std::size_t n, To* out, const std::uint8_t* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<To>(To{0} - static_cast<To>(x[i]));
    return true;
  });
}
template <class From> bool lowest_bit(const ElementArgs& a) {
  return apply<std::uint8_t, From>(a, [](std::size_t n, std::uint8_t* out, const From* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::uint8_t>(x[i] & 1U);
    return true;
  });
}

ElementFn cast_fn(const ElementKey& key) {
  switch (key.op) {
  case Op::ftof:
    return with_float(key.in, [&]<class From>(From) {
      return with_float(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::ftoi:
    return with_float(key.in, [&]<class From>(From) {
      return with_int(key.out, key.flag,
                      []<class To>(To) -> ElementFn { return truncate<To, From>; });
    });
  case Op::itof:
    if (key.in == TypeKind::i1)
      return with_float(key.out,
                        []<class To>(To) -> ElementFn { return convert<To, std::uint8_t>; });
    return with_int(key.in, key.flag, [&]<class From>(From) {
      return with_float(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::exti:
    if (key.in == TypeKind::i1) {
      return with_unsigned(key.out, [&]<class To>(To) -> ElementFn {
        return key.flag ? spread<To> : convert<To, std::uint8_t>;
      });
    }
    return with_int(key.in, key.flag, [&]<class From>(From) {
      return with_int(key.out, key.flag,
                      []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::trunci:
    return with_unsigned(key.in, [&]<class From>(From) -> ElementFn {
      if (key.out == TypeKind::i1) return lowest_bit<From>;
      return with_unsigned(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  default: return nullptr;
  }
}

ElementFn element(const ElementKey& key) {
  const int size = ir::storage_bytes(key.in);
  if (key.op == Op::select)
    return size == 1   ? select<std::uint8_t>
           : size == 2 ? select<std::uint16_t>
           : size == 4 ? select<std::uint32_t>
                       : select<std::uint64_t>;
  if (key.op == Op::bitcast)
    return size == 1 ? copy<1> : size == 2 ? copy<2> : size == 4 ? copy<4> : copy<8>;
  if (const ElementFn fn = cast_fn(key)) return fn;
  if (ir::is_float(key.in)) return with_float(key.in, [&]<class T>(T) { return float_fn<T>(key); });
  if (key.in == TypeKind::i1) {
    // Bytes 0 and 1: what keeps them so.
    const bool closed =
        key.op == Op::andi || key.op == Op::ori || key.op == Op::xori || key.op == Op::cmpi;
    ElementKey unsigned_key = key;
    unsigned_key.flag = false;
    return closed ? int_fn<std::uint8_t>(unsigned_key) : nullptr;
  }
  return with_unsigned(key.in, [&]<class T>(T) { return int_fn<T>(key); });
}
