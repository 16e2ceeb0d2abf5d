#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cutile/device.hpp"
#include "cutile/source_loc.hpp"
#include "cutile/types.hpp"

namespace cutile::detail {

class Execution;

/// Device memory with a count of its owners and a word that says who borrows it.
class Storage;
using StorageRef = std::shared_ptr<Storage>;

/// A tensor without its type: what the runtime's functions take.
struct TensorRef {
  const StorageRef* storage;
  std::int64_t offset; ///< elements
  DType dtype;
  std::span<const std::int64_t> extents, strides;
};

/// Number of elements of a tensor that exists, so that the product does not overflow unless it is
/// 0.
constexpr std::int64_t element_count(std::span<const std::int64_t> extents) {
  std::int64_t n = 1;
  for (const std::int64_t e : extents) {
    if (e == 0) return 0;
  }
  for (const std::int64_t e : extents) n *= e;
  return n;
}
/// The same for extents that a user gave; throws UsageError for a negative extent or a product past
/// 2^63, naming them.
std::int64_t checked_elements(std::span<const std::int64_t> extents, SourceLoc at);

/// New memory for `elements`, uninitialised.
StorageRef allocate(Device device, std::int64_t elements, DType dtype, Execution& execution);
/// Sets every element to `bits`.
void fill(const StorageRef& storage, std::int64_t elements, DType dtype, std::uint64_t bits,
          Execution& execution);
/// Host memory into the storage; waits until the source may be reused.
void upload(const StorageRef& storage, const void* source, std::size_t bytes, Execution& execution);
/// The tensor's elements, row-major, into host memory; waits.
void download(const TensorRef& tensor, void* destination);
/// A copy of the tensor, contiguous, on `device`.
StorageRef copy_to(const TensorRef& tensor, Device device, Execution& execution);

Device device_of(const Storage& storage);
/// Throws the UsageError for a tensor that was moved from.
[[noreturn]] void moved_from(const char* what, SourceLoc at);

/// NumPy-like text.
std::string to_text(const TensorRef& tensor);

/// Reads a .npy file of this element type and rank; extents are row-major. Returns the bytes.
std::vector<std::byte> read_npy(const std::string& path, DType dtype,
                                std::span<std::int64_t> extents);
void write_npy(const std::string& path, DType dtype, std::span<const std::int64_t> extents,
               std::span<const std::byte> data);

/// Holds a storage for reading (many may) or writing (one may, and then nobody reads) until it
/// dies.
class Borrow {
 public:
  Borrow() = default;
  /// Empty when somebody else holds the storage in a way that excludes this.
  static Borrow read(const StorageRef& storage);
  static Borrow write(const StorageRef& storage);
  [[nodiscard]] bool held() const { return storage_ != nullptr; }
  Borrow(Borrow&& other) noexcept
      : storage_(std::move(other.storage_)), exclusive_(other.exclusive_) {
    other.storage_ = nullptr;
  }
  Borrow& operator=(Borrow&& other) noexcept {
    release();
    storage_ = std::move(other.storage_);
    exclusive_ = other.exclusive_;
    other.storage_ = nullptr;
    return *this;
  }
  Borrow(const Borrow&) = delete;
  Borrow& operator=(const Borrow&) = delete;
  ~Borrow() { release(); }

 private:
  void release() noexcept;
  StorageRef storage_;
  bool exclusive_ = false;
};

} // namespace cutile::detail
