// Part of kernels.inl, inside its namespace: reductions, matrix products and transposes.

template <class T, class F> void reduce(std::byte* to, const std::byte* from, std::size_t outer,
                                        std::size_t extent, std::size_t inner) {
  using W = Wide<T>;
  const T* in = reinterpret_cast<const T*>(from);
  T* out = reinterpret_cast<T*>(to);
  constexpr std::size_t lanes = 64;
  const auto fetch = [](const T* p, W* wide, std::size_t n) -> const W* {
    if constexpr (is_small_float<T>) {
      widen(p, wide, n);
      return wide;
    } else {
      return p;
    }
  };
  const auto put = [](const W* wide, T* p, std::size_t n) {
    if constexpr (is_small_float<T>) {
      narrow(wide, p, n);
    } else {
      std::memcpy(p, wide, n * sizeof(T));
    }
  };
  W acc[lanes], wide[lanes];
  if (inner == 1) {
    for (std::size_t o = 0; o < outer; ++o, in += extent) {
      std::size_t width = extent < lanes ? extent : lanes;
      std::memcpy(acc, fetch(in, wide, width), width * sizeof(W));
      for (std::size_t i = lanes; i + lanes <= extent; i += lanes) { // extents are powers of two
        const W* x = fetch(in + i, wide, lanes);
        CUTILE_VECTORISE
        for (std::size_t l = 0; l < lanes; ++l) acc[l] = static_cast<W>(F{}(acc[l], x[l]));
      }
      for (; width > 1; width /= 2) {
        for (std::size_t l = 0; l < width / 2; ++l)
          acc[l] = static_cast<W>(F{}(acc[l], acc[l + width / 2]));
      }
      put(acc, out + o, 1);
    }
    return;
  }
  for (std::size_t o = 0; o < outer; ++o, in += extent * inner, out += inner) {
    for (std::size_t i = 0; i < inner; i += lanes) {
      const std::size_t width = inner - i < lanes ? inner - i : lanes;
      std::memcpy(acc, fetch(in + i, wide, width), width * sizeof(W));
      for (std::size_t e = 1; e < extent; ++e) {
        const W* x = fetch(in + e * inner + i, wide, width);
        CUTILE_VECTORISE
        for (std::size_t l = 0; l < width; ++l) acc[l] = static_cast<W>(F{}(acc[l], x[l]));
      }
      put(acc, out + i, width);
    }
  }
}

template <class T> ReduceFn float_reduce(Op op) {
  switch (op) {
  case Op::addf: return reduce<T, Add>;
  case Op::mulf: return reduce<T, Mul>;
  case Op::maxf: return reduce<T, Extreme<true, false>>;
  case Op::minf: return reduce<T, Extreme<false, false>>;
  default: return nullptr;
  }
}
template <class U> ReduceFn int_reduce(Op op, bool is_signed) {
  using S = std::make_signed_t<U>;
  switch (op) {
  case Op::addi: return reduce<U, AddInt>;
  case Op::muli: return reduce<U, MulInt>;
  case Op::maxi: return is_signed ? reduce<S, MaxInt> : reduce<U, MaxInt>;
  case Op::mini: return is_signed ? reduce<S, MinInt> : reduce<U, MinInt>;
  case Op::andi: return reduce<U, And>;
  case Op::ori: return reduce<U, Or>;
  case Op::xori: return reduce<U, Xor>;
  default: return nullptr;
  }
}

ReduceFn reduction(Op op, TypeKind type, bool is_signed) {
  switch (type) {
  case TypeKind::f16: return float_reduce<Half>(op);
  case TypeKind::bf16: return float_reduce<Brain>(op);
  case TypeKind::f32: return float_reduce<float>(op);
  case TypeKind::f64: return float_reduce<double>(op);
  case TypeKind::i1:
    return op == Op::andi || op == Op::ori || op == Op::xori ? int_reduce<std::uint8_t>(op, false)
                                                             : nullptr;
  case TypeKind::i8: return int_reduce<std::uint8_t>(op, is_signed);
  case TypeKind::i16: return int_reduce<std::uint16_t>(op, is_signed);
  case TypeKind::i32: return int_reduce<std::uint32_t>(op, is_signed);
  case TypeKind::i64: return int_reduce<std::uint64_t>(op, is_signed);
  default: return nullptr;
  }
}

template <class T>
void product(T* acc, const T* a, const T* b, std::int64_t m, std::int64_t n, std::int64_t k) {
  using Matrix = eigen::Matrix<T, eigen::Dynamic, eigen::Dynamic, eigen::RowMajor>;
  eigen::Map<Matrix>(acc, m, n).noalias() +=
      eigen::Map<const Matrix>(a, m, k) * eigen::Map<const Matrix>(b, k, n);
}

