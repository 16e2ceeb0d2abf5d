// Part of kernels.inl, inside its namespace: floats of 16 bits, and loops that widen them on the
// way.

using detail::FloatFormat;
using detail::Rounding;

template <class Storage, FloatFormat Format> struct Small {
  static constexpr FloatFormat format = Format;
  Storage bits;
};
struct Half : Small<std::uint16_t, detail::format_f16> {};
struct Brain : Small<std::uint16_t, detail::format_bf16> {};

constexpr std::size_t block = 256; // elements of small floats that are widened at a time

template <class S> void widen(const S* in, float* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = detail::decode(in[i].bits, S::format);
}
template <Rounding R = Rounding::nearest_even, class S>
void narrow(const float* in, S* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    out[i].bits = static_cast<decltype(out[i].bits)>(detail::encode(in[i], S::format, R));
}

#if defined(__F16C__)
void widen(const Half* in, float* out, std::size_t n) {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    _mm256_storeu_ps(out + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
  }
  widen<Half>(in + i, out + i, n - i);
}
void narrow(const float* in, Half* out, std::size_t n) {
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
  }
  narrow<Rounding::nearest_even, Half>(in + i, out + i, n - i);
}
#endif
void widen(const Brain* in, float* out, std::size_t n) {
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < n; ++i)
    out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(in[i].bits) << 16U);
}
void narrow(const float* in, Brain* out, std::size_t n) {
  CUTILE_VECTORISE
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(in[i]);
    const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
    const bool nan = (bits & 0x7fffffffU) > 0x7f800000U;
    out[i].bits = static_cast<std::uint16_t>(nan ? (bits >> 16U) | 0x40U : rounded);
  }
}

/// The processor rounds as `R` says while this lives.
template <Rounding R> class RoundingScope {
 public:
  RoundingScope() {
    std::fesetround(R == Rounding::zero           ? FE_TOWARDZERO
                    : R == Rounding::negative_inf ? FE_DOWNWARD
                                                  : FE_UPWARD);
  }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int before_ = std::fegetround();
};
template <> class RoundingScope<Rounding::nearest_even> {};

template <class T> inline constexpr bool is_small_float = requires { T::format; };
template <class T> using Wide = std::conditional_t<is_small_float<T>, float, T>;

/// Calls `f(n, out, in...)` on arrays of the wide types, block by block where elements must be
/// widened, while the processor rounds as `R` says.
template <Rounding R, class Out, class... In, class F>
bool apply_rounded(const ElementArgs& a, F f) {
  [[maybe_unused]] const RoundingScope<R> scope;
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    Out* out = reinterpret_cast<Out*>(a.out);
    if constexpr (!is_small_float<Out> && (!is_small_float<In> && ...)) {
      return f(a.n, out, reinterpret_cast<const In*>(a.in[I])...);
    } else {
      float wide_out[block];
      float wide_in[sizeof...(In)][block];
      for (std::size_t i = 0; i < a.n; i += block) {
        const std::size_t n = a.n - i < block ? a.n - i : block;
        const auto operand = [&]<class T>(const T* p, float* wide) {
          if constexpr (is_small_float<T>) {
            widen(p + i, wide, n);
            return static_cast<const float*>(wide);
          } else {
            return p + i;
          }
        };
        if constexpr (is_small_float<Out>) {
          f(n, wide_out, operand(reinterpret_cast<const In*>(a.in[I]), wide_in[I])...);
          if constexpr (R == Rounding::nearest_even) {
            narrow(wide_out, out + i, n);
          } else { // directed rounding twice is directed rounding once
            narrow<R, Out>(wide_out, out + i, n);
          }
        } else {
          f(n, out + i, operand(reinterpret_cast<const In*>(a.in[I]), wide_in[I])...);
        }
      }
      return true;
    }
  }(std::index_sequence_for<In...>{});
}
template <class Out, class... In, class F> bool apply(const ElementArgs& a, F f) {
  return apply_rounded<Rounding::nearest_even, Out, In...>(a, f);
}
