#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cutile/detail/launch_api.hpp"
#include "cutile/op.hpp"
#include "cutile/tensor.hpp"
#include "cutile/view.hpp"

namespace cutile {

namespace detail {

template <std::size_t N> struct FixedString {
  char text[N]{};
  constexpr FixedString(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
};

template <class T, class Axes> struct InOfRank;
template <class T, std::size_t... A> struct InOfRank<T, std::index_sequence<A...>> {
  using type = In<T, (static_cast<void>(A), dyn)...>;
};
template <class T, int Rank> using InOf =
    typename InOfRank<T, std::make_index_sequence<static_cast<std::size_t>(Rank)>>::type;

// What an argument of a launch is to the kernel (KernelType), how it is kept (Stored), and what is
// handed back (a tuple of one or none: Returned). A tensor given as an lvalue is `const Tensor<T,
// R>&`, everything else its plain type.
template <class A> struct Argument {
  static constexpr bool known = false;
};

struct TensorArgument {
  static constexpr bool known = true;
  template <class T, int R>
  static ArgValue describe(ArgKind kind, const Tensor<T, R>& t, const int* tile, SourceLoc at) {
    const TensorRef ref = t.ref("launch", at);
    return {.kind = kind,
            .dtype = dtype_of<T>,
            .position = 0,
            .rank = R,
            .blocks = 0,
            .storage = ref.storage,
            .extents = ref.extents.data(),
            .strides = ref.strides.data(),
            .tile = tile,
            .bits = 0};
  }
};

template <class T, int R> struct Argument<Tensor<T, R>> : TensorArgument {
  using KernelType = InOf<T, R>;
  using Stored = Tensor<T, R>;
  using Returned = std::tuple<Tensor<T, R>>;
  static constexpr bool borrows = false;
  static ArgValue value(const Stored& t, SourceLoc at) {
    return describe(ArgKind::in, t, nullptr, at);
  }
};
template <class T, int R> struct Argument<const Tensor<T, R>&> : TensorArgument {
  using KernelType = InOf<T, R>;
  struct Stored {
    const Tensor<T, R>* tensor;
    Stored(const Tensor<T, R>& t) : tensor(&t) {}
    operator const Tensor<T, R>&() const { return *tensor; }
  };
  using Returned = std::tuple<const Tensor<T, R>&>;
  static constexpr bool borrows = true;
  static ArgValue value(const Stored& t, SourceLoc at) {
    return describe(ArgKind::in, *t.tensor, nullptr, at);
  }
};
template <class T, int R> struct Argument<Shared<T, R>> : TensorArgument {
  using KernelType = InOf<T, R>;
  using Stored = Shared<T, R>;
  using Returned = std::tuple<Shared<T, R>>;
  static constexpr bool borrows = false;
  static ArgValue value(const Stored& t, SourceLoc at) {
    if (!t.valid()) moved_from("launch", at);
    return describe(ArgKind::in, *t, nullptr, at);
  }
};
template <class T, int... S> struct Argument<Partition<T, S...>> : TensorArgument {
  using KernelType = Out<T, S...>;
  using Stored = Partition<T, S...>;
  using Returned = std::tuple<Partition<T, S...>>;
  static constexpr bool borrows = false;
  static ArgValue value(const Stored& p, SourceLoc at) {
    return describe(ArgKind::out, p.tensor(), Shape<S...>::extents.data(), at);
  }
  static SourceLoc place(const Stored& p) { return p.at(); }
};
template <class T, int... S> struct Argument<BorrowedPartition<T, S...>> : TensorArgument {
  using KernelType = Out<T, S...>;
  using Stored = BorrowedPartition<T, S...>;
  using Returned = std::tuple<BorrowedPartition<T, S...>>;
  static constexpr bool borrows = true;
  static ArgValue value(const Stored& p, SourceLoc at) {
    return describe(ArgKind::out, p.tensor(), Shape<S...>::extents.data(), at);
  }
  static SourceLoc place(const Stored& p) { return p.at(); }
};
template <class T, int... S> struct Argument<MappedPartition<T, S...>> : TensorArgument {
  using KernelType = MappedOut<T, S...>;
  using Stored = MappedPartition<T, S...>;
  using Returned = std::tuple<MappedPartition<T, S...>>;
  static constexpr bool borrows = false;
  static ArgValue value(const Stored& p, SourceLoc at) {
    ArgValue v = describe(ArgKind::mapped_out, p.tensor(), Shape<S...>::extents.data(), at);
    v.blocks = p.blocks();
    return v;
  }
  static SourceLoc place(const Stored& p) { return p.at(); }
};
template <TensorElement T> struct Argument<T> {
  static constexpr bool known = true;
  static constexpr bool borrows = false;
  using Returned = std::tuple<>;
  using KernelType = Tile<T>;
  using Stored = T;
  static ArgValue value(const Stored& v, SourceLoc) {
    return {.kind = ArgKind::scalar, .dtype = dtype_of<T>, .bits = bits_of(v)};
  }
};
template <auto V> struct Argument<Constant<V>> {
  static constexpr bool known = true;
  static constexpr bool borrows = false;
  using Returned = std::tuple<>;
  using KernelType = Constant<V>;
  using Stored = Constant<V>;
};

template <class A> struct NormalArgument {
  using type = std::remove_cvref_t<A>;
};
template <class T, int R> struct NormalArgument<Tensor<T, R>&> {
  using type = const Tensor<T, R>&;
};
template <class T, int R> struct NormalArgument<const Tensor<T, R>&> {
  using type = const Tensor<T, R>&;
};
template <class A> using Normal = typename NormalArgument<A>::type;

template <class K> struct KernelArgument {
  static K make(int argument) { return K(TensorParam{static_cast<std::uint32_t>(argument)}); }
};
template <class T> struct KernelArgument<Tile<T>> {
  static Tile<T> make(int argument) { return Tile<T>(scalar_param(argument)); }
};
template <auto V> struct KernelArgument<Constant<V>> {
  static Constant<V> make(int) { return {}; }
};

template <class A> inline constexpr bool is_constant = false;
template <auto V> inline constexpr bool is_constant<Constant<V>> = true;

/// What an argument that the kernel does not take could have been: the same tensor with another
/// rank.
template <class F, std::size_t I, class Before, class K, class After> struct RankMismatch {
  static constexpr int expected = 0;
};
template <class F, std::size_t I, class... B, class T, int... D, class... A>
struct RankMismatch<F, I, std::tuple<B...>, In<T, D...>, std::tuple<A...>> {
  template <int R> static constexpr int try_rank() {
    if constexpr (R > 8) {
      return 0;
    } else if constexpr (R != static_cast<int>(sizeof...(D)) &&
                         std::is_invocable_v<F, B..., InOf<T, R>, A...>) {
      return R;
    } else {
      return try_rank<R + 1>();
    }
  }
  static constexpr int expected = try_rank<1>();
};

template <class F, class... K> struct SignatureCheck {
  template <std::size_t I> static constexpr int expected_rank() {
    return []<std::size_t... B, std::size_t... A>(std::index_sequence<B...>,
                                                  std::index_sequence<A...>) {
      using All = std::tuple<K...>;
      return RankMismatch<F, I, std::tuple<std::tuple_element_t<B, All>...>,
                          std::tuple_element_t<I, All>,
                          std::tuple<std::tuple_element_t<I + 1 + A, All>...>>::expected;
    }(std::make_index_sequence<I>{}, std::make_index_sequence<sizeof...(K) - 1 - I>{});
  }
  template <std::size_t I> static constexpr bool wrong_rank() {
    if constexpr (I < sizeof...(K)) {
      return expected_rank<I>() != 0;
    } else {
      return false;
    }
  }
  static constexpr bool ok() {
    if constexpr (!std::is_invocable_v<F, K...>) {
      static_assert(!wrong_rank<0>(), "launch: argument 1 has the wrong rank: the kernel takes a "
                                      "tensor with another number of axes");
      static_assert(!wrong_rank<1>(), "launch: argument 2 has the wrong rank: the kernel takes a "
                                      "tensor with another number of axes");
      static_assert(!wrong_rank<2>(), "launch: argument 3 has the wrong rank: the kernel takes a "
                                      "tensor with another number of axes");
      static_assert(!wrong_rank<3>(), "launch: argument 4 has the wrong rank: the kernel takes a "
                                      "tensor with another number of axes");
      static_assert(!wrong_rank<4>(), "launch: argument 5 has the wrong rank: the kernel takes a "
                                      "tensor with another number of axes");
      static_assert(!wrong_rank<5>(), "launch: argument 6 has the wrong rank: the kernel takes a "
                                      "tensor with another number of axes");
      constexpr bool rank_named = wrong_rank<0>() || wrong_rank<1>() || wrong_rank<2>() ||
                                  wrong_rank<3>() || wrong_rank<4>() || wrong_rank<5>();
      static_assert(rank_named || std::is_invocable_v<F, K...>,
                    "launch: the kernel's parameters do not take these arguments; compare them one "
                    "by one: a Partition<T, S...> is an "
                    "Out<T, S...>, a Tensor<T, R> is an In<T, ct::dyn, ...> with R extents, a "
                    "number is a ct::Scalar<T> of the same type");
      return false;
    }
    return true;
  }
};

template <class A> inline constexpr bool is_output = false;
template <class T, int... S> inline constexpr bool is_output<Out<T, S...>> = true;
template <class T, int... S> inline constexpr bool is_output<MappedOut<T, S...>> = true;

template <class A> inline constexpr bool is_lvalue_partition = false;
template <class T, int... S> inline constexpr bool is_lvalue_partition<Partition<T, S...>&> = true;
template <class T, int... S> inline constexpr bool is_lvalue_partition<MappedPartition<T, S...>&> =
    true;

/// Numbers of the arguments that exist at run time; constants have none.
template <class... K> constexpr std::array<int, sizeof...(K)> runtime_numbers() {
  std::array<int, sizeof...(K)> numbers{};
  int next = 0;
  std::size_t i = 0;
  ((numbers[i++] = is_constant<K> ? -1 : next++), ...);
  return numbers;
}

/// The kernel `F` with these parameter types: traces it, and owns its compiled forms.
template <FixedString Name, class F, class... K> struct Instance {
  static void trace() {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      F{}(KernelArgument<K>::make(runtime_numbers<K...>()[I])...);
    }(std::index_sequence_for<K...>{});
  }
  static KernelSite& site(SourceLoc at) {
    static KernelSite s{.name = Name.text, .at = at, .trace = &trace, .state{}};
    return s;
  }
};

template <class... A> using ReturnedTuple =
    decltype(std::tuple_cat(std::declval<typename Argument<A>::Returned>()...));

/// A launch that waits to be run. It keeps the arguments and holds their storages borrowed until
/// they are handed back.
template <class... A> class LaunchNode final : public Node<ReturnedTuple<A...>> {
 public:
  static constexpr std::size_t count =
      (0 + ... + (is_constant<typename Argument<A>::KernelType> ? 0 : 1));
  using Values = std::array<ArgValue, count>;

  LaunchNode(KernelSite& site, const Options& options, std::array<Borrow, count> borrows,
             SourceLoc at, typename Argument<A>::Stored&&... args)
      : site_(site), options_(options), at_(at), borrows_(std::move(borrows)),
        args_(std::move(args)...) {}

  template <class... Given> static Values describe(SourceLoc at, const Given&... args) {
    Values values{};
    std::size_t next = 0;
    std::uint8_t position = 0;
    const auto add = [&]<class Arg>(const auto& arg) {
      ++position;
      if constexpr (!is_constant<typename Arg::KernelType>) {
        values[next] = Arg::value(arg, at);
        values[next++].position = position;
      }
    };
    (add.template operator()<Argument<A>>(args), ...);
    return values;
  }

  ReturnedTuple<A...> run(Execution& execution) override {
    const Values values =
        std::apply([&](const auto&... args) { return describe(at_, args...); }, args_);
    launch(site_, options_, values, at_, execution);
    return release();
  }
  std::optional<ReturnedTuple<A...>> give_back() override { return release(); }

 private:
  ReturnedTuple<A...> release() {
    borrows_ = {};
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(one<A>(std::get<I>(args_))...);
    }(std::index_sequence_for<A...>{});
  }
  template <class Arg>
  static typename Argument<Arg>::Returned one(typename Argument<Arg>::Stored& stored) {
    if constexpr (std::is_same_v<typename Argument<Arg>::Returned, std::tuple<>>) {
      return {};
    } else {
      return typename Argument<Arg>::Returned(std::move(stored));
    }
  }

