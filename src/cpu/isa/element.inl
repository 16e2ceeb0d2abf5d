// Part of kernels.inl, inside its namespace: element-wise kernels.

template <class T, class F, Rounding R = Rounding::nearest_even> bool unary(const ElementArgs& a) {
  return apply_rounded<R, T, T>(a, [](std::size_t n, auto* out, const auto* x) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i]);
    return true;
  });
}
template <class T, class F, Rounding R = Rounding::nearest_even> bool binary(const ElementArgs& a) {
  return apply_rounded<R, T, T, T>(a, [](std::size_t n, auto* out, const auto* x, const auto* y) {
    CUTILE_VECTORISE
    for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i], y[i]);
    return true;
  });
}
template <class T, class F, Rounding R = Rounding::nearest_even>
bool ternary(const ElementArgs& a) {
  return apply_rounded<R, T, T, T, T>(
      a, [](std::size_t n, auto* out, const auto* x, const auto* y, const auto* z) {
        CUTILE_VECTORISE
        for (std::size_t i = 0; i < n; ++i) out[i] = F{}(x[i], y[i], z[i]);
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

template <class T> bool select(const ElementArgs& a) {
  const auto* c = reinterpret_cast<const std::uint8_t*>(a.in[0]);
  const T* x = reinterpret_cast<const T*>(a.in[1]);
  const T* y = reinterpret_cast<const T*>(a.in[2]);
  T* out = reinterpret_cast<T*>(a.out);
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < a.n; ++i) out[i] = c[i] != 0 ? x[i] : y[i];
  return true;
}
/// ptr + offset, counted in pointees.
template <class Index> bool offset(const ElementArgs& a) {
  const auto* pointer = reinterpret_cast<const std::uint64_t*>(a.in[0]);
  const auto* index = reinterpret_cast<const Index*>(a.in[1]);
  auto* out = reinterpret_cast<std::uint64_t*>(a.out);
  const auto size = static_cast<std::uint64_t>(a.immediate);
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < a.n; ++i)
    out[i] = pointer[i] + static_cast<std::uint64_t>(static_cast<std::int64_t>(index[i])) * size;
  return true;
}
/// x to an integer power.
template <class T, class Int> bool power(const ElementArgs& a) {
  return apply<T, T, Int>(a, [](std::size_t n, auto* out, const auto* x, const Int* y) {
    using W = std::remove_pointer_t<decltype(out)>;
    for (std::size_t i = 0; i < n; ++i)
      out[i] = static_cast<W>(std::pow(static_cast<double>(x[i]), static_cast<double>(y[i])));
    return true;
  });
}
template <std::size_t Size> bool copy(const ElementArgs& a) {
  std::memmove(a.out, a.in[0], a.n * Size);
  return true;
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
