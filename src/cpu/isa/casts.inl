// Part of kernels.inl, inside its namespace: casts between element types.

/// An integer of 64 bits as a double, rounded to odd.
inline double to_double(std::uint64_t x) {
  const std::uint64_t kept = (x >> 11U) | ((x & 0x7ffU) != 0 ? 1U : 0U);
  return x >> 53U == 0 ? static_cast<double>(x) : static_cast<double>(kept) * 2048.0;
}

template <class To, class From, Rounding R = Rounding::nearest_even>
bool convert(const ElementArgs& a) {
  return apply_rounded<R, To, From>(a, [](std::size_t n, auto* out, const auto* x) {
    using W = std::remove_pointer_t<decltype(out)>;
    using X = std::remove_cvref_t<decltype(x[0])>;
    // What is rounded again, to a small float, is rounded to odd before.
    if constexpr (is_small_float<To> && std::is_integral_v<X> && sizeof(X) == 8) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto u = static_cast<std::uint64_t>(x[i]);
        const bool negative = std::is_signed_v<X> && static_cast<std::int64_t>(u) < 0;
        const double magnitude = to_double(negative ? std::uint64_t{0} - u : u);
        out[i] = detail::round_to_odd(negative ? -magnitude : magnitude);
      }
    } else if constexpr (is_small_float<To> &&
                         (sizeof(X) == 8 || (std::is_integral_v<X> && sizeof(X) == 4))) {
      CUTILE_VECTORISE
      for (std::size_t i = 0; i < n; ++i) out[i] = detail::round_to_odd(static_cast<double>(x[i]));
    } else {
      CUTILE_VECTORISE
      for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<W>(x[i]);
    }
    return true;
  });
}

