#pragma once

#include <array>
#include <cstdio>
#include <exception>
#include <type_traits>
#include <utility>

#include "cutile/tile.hpp"

// Control flow of the kernel. A C++ `if` or `for` over host values runs while the kernel is traced
// (so a host `int` loop is unrolled); control that depends on tiles is written with what stands
// here. Bodies run exactly once, to be recorded.

namespace cutile {

/// An index or bound inside a kernel.
using Index = Tile<std::int32_t>;

/// The integers from `lower` towards `upper`, which is not among them, in steps of `step`, to
/// iterate over with a range-based for. It becomes one counted loop on the device. The body must
/// run to its end: C++ break, return or throw out of it is an error.
class [[nodiscard]] Range {
 public:
  Range(const Index& lower, const Index& upper, const Index& step, SourceLoc at)
      : lower_(lower.slot()), upper_(upper.slot()), step_(step.slot()), at_(at) {}
  /// Downwards: the device counts rounds.
  struct Down {
    int step; ///< below 0
  };
  Range(const Index& lower, const Index& upper, Down down, SourceLoc at)
      : lower_(Index(0, at).slot()),
        upper_(((lower - upper + (-down.step - 1)) / -down.step).slot()),
        step_(Index(1, at).slot()), at_(at), from_(lower.slot()), down_(down.step) {}
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range() {
    if (open_) detail::abandon_for(at_);
  }

  struct End {};
  class Iterator {
   public:
    explicit Iterator(Range& range) : range_(range) {}
    Index operator*() const {
      const Index i(detail::copy(range_.variable_));
      return range_.down_ == 0 ? i : Index(range_.from_) + i * range_.down_;
    }
    Iterator& operator++() {
      range_.close();
      return *this;
    }
    bool operator!=(End) const { return range_.open_; }

   private:
    Range& range_;
  };
  Iterator begin() {
    variable_ = detail::begin_for(lower_, upper_, step_, at_);
    open_ = true;
    return Iterator(*this);
  }
  static End end() { return {}; }

 private:
  void close() {
    open_ = false;
    detail::end_for(at_);
  }
  detail::Slot lower_, upper_, step_, variable_;
  SourceLoc at_;
  detail::Slot from_{};
  int down_ = 0; ///< the step of a range downwards
  bool open_ = false;
};

/// A step that is known when the kernel is traced may be negative: `ct::range(n - 1, -1, -1)`.
inline Range range(const Index& lower, const Index& upper, int step,
                   SourceLoc at = SourceLoc::current()) {
  if (step < 0) return Range(lower, upper, Range::Down{step}, at);
  return Range(lower, upper, Index(step, at), at);
}
/// A step that is a tile must be positive.
inline Range range(const Index& lower, const Index& upper, const Index& step,
                   SourceLoc at = SourceLoc::current()) {
  return Range(lower, upper, step, at);
}
inline Range range(const Index& lower, const Index& upper, SourceLoc at = SourceLoc::current()) {
  return Range(lower, upper, Index(1, at), at);
}
inline Range range(const Index& upper, SourceLoc at = SourceLoc::current()) {
  return Range(Index(0, at), upper, Index(1, at), at);
}

namespace detail {

/// Closes the regions opened since it was made when an exception leaves.
class RegionGuard {
 public:
  RegionGuard() : depth_(region_depth()), exceptions_(std::uncaught_exceptions()) {}
  RegionGuard(const RegionGuard&) = delete;
  RegionGuard& operator=(const RegionGuard&) = delete;
  ~RegionGuard() {
    if (std::uncaught_exceptions() > exceptions_) close_regions(depth_);
  }

