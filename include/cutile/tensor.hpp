#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cutile/detail/storage.hpp"
#include "cutile/device.hpp"
#include "cutile/op.hpp"
#include "cutile/shape.hpp"
#include "cutile/tile.hpp"
#include "cutile/types.hpp"

#if defined(__clang__)
#define CUTILE_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define CUTILE_LIFETIMEBOUND
#endif

namespace cutile {

template <class T, int... S> class Partition;
template <class T, int... S> class BorrowedPartition;
template <class T, int Rank> class MutBorrow;
template <class T, int Rank> class Shared;

/// Owns device memory of elements T with `Rank` axes; extents and strides are 64-bit, in elements,
/// axis 0 outermost. Move-only: a kernel takes it and hands it back. Use of a moved-from tensor is
/// a UsageError that says so.
template <class T, int Rank> class [[nodiscard]] Tensor {
  static_assert(TensorElement<T>,
                "Tensor<T, Rank>: T must be bool, an integer of 8 to 64 bits, ct::f16, "
                "ct::bf16, float or double");
  static_assert(
      Rank >= 1 && Rank <= 8,
      "Tensor<T, Rank>: the rank must be 1 to 8; a single number is a tensor of extent 1");

 public:
  using value_type = T;
  static constexpr int rank = Rank;
  using Extents = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;

  /// Made by zeros, full, from_vector, load_npy, ... ; this constructor is theirs.
  Tensor(detail::StorageRef storage, const Extents& extents)
      : storage_(std::move(storage)), extents_(extents) {
    std::uint64_t stride = 1; // of an empty tensor it may wrap, and is not used
    for (int a = Rank; a-- > 0;) {
      const auto axis = static_cast<std::size_t>(a);
      strides_[axis] = static_cast<std::int64_t>(stride);
      stride *= static_cast<std::uint64_t>(extents_[axis]);
    }
  }
  Tensor(Tensor&&) noexcept = default;
  Tensor& operator=(Tensor&&) noexcept = default;
  Tensor(const Tensor&) = delete; // use copy() for new memory or share() for many readers
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() = default;

  [[nodiscard]] const Extents& extents() const { return extents_; }
  [[nodiscard]] std::int64_t extent(int axis) const {
    return extents_.at(static_cast<std::size_t>(axis));
  }
  [[nodiscard]] const Extents& strides() const { return strides_; }
  /// Number of elements.
  [[nodiscard]] std::int64_t size() const { return detail::element_count(extents_); }
  [[nodiscard]] Device device(SourceLoc at = SourceLoc::current()) const {
    return detail::device_of(*require("device", at));
  }
  /// False once moved from.
  [[nodiscard]] bool valid() const { return storage_ != nullptr; }

  /// The elements, row-major. Waits for the device.
  [[nodiscard]] std::vector<T> to_vector(SourceLoc at = SourceLoc::current()) const {
    if constexpr (std::is_same_v<T, bool>) {
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size()));
      detail::download(ref("to_vector", at), bytes.data());
      return {bytes.begin(), bytes.end()};
    } else {
      std::vector<T> out(static_cast<std::size_t>(size()));
      detail::download(ref("to_vector", at), out.data());
      return out;
    }
  }
  /// A copy on `device`.
  [[nodiscard]] DeviceOp<Tensor> to(Device device, SourceLoc at = SourceLoc::current()) const {
    require("to", at);
    return DeviceOp<Tensor>::from(
        [storage = storage_, extents = extents_, strides = strides_, device](detail::Execution& e) {
          return Tensor(detail::copy_to({&storage, 0, dtype_of<T>, extents, strides}, device, e),
                        extents);
        });
  }
  /// A copy on the same device.
  [[nodiscard]] DeviceOp<Tensor> copy(SourceLoc at = SourceLoc::current()) const {
    return to(device(at), at);
  }

  /// Cuts the tensor into pieces of this shape, one per tile block; the last piece of an axis may
  /// stick out.
  template <int... S>
  [[nodiscard]] Partition<T, S...> partition(Shape<S...>, SourceLoc at = SourceLoc::current()) && {
    static_assert(sizeof...(S) == Rank, "partition: give one extent for each axis of the tensor");
    require("partition", at);
    return Partition<T, S...>(std::move(*this), at);
  }
  template <int... S> void partition(Shape<S...>) & =
      delete; // write std::move(t).partition(...), or t.borrow_mut().partition(...)

  /// Lends the tensor for one launch that writes it and is sync()ed at once.
  [[nodiscard]] MutBorrow<T, Rank>
      borrow_mut(SourceLoc at = SourceLoc::current()) & CUTILE_LIFETIMEBOUND {
    require("borrow_mut", at);
    return MutBorrow<T, Rank>(*this);
  }
  /// Makes the tensor readable by many operations at once.
  [[nodiscard]] Shared<T, Rank> share(SourceLoc at = SourceLoc::current()) && {
    require("share", at);
    return Shared<T, Rank>(std::move(*this));
  }

  // For the runtime.
  [[nodiscard]] detail::TensorRef ref(const char* what, SourceLoc at) const {
    require(what, at);
    return {&storage_, 0, dtype_of<T>, extents_, strides_};
  }

 private:
  const detail::StorageRef& require(const char* what, SourceLoc at) const {
    if (storage_ == nullptr) detail::moved_from(what, at);
    return storage_;
  }
  detail::StorageRef storage_;
  Extents extents_{};
  Extents strides_{};
};