  KernelSite& site_;
  Options options_;
  SourceLoc at_;
  std::array<Borrow, count> borrows_;
  std::tuple<typename Argument<A>::Stored...> args_;
};

template <class A> void first_place(const auto& arg, SourceLoc& at) {
  if constexpr (requires { Argument<A>::place(arg); }) {
    if (at.line == 0) at = Argument<A>::place(arg);
  }
}

constexpr bool is_identifier(const char* name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (!letter(*name)) return false;
  for (; *name != 0; ++name) {
    if (!letter(*name) && !(*name >= '0' && *name <= '9')) return false;
  }
  return true;
}

} // namespace detail

/// A kernel: a lambda on tiles. Calling it with tensors gives a DeviceOp that launches it. The
/// arguments come back as a tuple, in order and in the form given; numbers and constants are
/// dropped.
///
/// | argument                                  | the lambda's parameter                       |
/// |-------------------------------------------|----------------------------------------------|
/// | `std::move(t).partition(ct::shape<S...>)` | `ct::Out<T, S...>`                           |
/// | `ct::mapped(std::move(t).partition(...))` | `ct::MappedOut<T, S...>`                     |
/// | `std::move(t)`, `t`, `ct::Shared`         | `ct::In<T, ct::dyn, ...>`, one `dyn` an axis |
/// | a number of type T                        | `ct::Scalar<T>`                              |
/// | `ct::constant<V>`                         | `ct::Constant<V>`                            |
template <detail::FixedString Name, class F> class Kernel {
  static_assert(std::is_empty_v<F>,
                "ct::kernel: the lambda must not capture; pass what it needs as arguments");
  static_assert(detail::is_identifier(Name.text),
                "ct::kernel: a name is letters, digits and _, and starts with a letter");

 public:
  constexpr Kernel(Options options, SourceLoc at) : options_(options), at_(at) {}

  /// Where it was made.
  [[nodiscard]] constexpr SourceLoc at() const { return at_; }
  /// The same kernel under other options.
  [[nodiscard]] constexpr Kernel with(Options options) const { return Kernel(options, at_); }

  template <class... A> auto operator()(A&&... args) const {
    static_assert(
        (!detail::is_lvalue_partition<A> && ...),
        "launch: a partition is given away; pass it with std::move (the launch hands it back)");
    static_assert(
        (detail::Argument<detail::Normal<A>>::known && ...),
        "launch: an argument is a partition, a tensor, a ct::Shared, a number or a ct::constant");
    if constexpr ((detail::Argument<detail::Normal<A>>::known && ...)) {
      static_assert(
          (detail::is_output<typename detail::Argument<detail::Normal<A>>::KernelType> || ...),
          "launch: a kernel needs at least one output; pass "
          "std::move(t).partition(ct::shape<...>)");
      constexpr bool ok =
          detail::SignatureCheck<F,
                                 typename detail::Argument<detail::Normal<A>>::KernelType...>::ok();
      if constexpr (ok) return build<detail::Normal<A>...>(std::forward<A>(args)...);
    }
  }

 private:
  template <class... A, class... Given> auto build(Given&&... args) const {
    using Node = detail::LaunchNode<A...>;
    SourceLoc at{};
    (detail::first_place<A>(args, at), ...);
    // Everything is checked before anything is moved, so that a refused launch leaves the caller's
    // variables as they were.
    const typename Node::Values values = Node::describe(at, args...);
    std::array<detail::Borrow, Node::count> borrows;
    detail::borrow_all(Name.text, values, borrows, at);
    auto node = std::make_unique<Node>(
        detail::Instance<Name, F, typename detail::Argument<A>::KernelType...>::site(at_), options_,
        std::move(borrows), at, typename detail::Argument<A>::Stored(std::forward<Given>(args))...);
    return DeviceOp<detail::ReturnedTuple<A...>, (detail::Argument<A>::borrows || ...)>(
        std::move(node));
  }
  Options options_;
  SourceLoc at_;
};

namespace detail {

/// The site of the kernel with these parameter types.
template <class... K, FixedString Name, class F>
KernelSite& site_of(const Kernel<Name, F>& kernel) {
  return Instance<Name, F, K...>::site(kernel.at());
}

/// Runs the kernel's lambda in the trace of this thread, for tools that make the trace themselves.
template <FixedString Name, class F, class... K>
void trace_body(const Kernel<Name, F>&, K... arguments) {
  F{}(arguments...);
}

} // namespace detail

/// Makes a kernel of a lambda without captures. The name appears in errors, dumps and profiles.
template <detail::FixedString Name, class F>
constexpr Kernel<Name, F> kernel(F, Options options = {}, SourceLoc at = SourceLoc::current()) {
  return Kernel<Name, F>(options, at);
}

} // namespace cutile
