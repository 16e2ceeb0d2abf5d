#pragma once

#include <bit>
#include <type_traits>

#include "cutile/detail/trace_api.hpp"
#include "cutile/shape.hpp"
#include "cutile/source_loc.hpp"
#include "cutile/types.hpp"

namespace cutile {

template <class T, int... S> class Tile;

/// Types whose tiles can be compared.
template <class T>
concept Comparable = NumberElement<T> || std::is_same_v<T, bool>;

/// A scalar of the kernel: a tile of rank 0. A kernel takes one where the caller passes a number.
template <class T> using Scalar = Tile<T>;

namespace detail {

template <Element T> constexpr std::uint64_t bits_of(T value) {
  if constexpr (requires { value.bits; }) {
    return value.bits;
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? 1 : 0;
  } else {
    return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
  }
}

template <int... S> inline constexpr int extents_of[sizeof...(S) + 1] = {S..., 0};

template <class T, int... S> constexpr TileType tile_type() {
  return {dtype_of<T>, std::span<const int>(extents_of<S...>, sizeof...(S))};
}

/// Numbers of the host that may stand beside a tile of T. bool only beside bool.
template <class N, class T>
concept HostScalarFor =
    (std::is_arithmetic_v<N> && std::is_same_v<T, bool> == std::is_same_v<N, bool>) ||
    (std::is_same_v<N, T> && Element<T>);

/// What may stand to the left of a tile of T and S...: a number, or a scalar tile beside a tile of
/// higher rank.
template <class N, class T, int... S>
concept LeftScalarFor = HostScalarFor<N, T> || (sizeof...(S) > 0 && std::is_same_v<N, Tile<T>>);

/// A host number as an element of T. Integers must fit: checked by the trace where they do not.
template <Element T, class N> constexpr T to_element(N value) {
  if constexpr (std::is_same_v<T, N>) {
    return value;
  } else if constexpr (std::is_same_v<T, i4>) {
    return i4(static_cast<int>(value));
  } else if constexpr (requires { T{}.bits; }) {
    return T(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

/// The right operand of an operator: a tile, a scalar tile or a number, with the place of the
/// expression. Operators cannot have defaulted arguments; a converting constructor can.
template <class T, int... S> struct Operand;

template <class> inline constexpr bool always_false = false;

} // namespace detail

/// An immutable value in registers, of a shape known at compile time: every extent is a power of
/// two, the product at most 2^24. Rank 0 is a scalar. A variable of this type may be assigned anew;
/// what a loop or branch assigns becomes loop-carried or a result of the branch. Exists only inside
/// a kernel.
template <class T, int... S> class [[nodiscard]] Tile {
  static_assert(
      Element<T>,
      "Tile<T, S...>: T must be bool, an integer of 8 to 64 bits, ct::f16, ct::bf16, float, "
      "double, or one of ct::tf32, ct::f8e4m3, ct::f8e5m2, ct::f8e8m0, ct::f4e2m1, ct::i4");
  static_assert(detail::CheckedShape<S...>::ok);

 public:
  using value_type = T;
  static constexpr int rank = sizeof...(S);

  explicit Tile(detail::Slot slot) : slot_(slot) {}
  Tile(const Tile& other) : slot_(detail::copy(other.slot_)) {}
  /// A scalar constant.
  template <detail::HostScalarFor<T> N>
    requires(sizeof...(S) == 0)
  Tile(N value, SourceLoc at = SourceLoc::current())
      : slot_(detail::constant(detail::tile_type<T>(),
                               detail::bits_of(detail::to_element<T>(value)), at)) {}
  Tile& operator=(const Tile& other) {
    detail::assign(slot_, other.slot_);
    return *this;
  }
  ~Tile() = default;

  [[nodiscard]] static constexpr Shape<S...> shape() { return {}; }
  [[nodiscard]] detail::Slot slot() const { return slot_; }

  template <class Never = void> explicit operator bool() const {
    static_assert(!std::is_same_v<Never, void>,
                  "a tile has no value while the kernel is traced, so a C++ if, while, &&, || or "
                  "?: cannot test it; use "
                  "ct::if_ or ct::while_ for a scalar condition, ct::select for one element by "
                  "element, and & | ! instead of && || !");
    return false;
  }

// Tile op anything; `Operand` says where.
#define CUTILE_RIGHT(op, expression, condition)                                                    \
  friend auto operator op(const Tile& a, detail::Operand<T, S...> b)                               \
    requires(condition)                                                                            \
  {                                                                                                \
    return expression;                                                                             \
  }
// The same, and number or scalar op tile.
#define CUTILE_OPERATOR(op, expression, condition)                                                 \
  CUTILE_RIGHT(op, expression, condition)                                                          \
  template <detail::LeftScalarFor<T, S...> N>                                                      \
  friend auto operator op(const N& scalar, detail::Operand<T, S...> b)                             \
    requires(condition)                                                                            \
  {                                                                                                \
    return detail::Operand<T, S...>(scalar, b.at).tile() op b;                                     \
  }
#define CUTILE_COMPARISON(fn)                                                                      \
  (Tile<bool, S...>(detail::compare(detail::CompareFn::fn, a.slot_, b.slot, dtype_of<T>, b.at)))
#define CUTILE_BINARY(op, fn, condition)                                                           \
  CUTILE_OPERATOR(op,                                                                              \
                  Tile(detail::binary(detail::BinaryFn::fn, a.slot_, b.slot, dtype_of<T>, b.at)),  \
                  condition)                                                                       \
  Tile& operator op##=(detail::Operand<T, S...> b)                                                 \
    requires(condition)                                                                            \
  {                                                                                                \
    return *this = *this op b.tile();                                                              \
  }
  CUTILE_BINARY(+, add, NumberElement<T>)
  CUTILE_BINARY(-, sub, NumberElement<T>)
  CUTILE_BINARY(*, mul, NumberElement<T>)
  /// Of integers: truncates; a division by zero is undefined on the GPU and an error on the CPU
  /// device.
  CUTILE_BINARY(/, div, NumberElement<T>)
  /// Sign of the left operand, as in C++.
  CUTILE_BINARY(%, rem, NumberElement<T>)
  CUTILE_BINARY(&, and_, std::is_integral_v<T>)
  CUTILE_BINARY(|, or_, std::is_integral_v<T>)
  CUTILE_BINARY(^, xor_, std::is_integral_v<T>)
  /// Amounts of at least the width give 0 (or the sign, for >> of signed integers).
  CUTILE_BINARY(<<, shl, IntElement<T>)
  CUTILE_BINARY(>>, shr, IntElement<T>)
  CUTILE_OPERATOR(<, CUTILE_COMPARISON(lt), Comparable<T>)
  CUTILE_OPERATOR(<=, CUTILE_COMPARISON(le), Comparable<T>)
  CUTILE_OPERATOR(>, CUTILE_COMPARISON(gt), Comparable<T>)
  CUTILE_OPERATOR(>=, CUTILE_COMPARISON(ge), Comparable<T>)
#undef CUTILE_COMPARISON
#undef CUTILE_BINARY
#undef CUTILE_OPERATOR
#undef CUTILE_RIGHT

  friend Tile operator-(detail::Operand<T, S...> x)
    requires NumberElement<T>
  {
    return Tile(detail::unary(detail::UnaryFn::neg, x.slot, dtype_of<T>, x.at));
  }
  // A member, which beats the built-in ! after a conversion to bool; so its place in the program
  // stays unknown.
  Tile operator!() const
    requires std::is_same_v<T, bool>
  {
    return Tile(detail::unary(detail::UnaryFn::not_, slot_, dtype_of<T>, SourceLoc{}));
  }
  friend Tile operator~(detail::Operand<T, S...> x)
    requires IntElement<T>
  {
    return Tile(detail::unary(detail::UnaryFn::not_, x.slot, dtype_of<T>, x.at));
  }

  /// A tile whose elements are all `value`.
  template <detail::HostScalarFor<T> N>
  static Tile full(N value, SourceLoc at = SourceLoc::current()) {
    return Tile(detail::constant(detail::tile_type<T, S...>(),
                                 detail::bits_of(detail::to_element<T>(value)), at));
  }

 private:
  detail::Slot slot_;
};

namespace detail {

template <class T, int... S> struct Operand {
  Slot slot;
  SourceLoc at;

  Operand(const Tile<T, S...>& x, SourceLoc loc = SourceLoc::current()) : slot(x.slot()), at(loc) {}
  /// A scalar beside a tile is repeated over it.
  template <class U>
    requires(sizeof...(S) > 0 && std::is_same_v<U, Tile<T>>)
  Operand(const U& scalar, SourceLoc loc = SourceLoc::current())
      : slot(broadcast(scalar.slot(), tile_type<T, S...>(), loc)), at(loc) {}
  template <HostScalarFor<T> N> Operand(N number, SourceLoc loc = SourceLoc::current())
      : slot(constant(tile_type<T, S...>(), bits_of(to_element<T>(number)), loc)), at(loc) {}

  [[nodiscard]] Tile<T, S...> tile() const { return Tile<T, S...>(slot); }
};

/// Bits of an element in a tile.
template <Element T> inline constexpr int element_bits =
    std::is_same_v<T, bool>                              ? 1
    : std::is_same_v<T, i4> || std::is_same_v<T, f4e2m1> ? 4
    : std::is_same_v<T, tf32>                            ? 19
                                                         : static_cast<int>(8 * sizeof(T));

template <class X> inline constexpr bool is_tile = false;
template <class T, int... S> inline constexpr bool is_tile<Tile<T, S...>> = true;

/// Shape of a tile without axis A.
template <class Done, int A, int... S> struct WithoutAxis;
template <int... D, int A, int First, int... Rest>
struct WithoutAxis<Shape<D...>, A, First, Rest...> {
  using type = typename WithoutAxis<Shape<D..., First>, A - 1, Rest...>::type;
};
template <int... D, int First, int... Rest> struct WithoutAxis<Shape<D...>, 0, First, Rest...> {
  using type = Shape<D..., Rest...>;
};
/// Shape of a tile with a new axis of extent 1 at A.
template <class Done, int A, int... S> struct Inserted;
template <int... D, int A, int First, int... Rest> struct Inserted<Shape<D...>, A, First, Rest...> {
  using type = typename Inserted<Shape<D..., First>, A - 1, Rest...>::type;
};
template <int... D, int... S> struct Inserted<Shape<D...>, 0, S...> {
  using type = Shape<D..., 1, S...>;
};
template <int... D, int First, int... Rest> struct Inserted<Shape<D...>, 0, First, Rest...> {
  using type = Shape<D..., 1, First, Rest...>;
};

template <class T, class S> struct TileOf;
template <class T, int... S> struct TileOf<T, Shape<S...>> {
  using type = Tile<T, S...>;
};

} // namespace detail

// == and != take their operands exactly as they are: C++20 also tries them exchanged, and would
// find a conversion on the other side just as good. So they do not know their place, and are given
// that of the operation before.
#define CUTILE_EQUALITY(op, fn)                                                                    \
  template <class T, int... S, class R>                                                            \
    requires(Comparable<T> &&                                                                      \
             std::is_constructible_v<detail::Operand<T, S...>, const R&, SourceLoc>)               \
  Tile<bool, S...> operator op(const Tile<T, S...>& a, const R & b) {                              \
    const detail::Operand<T, S...> right(b, SourceLoc{});                                          \
    return Tile<bool, S...>(                                                                       \
        detail::compare(detail::CompareFn::fn, a.slot(), right.slot, dtype_of<T>, SourceLoc{}));   \
  }                                                                                                \
  template <class T, int... S, detail::LeftScalarFor<T, S...> N>                                   \
  Tile<bool, S...> operator op(const N & a, const Tile<T, S...>& b) {                              \
    const detail::Operand<T, S...> left(a, SourceLoc{});                                           \
    return Tile<bool, S...>(                                                                       \
        detail::compare(detail::CompareFn::fn, left.slot, b.slot(), dtype_of<T>, SourceLoc{}));    \
  }
CUTILE_EQUALITY(==, eq)
CUTILE_EQUALITY(!=, ne)
#undef CUTILE_EQUALITY

/// The tile type with this element type and shape.
template <class T, class S> using TileOf = typename detail::TileOf<T, S>::type;

} // namespace cutile