/// A tensor that any number of operations may read at once; copies refer to the same memory.
template <class T, int Rank> class [[nodiscard]] Shared {
 public:
  explicit Shared(Tensor<T, Rank>&& tensor)
      : tensor_(std::make_shared<const Tensor<T, Rank>>(std::move(tensor))) {}
  [[nodiscard]] const Tensor<T, Rank>& operator*() const { return *tensor_; }
  [[nodiscard]] const Tensor<T, Rank>* operator->() const { return tensor_.get(); }
  [[nodiscard]] bool valid() const { return tensor_ != nullptr; }

 private:
  std::shared_ptr<const Tensor<T, Rank>> tensor_;
};

/// A tensor cut into disjoint pieces of shape S..., to be given to a kernel as its `Out<T, S...>`.
/// Piece (i, j, k) goes to tile block (i, j, k).
template <class T, int... S> class [[nodiscard]] Partition {
  static_assert(detail::CheckedShape<S...>::ok);
  static_assert(sizeof...(S) <= 3, "partition: a grid has 3 axes, so an output has at most 3");

 public:
  Partition(Tensor<T, sizeof...(S)>&& tensor, SourceLoc at) : tensor_(std::move(tensor)), at_(at) {}
  /// The tensor, whole again.
  [[nodiscard]] Tensor<T, sizeof...(S)> unpartition() && { return std::move(tensor_); }
  [[nodiscard]] const Tensor<T, sizeof...(S)>& tensor() const CUTILE_LIFETIMEBOUND {
    return tensor_;
  }
  [[nodiscard]] SourceLoc at() const { return at_; }

 private:
  Tensor<T, sizeof...(S)> tensor_;
  SourceLoc at_;
};

/// As Partition, for `MappedOut<T, S...>`: a fixed number of persistent blocks share out the
/// pieces.
template <class T, int... S> class [[nodiscard]] MappedPartition {
 public:
  MappedPartition(Tensor<T, sizeof...(S)>&& tensor, int blocks, SourceLoc at)
      : tensor_(std::move(tensor)), blocks_(blocks), at_(at) {}
  [[nodiscard]] Tensor<T, sizeof...(S)> unpartition() && { return std::move(tensor_); }
  [[nodiscard]] const Tensor<T, sizeof...(S)>& tensor() const CUTILE_LIFETIMEBOUND {
    return tensor_;
  }
  /// Blocks to launch at most; 0: as many as the device runs at once.
  [[nodiscard]] int blocks() const { return blocks_; }
  [[nodiscard]] SourceLoc at() const { return at_; }

 private:
  Tensor<T, sizeof...(S)> tensor_;
  int blocks_;
  SourceLoc at_;
};

/// A partition whose pieces persistent blocks share out:
/// `mapped(std::move(c).partition(ct::shape<128, 256>))`.
template <class T, int... S>
[[nodiscard]] MappedPartition<T, S...> mapped(Partition<T, S...>&& partition, int blocks = 0) {
  const SourceLoc at = partition.at();
  return MappedPartition<T, S...>(std::move(partition).unpartition(), blocks, at);
}

