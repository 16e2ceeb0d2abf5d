#include "cpu/atomics.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cutile/types.hpp"

namespace cutile::cpu {
namespace {

template <std::size_t Size> using Bits =
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>;

template <class T, class F>
void update(std::byte* address, const std::byte* operand, std::byte* old) {
  using U = Bits<sizeof(T)>;
  const std::atomic_ref<U> memory(*reinterpret_cast<U*>(address));
  T value;
  std::memcpy(&value, operand, sizeof value);
  U before = memory.load();
  while (!memory.compare_exchange_weak(before,
                                       std::bit_cast<U>(F{}(std::bit_cast<T>(before), value)))) {
  }
  std::memcpy(old, &before, sizeof before);
}

struct Add {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
      return T(static_cast<float>(a) + static_cast<float>(b));
    } else {
      return a + b;
    }
  }
};
struct And {
  template <class T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <class T> T operator()(T a, T b) const { return a | b; }
};
struct Xor {
  template <class T> T operator()(T a, T b) const { return a ^ b; }
};
struct Max {
  template <class T> T operator()(T a, T b) const { return std::max(a, b); }
};
struct Min {
  template <class T> T operator()(T a, T b) const { return std::min(a, b); }
};
struct Exchange {
  template <class T> T operator()(T, T b) const { return b; }
};

template <class U> AtomicFn integer(ir::AtomicMode mode) {
  using S = std::make_signed_t<U>;
  using M = ir::AtomicMode;
  switch (mode) {
  case M::and_: return update<U, And>;
  case M::or_: return update<U, Or>;
  case M::xor_: return update<U, Xor>;
  case M::add: return update<U, Add>;
  case M::max: return update<S, Max>;
  case M::min: return update<S, Min>;
  case M::umax: return update<U, Max>;
  case M::umin: return update<U, Min>;
  case M::xchg: return update<U, Exchange>;
  case M::addf: return nullptr;
  }
  return nullptr;
}
template <class T> AtomicFn floating(ir::AtomicMode mode) {
  if (mode == ir::AtomicMode::addf) return update<T, Add>;
  if (mode == ir::AtomicMode::xchg) return update<T, Exchange>;
  return nullptr;
}

} // namespace

AtomicFn atomic_update(ir::AtomicMode mode, ir::TypeKind kind) {
  switch (kind) {
  case ir::TypeKind::i32: return integer<std::uint32_t>(mode);
  case ir::TypeKind::i64: return integer<std::uint64_t>(mode);
  case ir::TypeKind::f16: return floating<f16>(mode);
  case ir::TypeKind::bf16: return floating<bf16>(mode);
  case ir::TypeKind::f32: return floating<float>(mode);
  case ir::TypeKind::f64: return floating<double>(mode);
  default: return nullptr;
  }
}

void atomic_compare_exchange(std::byte* address, const std::byte* expected, const std::byte* value,
                             std::byte* old, std::size_t size) {
  const auto exchange = [&]<class U>(U before) {
    U wanted;
    std::memcpy(&before, expected, sizeof before);
    std::memcpy(&wanted, value, sizeof wanted);
    const std::atomic_ref<U> memory(*reinterpret_cast<U*>(address));
    memory.compare_exchange_strong(before, wanted); // on failure, `before` is what stands there
    std::memcpy(old, &before, sizeof before);
  };
  if (size == 4) {
    exchange(std::uint32_t{});
  } else {
    exchange(std::uint64_t{});
  }
}

} // namespace cutile::cpu
