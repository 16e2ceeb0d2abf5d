#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace cutile {

/// Whose fault an error is.
enum class Fault {
  usage,    ///< the caller's: wrong argument, misuse of a tensor, ill-formed kernel
  device,   ///< the driver's, the compiler's, the memory's or the file system's
  internal, ///< ours; please report it
};

/// Base of everything that cutile throws. The message says what, where, why and what to do.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& message) : std::runtime_error(message), fault_(fault) {}
  [[nodiscard]] Fault fault() const noexcept { return fault_; }

 private:
  Fault fault_;
};

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(Fault::usage, message) {}
};

class DeviceError : public Error {
 public:
  explicit DeviceError(const std::string& message) : Error(Fault::device, message) {}
};

class InternalError : public Error {
 public:
  explicit InternalError(const std::string& message) : Error(Fault::internal, message) {}
};

/// Throws the class that belongs to `fault`.
[[noreturn]] inline void raise(Fault fault, const std::string& message) {
  switch (fault) {
  case Fault::usage: throw UsageError(message);
  case Fault::device: throw DeviceError(message);
  case Fault::internal: break;
  }
  throw InternalError(message);
}

/// What a `Result` holds instead of a value.
struct Failure {
  Fault fault;
  std::string message;
};

[[nodiscard]] inline Failure usage_failure(std::string message) {
  return {Fault::usage, std::move(message)};
}
[[nodiscard]] inline Failure device_failure(std::string message) {
  return {Fault::device, std::move(message)};
}
[[nodiscard]] inline Failure internal_failure(std::string message) {
  return {Fault::internal, std::move(message)};
}

/// A value or a `Failure`. Every throwing entry point has a twin that returns one.
template <class T = void> class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// The value; throws the typed error when there is none.
  T& value() & {
    require();
    return std::get<0>(state_);
  }
  const T& value() const& {
    require();
    return std::get<0>(state_);
  }
  T&& value() && {
    require();
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The failure; only when there is no value.
  [[nodiscard]] const Failure& failure() const { return std::get<1>(state_); }

 private:
  void require() const {
    if (!has_value()) raise(failure().fault, failure().message);
  }
  std::variant<T, Failure> state_;
};

template <> class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Failure failure) : failure_(std::move(failure)), failed_(true) {}

  [[nodiscard]] bool has_value() const noexcept { return !failed_; }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const {
    if (failed_) raise(failure_.fault, failure_.message);
  }
  [[nodiscard]] const Failure& failure() const { return failure_; }

 private:
  Failure failure_{Fault::internal, {}};
  bool failed_ = false;
};

} // namespace cutile