/// A borrowed Partition: the tensor stays with the caller.
template <class T, int... S> class [[nodiscard]] BorrowedPartition {
  static_assert(detail::CheckedShape<S...>::ok);
  static_assert(sizeof...(S) <= 3, "partition: a grid has 3 axes, so an output has at most 3");

 public:
  BorrowedPartition(Tensor<T, sizeof...(S)>& tensor, SourceLoc at) : tensor_(&tensor), at_(at) {}
  [[nodiscard]] const Tensor<T, sizeof...(S)>& tensor() const { return *tensor_; }
  [[nodiscard]] SourceLoc at() const { return at_; }

 private:
  Tensor<T, sizeof...(S)>* tensor_;
  SourceLoc at_;
};

/// A tensor lent for writing.
template <class T, int Rank> class [[nodiscard]] MutBorrow {
 public:
  explicit MutBorrow(Tensor<T, Rank>& tensor) : tensor_(&tensor) {}
  template <int... S> [[nodiscard]] BorrowedPartition<T, S...>
  partition(Shape<S...>, SourceLoc at = SourceLoc::current()) && {
    static_assert(sizeof...(S) == Rank, "partition: give one extent for each axis of the tensor");
    return BorrowedPartition<T, S...>(*tensor_, at);
  }

 private:
  Tensor<T, Rank>* tensor_;
};

namespace detail {

template <int R> using ExtentsOf = std::array<std::int64_t, static_cast<std::size_t>(R)>;

template <int R>
ExtentsOf<R> to_extents(const std::int64_t (&extents)[static_cast<std::size_t>(R)]) {
  ExtentsOf<R> out{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(R); ++a) out[a] = extents[a];
  return out;
}

} // namespace detail

/// A new tensor whose elements are all `value`: `ct::full<float>({1024, 512}, 3)`.
template <TensorElement T, std::size_t R, class N>
DeviceOp<Tensor<T, static_cast<int>(R)>> full(const std::array<std::int64_t, R>& extents, N value,
                                              Device device = Device::default_device(),
                                              SourceLoc at = SourceLoc::current()) {
  const std::int64_t n = detail::checked_elements(extents, at);
  const std::uint64_t bits = detail::bits_of(detail::to_element<T>(value));
  return DeviceOp<Tensor<T, static_cast<int>(R)>>::from([=](detail::Execution& e) {
    detail::StorageRef storage = detail::allocate(device, n, dtype_of<T>, e);
    detail::fill(storage, n, dtype_of<T>, bits, e);
    return Tensor<T, static_cast<int>(R)>(std::move(storage), extents);
  });
}
template <TensorElement T, std::size_t R, class N>
auto full(const std::int64_t (&extents)[R], N value, Device device = Device::default_device(),
          SourceLoc at = SourceLoc::current()) {
  return full<T>(detail::to_extents<static_cast<int>(R)>(extents), value, device, at);
}
template <TensorElement T, std::size_t R> auto zeros(const std::array<std::int64_t, R>& extents,
                                                     Device device = Device::default_device(),
                                                     SourceLoc at = SourceLoc::current()) {
  return full<T>(extents, T{}, device, at);
}
template <TensorElement T, std::size_t R> auto zeros(const std::int64_t (&extents)[R],
                                                     Device device = Device::default_device(),
                                                     SourceLoc at = SourceLoc::current()) {
  return full<T>(extents, T{}, device, at);
}
template <TensorElement T, std::size_t R> auto ones(const std::array<std::int64_t, R>& extents,
                                                    Device device = Device::default_device(),
                                                    SourceLoc at = SourceLoc::current()) {
  return full<T>(extents, detail::to_element<T>(1), device, at);
}
template <TensorElement T, std::size_t R> auto ones(const std::int64_t (&extents)[R],
                                                    Device device = Device::default_device(),
                                                    SourceLoc at = SourceLoc::current()) {
  return full<T>(extents, detail::to_element<T>(1), device, at);
}

