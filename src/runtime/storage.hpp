#pragma once

#include <atomic>
#include <cstddef>

#include "cutile/detail/storage.hpp"
#include "cutile/op.hpp"

namespace cutile::detail {

class Storage {
 public:
  /// Allocates `bytes` on `device`, 256-byte aligned. Throws DeviceError, with the sizes, when
  /// there is no memory.
  Storage(Device device, std::size_t bytes);
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  /// Frees the memory, on a GPU after all work put on the device's stream so far.
  ~Storage();

  [[nodiscard]] Device device() const { return device_; }
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  /// Readers that hold the storage, or `writer`.
  std::atomic<int> borrows{0};
  static constexpr int writer = -1;

 private:
  Device device_;
  std::size_t bytes_;
  std::byte* data_ = nullptr;
};

} // namespace cutile::detail