/// Floats to integers. Out of range is undefined in the IR; without `Saturate` the answers are
/// those of an H200.
template <class To, class From, bool Saturate> bool truncate(const ElementArgs& a) {
  return apply<To, From>(a, [](std::size_t n, auto* out, const auto* x) {
    using Limit =
        std::conditional_t<sizeof(To) == 1 && !Saturate,
                           std::conditional_t<std::is_signed_v<To>, std::int16_t, std::uint16_t>,
                           To>;
    using W = std::remove_cvref_t<decltype(x[0])>;
    const W low = static_cast<W>(std::numeric_limits<Limit>::min());
    constexpr Limit nan = std::is_same_v<To, std::int64_t> && !Saturate
                              ? std::numeric_limits<Limit>::min()
                              : Limit{0};
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

/// From the low bits of a byte, extended by zero or by the highest of them.
template <class To, unsigned Width, bool Signed> bool extend_bits(const ElementArgs& a) {
  return apply<To, std::uint8_t>(a, [](std::size_t n, To* out, const std::uint8_t* x) {
    constexpr std::uint8_t high = 1U << (Width - 1U);
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i)
      out[i] = static_cast<To>(Signed ? (x[i] ^ high) - high : x[i]);
    return true;
  });
}
/// From i1 to i4.
template <bool Signed> bool extend_i4(const ElementArgs& a) {
  for (std::size_t i = 0; i < a.n; ++i)
    a.out[i] = Signed && a.in[0][i] != std::byte{0} ? std::byte{15} : a.in[0][i];
  return true;
}
template <class From, unsigned Width> bool low_bits(const ElementArgs& a) {
  return apply<std::uint8_t, From>(a, [](std::size_t n, std::uint8_t* out, const From* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i)
      out[i] = static_cast<std::uint8_t>(x[i] & static_cast<From>((1U << Width) - 1U));
    return true;
  });
}

struct E4m3 : Small<std::uint8_t, detail::format_e4m3> {};
struct E5m2 : Small<std::uint8_t, detail::format_e5m2> {};
struct E2m1 : Small<std::uint8_t, detail::format_e2m1> {};

/// Any number type to f32, exactly or rounded to odd; casts of small types go through it.
void to_float(TypeKind kind, bool is_signed, const std::byte* in, float* out, std::size_t n) {
  const auto from = [&]<class From>(From) {
    if constexpr (std::is_same_v<From, double>) {
      const auto* x = reinterpret_cast<const double*>(in);
      for (std::size_t i = 0; i < n; ++i) out[i] = detail::round_to_odd(x[i]);
    } else if constexpr (is_small_float<From>) {
      widen(reinterpret_cast<const From*>(in), out, n);
    } else {
      const auto* x = reinterpret_cast<const From*>(in);
      for (std::size_t i = 0; i < n; ++i) {
        const auto u = static_cast<std::uint64_t>(x[i]);
        const bool negative = std::is_signed_v<From> && static_cast<std::int64_t>(u) < 0;
        const double magnitude = to_double(negative ? std::uint64_t{0} - u : u);
        out[i] = detail::round_to_odd(negative ? -magnitude : magnitude);
      }
    }
  };
  switch (kind) {
  case TypeKind::f16: from(Half{}); return;
  case TypeKind::bf16: from(Brain{}); return;
  case TypeKind::f8e4m3fn: from(E4m3{}); return;
  case TypeKind::f8e5m2: from(E5m2{}); return;
  case TypeKind::f4e2m1fn: from(E2m1{}); return;
  case TypeKind::f8e8m0fnu:
    for (std::size_t i = 0; i < n; ++i)
      out[i] = detail::decode_e8m0(static_cast<std::uint8_t>(in[i]));
    return;
  case TypeKind::f64: from(double{}); return;
  case TypeKind::i1: from(std::uint8_t{}); return;
  case TypeKind::i8: is_signed ? from(std::int8_t{}) : from(std::uint8_t{}); return;
  case TypeKind::i16: is_signed ? from(std::int16_t{}) : from(std::uint16_t{}); return;
  case TypeKind::i32: is_signed ? from(std::int32_t{}) : from(std::uint32_t{}); return;
  case TypeKind::i64: is_signed ? from(std::int64_t{}) : from(std::uint64_t{}); return;
  default: std::memcpy(out, in, n * sizeof(float)); return; // f32, tf32
  }
}

void from_float(const SmallCast& cast, const float* in, std::byte* out, std::size_t n) {
  const ElementArgs args{out, {reinterpret_cast<const std::byte*>(in)}, n};
  const auto rounding = static_cast<Rounding>(cast.rounding);
  const auto encoded = [&](auto* to, FloatFormat format, unsigned shift) {
    for (std::size_t i = 0; i < n; ++i)
      to[i] = static_cast<std::remove_pointer_t<decltype(to)>>(
          detail::encode(in[i], format, rounding) << shift);
  };
  const auto integer = [&]<class S>(S) {
    using U = std::make_unsigned_t<S>;
    const ElementFn fn =
        cast.is_signed ? (cast.saturating ? truncate<S, float, true> : truncate<S, float, false>)
                       : (cast.saturating ? truncate<U, float, true> : truncate<U, float, false>);
    fn(args);
  };
  auto* bytes = reinterpret_cast<std::uint8_t*>(out);
  switch (cast.out) {
  case TypeKind::f16: encoded(reinterpret_cast<std::uint16_t*>(out), detail::format_f16, 0); return;
  case TypeKind::bf16:
    encoded(reinterpret_cast<std::uint16_t*>(out), detail::format_bf16, 0);
    return;
  case TypeKind::tf32:
    encoded(reinterpret_cast<std::uint32_t*>(out), detail::format_tf32, 13);
    return;
  case TypeKind::f8e4m3fn: encoded(bytes, detail::format_e4m3, 0); return;
  case TypeKind::f8e5m2: encoded(bytes, detail::format_e5m2, 0); return;
  case TypeKind::f4e2m1fn: encoded(bytes, detail::format_e2m1, 0); return;
  case TypeKind::f8e8m0fnu:
    for (std::size_t i = 0; i < n; ++i) bytes[i] = detail::encode_e8m0(in[i], rounding);
    return;
  case TypeKind::f64: convert<double, float>(args); return;
  case TypeKind::i1:
    truncate<std::uint8_t, float, false>(args);
    for (std::size_t i = 0; i < n; ++i) bytes[i] &= 1U;
    return;
  case TypeKind::i8: integer(std::int8_t{}); return;
  case TypeKind::i16: integer(std::int16_t{}); return;
  case TypeKind::i32: integer(std::int32_t{}); return;
  case TypeKind::i64: integer(std::int64_t{}); return;
  default: std::memcpy(out, in, n * sizeof(float)); return;
  }
}

/// ftof, itof and ftoi where one of the types is small: through f32.
bool small_cast(const ElementArgs& a) {
  const auto cast = std::bit_cast<SmallCast>(a.immediate);
  const auto in_size = static_cast<std::size_t>(ir::storage_bytes(cast.in));
  const auto out_size = static_cast<std::size_t>(ir::storage_bytes(cast.out));
  float wide[block];
  for (std::size_t i = 0; i < a.n; i += block) {
    const std::size_t n = a.n - i < block ? a.n - i : block;
    to_float(cast.in, cast.is_signed, a.in[0] + i * in_size, wide, n);
    from_float(cast, wide, a.out + i * out_size, n);
  }
  return true;
}

bool is_small(TypeKind kind) {
  return kind == TypeKind::tf32 || kind == TypeKind::f8e4m3fn || kind == TypeKind::f8e5m2 ||
         kind == TypeKind::f8e8m0fnu || kind == TypeKind::f4e2m1fn;
}

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

ElementFn cast_fn(const ElementKey& key) {
  const bool numeric = key.op == Op::ftof || key.op == Op::ftoi || key.op == Op::itof;
  if (numeric && (is_small(key.in) || is_small(key.out) || key.out == TypeKind::i1)) {
    const bool known = key.in != TypeKind::f8e5m3fnu && key.out != TypeKind::f8e5m3fnu;
    return known ? small_cast : nullptr;
  }
  switch (key.op) {
  case Op::ftof:
    return with_float(key.in, [&]<class From>(From) {
      return with_float(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::ftoi:
    return with_float(key.in, [&]<class From>(From) {
      return with_int(key.out, key.flag, [&]<class To>(To) -> ElementFn {
        return key.saturating ? truncate<To, From, true> : truncate<To, From, false>;
      });
    });
  case Op::itof:
    if (key.in == TypeKind::i1) {
      return with_float(key.out,
                        [&]<class To>(To) -> ElementFn { return convert<To, std::uint8_t>; });
    }
    return with_int(key.in, key.flag, [&]<class From>(From) {
      return with_float(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::exti:
    if (key.out == TypeKind::i4) // from i1
      return key.flag ? extend_i4<true> : extend_i4<false>;
    if (key.in == TypeKind::i1 || key.in == TypeKind::i4) {
      return with_unsigned(key.out, [&]<class To>(To) -> ElementFn {
        if (key.in == TypeKind::i1)
          return key.flag ? extend_bits<To, 1, true> : extend_bits<To, 1, false>;
        return key.flag ? extend_bits<To, 4, true> : extend_bits<To, 4, false>;
      });
    }
    return with_int(key.in, key.flag, [&]<class From>(From) {
      return with_int(key.out, key.flag,
                      []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  case Op::trunci:
    if (key.in == TypeKind::i4) return low_bits<std::uint8_t, 1>; // to i1
    return with_unsigned(key.in, [&]<class From>(From) -> ElementFn {
      if (key.out == TypeKind::i1) return low_bits<From, 1>;
      if (key.out == TypeKind::i4) return low_bits<From, 4>;
      return with_unsigned(key.out, []<class To>(To) -> ElementFn { return convert<To, From>; });
    });
  default: return nullptr;
  }
}