/// A tensor of these elements, row-major. Throws UsageError when their number is not the product of
/// the extents.
template <TensorElement T, std::size_t R> DeviceOp<Tensor<T, static_cast<int>(R)>>
from_vector(std::vector<T> values, const std::array<std::int64_t, R>& extents,
            Device device = Device::default_device(), SourceLoc at = SourceLoc::current()) {
  const std::int64_t n = detail::checked_elements(extents, at);
  if (static_cast<std::int64_t>(values.size()) != n) {
    throw UsageError(std::string(at.file) + ":" + std::to_string(at.line) +
                     ": from_vector: " + std::to_string(values.size()) +
                     " elements were given for a tensor of " + std::to_string(n));
  }
  return DeviceOp<Tensor<T, static_cast<int>(R)>>::from(
      [values = std::move(values), extents, device, n](detail::Execution& e) {
        detail::StorageRef storage = detail::allocate(device, n, dtype_of<T>, e);
        if constexpr (std::is_same_v<T, bool>) {
          const std::vector<std::uint8_t> bytes(values.begin(), values.end());
          detail::upload(storage, bytes.data(), bytes.size(), e);
        } else {
          detail::upload(storage, values.data(), values.size() * sizeof(T), e);
        }
        return Tensor<T, static_cast<int>(R)>(std::move(storage), extents);
      });
}
template <TensorElement T, std::size_t R>
auto from_vector(std::vector<T> values, const std::int64_t (&extents)[R],
                 Device device = Device::default_device(), SourceLoc at = SourceLoc::current()) {
  return from_vector<T>(std::move(values), detail::to_extents<static_cast<int>(R)>(extents), device,
                        at);
}
/// A tensor of rank 1.
template <TensorElement T> auto from_vector(std::vector<T> values,
                                            Device device = Device::default_device(),
                                            SourceLoc at = SourceLoc::current()) {
  const std::array<std::int64_t, 1> extents{static_cast<std::int64_t>(values.size())};
  return from_vector<T>(std::move(values), extents, device, at);
}

/// 0, 1, ..., n - 1.
template <TensorElement T> auto arange(std::int64_t n, Device device = Device::default_device(),
                                       SourceLoc at = SourceLoc::current()) {
  detail::checked_elements(std::span(&n, 1), at);
  std::vector<T> values;
  values.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) values.push_back(detail::to_element<T>(i));
  return from_vector<T>(std::move(values), device, at);
}

/// Reads a .npy file. Throws UsageError, with the path, where element type or rank differ,
/// DeviceError where the file cannot be read or is damaged. bf16 is read from files of '<V2' or
/// '<u2'.
template <TensorElement T, int Rank> DeviceOp<Tensor<T, Rank>>
load_npy(const std::string& path, Device device = Device::default_device()) {
  typename Tensor<T, Rank>::Extents extents{};
  std::vector<std::byte> data = detail::read_npy(path, dtype_of<T>, extents);
  return DeviceOp<Tensor<T, Rank>>::from(
      [data = std::move(data), extents, device](detail::Execution& e) {
        detail::StorageRef storage = detail::allocate(
            device, static_cast<std::int64_t>(data.size() / sizeof(T)), dtype_of<T>, e);
        detail::upload(storage, data.data(), data.size(), e);
        return Tensor<T, Rank>(std::move(storage), extents);
      });
}
/// Writes a .npy file (bf16 as '<u2'). Waits for the device.
template <class T, int Rank> void save_npy(const std::string& path, const Tensor<T, Rank>& tensor,
                                           SourceLoc at = SourceLoc::current()) {
  std::vector<std::byte> data(static_cast<std::size_t>(tensor.size()) * sizeof(T));
  detail::download(tensor.ref("save_npy", at), data.data());
  detail::write_npy(path, dtype_of<T>, tensor.extents(), data);
}

/// The elements as NumPy prints them. Waits for the device.
template <class T, int Rank>
std::string to_string(const Tensor<T, Rank>& tensor, SourceLoc at = SourceLoc::current()) {
  return detail::to_text(tensor.ref("to_string", at));
}
namespace detail {
void print_line(const std::string& text);
}
template <class T, int Rank>
void print(const Tensor<T, Rank>& tensor, SourceLoc at = SourceLoc::current()) {
  detail::print_line(to_string(tensor, at));
}

} // namespace cutile