template <class T, class Acc> void matmul(std::byte* acc, const std::byte* a, const std::byte* b,
                                          std::int64_t m, std::int64_t n, std::int64_t k,
                                          float* scratch) {
  if constexpr (!is_small_float<T>) {
    product(reinterpret_cast<T*>(acc), reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b),
            m, n, k);
  } else {
    float* wide_a = scratch;
    float* wide_b = wide_a + m * k;
    widen(reinterpret_cast<const T*>(a), wide_a, static_cast<std::size_t>(m * k));
    widen(reinterpret_cast<const T*>(b), wide_b, static_cast<std::size_t>(k * n));
    if constexpr (std::is_same_v<Acc, float>) {
      product(reinterpret_cast<float*>(acc), wide_a, wide_b, m, n, k);
    } else {
      float* wide_acc = wide_b + k * n;
      widen(reinterpret_cast<const Acc*>(acc), wide_acc, static_cast<std::size_t>(m * n));
      product(wide_acc, wide_a, wide_b, m, n, k);
      narrow(wide_acc, reinterpret_cast<Acc*>(acc), static_cast<std::size_t>(m * n));
    }
  }
}

MatmulFn matmul_for(TypeKind operands, TypeKind accumulator) {
  const bool to_f16 = accumulator == TypeKind::f16;
  switch (operands) {
  case TypeKind::f64: return matmul<double, double>;
  case TypeKind::tf32: // an f32 whose last bits are 0
  case TypeKind::f32: return matmul<float, float>;
  case TypeKind::bf16: return matmul<Brain, float>;
  case TypeKind::f16: return to_f16 ? matmul<Half, Half> : matmul<Half, float>;
  case TypeKind::f8e4m3fn: return to_f16 ? matmul<E4m3, Half> : matmul<E4m3, float>;
  case TypeKind::f8e5m2: return to_f16 ? matmul<E5m2, Half> : matmul<E5m2, float>;
  default: return nullptr;
  }
}

void int_matmul(std::byte* acc, const std::byte* a, const std::byte* b, std::int64_t m,
                std::int64_t n, std::int64_t k, bool a_signed, bool b_signed, float* scratch) {
  auto* wide_a = reinterpret_cast<std::int32_t*>(scratch);
  std::int32_t* wide_b = wide_a + m * k;
  const auto spread = [](const std::byte* in, std::int32_t* out, std::int64_t count,
                         bool is_signed) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(in);
    CUTILE_VECTORISE
    for (std::int64_t i = 0; i < count; ++i)
      out[i] = is_signed ? static_cast<std::int8_t>(bytes[i]) : bytes[i];
  };
  spread(a, wide_a, m * k, a_signed);
  spread(b, wide_b, k * n, b_signed);
  // Unsigned, because sums wrap.
  product(reinterpret_cast<std::uint32_t*>(acc), reinterpret_cast<const std::uint32_t*>(wide_a),
          reinterpret_cast<const std::uint32_t*>(wide_b), m, n, k);
}

template <class S> void widen_bytes(const std::byte* in, float* out, std::size_t n) {
  widen(reinterpret_cast<const S*>(in), out, n);
}
void widen_e8m0(const std::byte* in, float* out, std::size_t n) {
  to_float(TypeKind::f8e8m0fnu, false, in, out, n);
}
WidenFn widen_for(TypeKind kind) {
  switch (kind) {
  case TypeKind::f8e4m3fn: return widen_bytes<E4m3>;
  case TypeKind::f8e5m2: return widen_bytes<E5m2>;
  case TypeKind::f4e2m1fn: return widen_bytes<E2m1>;
  case TypeKind::f8e8m0fnu: return widen_e8m0;
  default: return nullptr;
  }
}

template <class T>
void transpose_of(std::byte* to, const std::byte* from, std::size_t m, std::size_t n) {
  using Matrix = eigen::Matrix<T, eigen::Dynamic, eigen::Dynamic, eigen::RowMajor>;
  const auto rows = static_cast<eigen::Index>(m), columns = static_cast<eigen::Index>(n);
  eigen::Map<Matrix>(reinterpret_cast<T*>(to), columns, rows) =
      eigen::Map<const Matrix>(reinterpret_cast<const T*>(from), rows, columns).transpose();
}
void transpose(std::byte* to, const std::byte* from, std::size_t m, std::size_t n,
               std::size_t size) {
  switch (size) {
  case 1: transpose_of<std::uint8_t>(to, from, m, n); return;
  case 2: transpose_of<std::uint16_t>(to, from, m, n); return;
  case 4: transpose_of<std::uint32_t>(to, from, m, n); return;
  default: transpose_of<std::uint64_t>(to, from, m, n); return;
  }
}
