#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cutile/device.hpp"
#include "cutile/error.hpp"

namespace cutile {

namespace detail {

/// The streams that a running operation has put work on.
class Execution {
 public:
  void used(Device device) {
    if (device.is_cuda()) device_ = device.index();
  }
  /// Waits for all of it.
  void wait() const {
    if (device_ >= 0) synchronize(Device::cuda(device_));
  }

 private:
  int device_ = -1;
};

/// The work behind a DeviceOp<R>.
template <class R> class Node {
 public:
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;
  /// Puts the work on its stream. The value may be used by work after it on that stream, and by the
  /// host once that waited.
  virtual R run(Execution& execution) = 0;
  /// What went in, after a failed run; nothing where that is not of type R.
  virtual std::optional<R> give_back() { return std::nullopt; }
};

template <class R, class F> class FunctionNode final : public Node<R> {
 public:
  explicit FunctionNode(F function) : function_(std::move(function)) {}
  R run(Execution& execution) override { return function_(execution); }

 private:
  F function_;
};

template <class X> inline constexpr bool is_tuple = false;
template <class... X> inline constexpr bool is_tuple<std::tuple<X...>> = true;

template <class F, class R> decltype(auto) call_with(F& f, R&& value) {
  if constexpr (is_tuple<std::remove_cvref_t<R>>) {
    return std::apply(f, std::forward<R>(value));
  } else {
    return f(std::forward<R>(value));
  }
}

} // namespace detail

/// Result of `try_sync`: a value; or a failure, and then the arguments, where they are of the
/// operation's own type.
template <class R> class [[nodiscard]] Outcome : public Result<R> {
 public:
  Outcome(R value) : Result<R>(std::move(value)) {}
  Outcome(Failure failure, std::optional<R> arguments)
      : Result<R>(std::move(failure)), arguments_(std::move(arguments)) {}
  /// After a failed launch: everything that went in, so that nothing is lost.
  [[nodiscard]] std::optional<R>& arguments() { return arguments_; }

 private:
  std::optional<R> arguments_;
};

/// Lazy work that will give an R: nothing happens until `sync()`. An operation that borrows from
/// variables of its caller
/// (`Borrows`) can only be synchronised: it must not outlive them.
template <class R, bool Borrows = false> class [[nodiscard]] DeviceOp {
 public:
  using value_type = R;

  explicit DeviceOp(std::unique_ptr<detail::Node<R>> node) : node_(std::move(node)) {}
  /// An operation from a function of detail::Execution&.
  template <class F> static DeviceOp from(F function) {
    return DeviceOp(std::make_unique<detail::FunctionNode<R, F>>(std::move(function)));
  }

  /// Runs the operation, waits for it and gives its value. Throws UsageError or DeviceError.
  R sync() && {
    detail::Execution execution;
    R value = node().run(execution);
    execution.wait();
    node_.reset();
    return value;
  }
  /// As `sync`, but gives a failure, and the arguments with it, instead of throwing.
  Outcome<R> try_sync() && {
    std::optional<R> value;
    try {
      detail::Execution execution;
      value.emplace(node().run(execution));
      execution.wait();
      node_.reset();
      return Outcome<R>(std::move(*value));
    } catch (const Error& e) {
      std::optional<R> arguments = value   ? std::move(value)
                                   : node_ ? node_->give_back()
                                           : std::nullopt;
      return Outcome<R>(Failure{e.fault(), e.what()}, std::move(arguments));
    }
  }
  R sync() & = delete; // an operation runs once: write std::move(op).sync()
  Outcome<R> try_sync() & = delete;

  /// Work that follows on the same stream: `next` takes this operation's value (the elements of a
  /// tuple one by one) and returns the operation to run then. The host does not wait in between.
  template <class F> auto then(F next) && {
    static_assert(!Borrows, "then: this operation borrows its arguments (const Tensor& or "
                            "borrow_mut()), so it can only be "
                            "sync()ed; move the tensors in, or pass ct::Shared, to chain it");
    using Next = decltype(detail::call_with(next, std::declval<R>()));
    using U = typename Next::value_type;
    return DeviceOp<U>::from([first = std::move(*this),
                              next = std::move(next)](detail::Execution& execution) mutable -> U {
      return detail::call_with(next, first.node().run(execution)).node().run(execution);
    });
  }
  template <class F> auto then(F next) & = delete; // write std::move(op).then(...)

  [[nodiscard]] detail::Node<R>& node() {
    if (node_ == nullptr)
      throw UsageError("this operation has run already, or was moved from; build it again");
    return *node_;
  }

 private:
  std::unique_ptr<detail::Node<R>> node_;
};

/// An operation that gives `value` at once.
template <class R> DeviceOp<R> value(R v) {
  return DeviceOp<R>::from([v = std::move(v)](detail::Execution&) mutable { return std::move(v); });
}

} // namespace cutile