 private:
  std::uint32_t depth_;
  int exceptions_;
};

template <class T, int... S> Slot declare_like(const Tile<T, S...>*) {
  return declare(tile_type<T, S...>());
}

} // namespace detail

/// Runs `then` where `condition` holds. Tile variables that it assigns have the new value
/// afterwards.
template <class Then>
void if_(const Tile<bool>& condition, Then then, SourceLoc at = SourceLoc::current()) {
  static_assert(std::is_invocable_r_v<void, Then>, "ct::if_: the body takes no arguments");
  const detail::RegionGuard guard;
  detail::begin_if(condition.slot(), at);
  then();
  detail::end_if();
}

/// Runs `then` where `condition` holds, else `otherwise`. Where both return a tile of one type,
/// that is the value of `if_`.
template <class Then, class Else> auto if_(const Tile<bool>& condition, Then then, Else otherwise,
                                           SourceLoc at = SourceLoc::current()) {
  using R = std::invoke_result_t<Then>;
  static_assert(std::is_same_v<R, std::invoke_result_t<Else>>,
                "ct::if_: both branches must return the same tile type, or nothing");
  const detail::RegionGuard guard;
  if constexpr (std::is_void_v<R>) {
    detail::begin_if(condition.slot(), at);
    then();
    detail::begin_else();
    otherwise();
    detail::end_if();
  } else {
    static_assert(detail::is_tile<R>, "ct::if_: a branch returns a tile or nothing");
    const detail::Slot result = detail::declare_like(static_cast<const R*>(nullptr));
    detail::begin_if(condition.slot(), at);
    detail::assign(result, then().slot());
    detail::begin_else();
    detail::assign(result, otherwise().slot());
    detail::end_if();
    return R(result);
  }
}

/// Repeats `body` until it executes `ct::break_()`.
template <class Body> void loop(Body body, SourceLoc at = SourceLoc::current()) {
  const detail::RegionGuard guard;
  detail::begin_loop(at);
  body();
  detail::end_loop();
}

/// Repeats `body` while `condition()`, a `Tile<bool>` of rank 0, holds.
template <class Condition, class Body>
void while_(Condition condition, Body body, SourceLoc at = SourceLoc::current()) {
  static_assert(std::is_same_v<std::invoke_result_t<Condition>, Tile<bool>>,
                "ct::while_: the condition is a function that returns a Tile<bool> of rank 0, "
                "evaluated before each round");
  const detail::RegionGuard guard;
  detail::begin_loop(at);
  detail::leave_unless(condition().slot(), at);
  body();
  detail::end_loop();
}

/// Leaves the innermost ct::loop or ct::while_; use inside ct::if_.
inline void break_(SourceLoc at = SourceLoc::current()) { detail::break_loop(at); }
/// Goes to the next round of the innermost loop; use inside ct::if_.
inline void continue_(SourceLoc at = SourceLoc::current()) { detail::continue_loop(at); }

/// Ends the work of this tile block; use inside ct::if_, not inside a counted loop. In ct::loop and
/// ct::while_ from Tile IR 13.4 on.
inline void return_(SourceLoc at = SourceLoc::current()) { detail::return_kernel(at); }

/// Number of this tile block along grid axis 0, 1 or 2.
template <int A> Index block_id(Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(A < 3, "ct::block_id: a grid has 3 axes");
  return Index(detail::block_id(A, at));
}
/// Tile blocks along grid axis 0, 1 or 2.
template <int A> Index grid_size(Axis<A>, SourceLoc at = SourceLoc::current()) {
  static_assert(A < 3, "ct::grid_size: a grid has 3 axes");
  return Index(detail::grid_size(A, at));
}

/// Fails the launch with `message` if any element of `condition` is false. `message` must be a
/// literal.
template <int... S> void device_assert(const Tile<bool, S...>& condition, const char* message,
                                       SourceLoc at = SourceLoc::current()) {
  detail::device_assert(condition.slot(), message, at);
}

/// Prints when the kernel runs: `format` as of printf, with a conversion (%d, %8.3f, ...) for each
/// tile; all elements of a tile of rank 1 and more are printed. For debugging: it is slow, and
/// texts of different blocks come in any order. `format` must be a literal. Tile IR: print_tko.
template <class... T> void print(const char* format, const T&... tiles) {
  static_assert((detail::is_tile<T> && ...), "ct::print: what is printed are tiles");
  const std::array<detail::Slot, sizeof...(T)> slots{tiles.slot()...};
  detail::print(format, slots, {});
}
/// Prints once, while the kernel is traced.
inline void static_print(const char* text) { std::fputs(text, stderr); }

} // namespace cutile
