#include "runtime/storage.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "cuda/driver.hpp"

namespace cutile::detail {
namespace {

constexpr std::size_t alignment = 256;

cuda::Stream stream_of(Device device) { return cuda::default_stream(device.index()).value(); }

/// Copies a strided tensor to row-major order.
void gather(const TensorRef& tensor, const std::byte* source, std::byte* destination) {
  const auto element = static_cast<std::size_t>(size_of(tensor.dtype));
  const std::size_t rank = tensor.extents.size();
  std::vector<std::int64_t> index(rank, 0);
  std::int64_t offset = tensor.offset;
  for (std::int64_t left = element_count(tensor.extents); left > 0; --left) {
    std::memcpy(destination, source + offset * static_cast<std::int64_t>(element), element);
    destination += element;
    for (std::size_t a = rank; a-- > 0;) {
      offset += tensor.strides[a];
      if (++index[a] < tensor.extents[a]) break;
      offset -= tensor.strides[a] * tensor.extents[a];
      index[a] = 0;
    }
  }
}

bool is_contiguous(const TensorRef& tensor) {
  std::int64_t expected = 1;
  for (std::size_t a = tensor.extents.size(); a-- > 0;) {
    if (tensor.extents[a] != 1 && tensor.strides[a] != expected) return false;
    expected *= tensor.extents[a];
  }
  return true;
}

} // namespace

Storage::Storage(Device device, std::size_t bytes) : device_(device), bytes_(bytes) {
  if (bytes == 0) return;
  if (device.is_cuda()) {
    data_ = static_cast<std::byte*>(cuda::allocate(bytes, stream_of(device)).value());
    return;
  }
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  data_ =
      rounded < bytes ? nullptr : static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
  if (data_ == nullptr) {
    throw DeviceError(fmt::format(
        "out of memory: {} bytes were asked for on the CPU; use smaller tensors, or drop those no "
        "longer needed",
        bytes));
  }
}

Storage::~Storage() {
  if (data_ == nullptr) return;
  if (!device_.is_cuda()) {
    std::free(data_);
    return;
  }
  if (const auto stream = cuda::default_stream(device_.index())) {
    // A destructor has nobody to tell; a context that is lost reports itself at the next call.
    static_cast<void>(cuda::free(data_, *stream).has_value());
  }
}

std::int64_t checked_elements(std::span<const std::int64_t> extents, SourceLoc at) {
  std::int64_t n = 1;
  bool overflow = false;
  for (const std::int64_t e : extents) {
    if (e < 0)
      throw UsageError(fmt::format("{}:{}: a tensor has no negative extent ({})", at.file, at.line,
                                   fmt::join(extents, " x ")));
    overflow = __builtin_mul_overflow(n, e, &n) || overflow;
  }
  for (const std::int64_t e : extents) {
    if (e == 0) return 0;
  }
  if (overflow || n > std::numeric_limits<std::int64_t>::max() / 8) {
    throw UsageError(fmt::format("{}:{}: a tensor of {} elements is larger than any memory",
                                 at.file, at.line, fmt::join(extents, " x ")));
  }
  return n;
}

StorageRef allocate(Device device, std::int64_t elements, DType dtype, Execution& execution) {
  execution.used(device);
  return std::make_shared<Storage>(device, static_cast<std::size_t>(elements) *
                                               static_cast<std::size_t>(size_of(dtype)));
}

void fill(const StorageRef& storage, std::int64_t elements, DType dtype, std::uint64_t bits,
          Execution& execution) {
  if (elements == 0) return;
  const auto size = static_cast<std::size_t>(size_of(dtype));
  const auto count = static_cast<std::size_t>(elements);
  const Device device = storage->device();
  if (device.is_cuda() && size <= 4) {
    cuda::fill(storage->data(), static_cast<std::uint32_t>(bits), static_cast<int>(size), count,
               stream_of(device))
        .value();
    execution.used(device);
    return;
  }
  if (device.is_cuda() && bits == 0) {
    cuda::fill(storage->data(), 0, 4, 2 * count, stream_of(device)).value();
    execution.used(device);
    return;
  }
  if (bits == 0) {
    std::memset(storage->data(), 0, count * size);
    return;
  }
  std::vector<std::byte> host;
  std::byte* destination = storage->data();
  if (device.is_cuda()) {
    host.resize(count * size);
    destination = host.data();
  }
  // Double what is there until all is filled.
  std::memcpy(destination, &bits, size);
  for (std::size_t done = 1; done < count;) {
    const std::size_t chunk = std::min(done, count - done);
    std::memcpy(destination + done * size, destination, chunk * size);
    done += chunk;
  }
  if (device.is_cuda()) upload(storage, host.data(), host.size(), execution);
}

void upload(const StorageRef& storage, const void* source, std::size_t bytes,
            Execution& execution) {
  if (bytes == 0) return;
  const Device device = storage->device();
  if (!device.is_cuda()) {
    std::memcpy(storage->data(), source, bytes);
    return;
  }
  const cuda::Stream stream = stream_of(device);
  cuda::copy_to_device(storage->data(), source, bytes, stream).value();
  cuda::synchronize(stream).value();
  execution.used(device);
}

void download(const TensorRef& tensor, void* destination) {
  const std::int64_t n = element_count(tensor.extents);
  if (n == 0) return;
  const Storage& storage = **tensor.storage;
  const auto element = static_cast<std::size_t>(size_of(tensor.dtype));
  const std::byte* source = storage.data();
  std::vector<std::byte> host;
  const bool contiguous = is_contiguous(tensor);
  if (storage.device().is_cuda()) {
    const cuda::Stream stream = stream_of(storage.device());
    if (contiguous) {
      cuda::copy_to_host(destination, source + static_cast<std::size_t>(tensor.offset) * element,
                         static_cast<std::size_t>(n) * element, stream)
          .value();
      cuda::synchronize(stream).value();
      return;
    }
    host.resize(storage.bytes());
    cuda::copy_to_host(host.data(), source, host.size(), stream).value();
    cuda::synchronize(stream).value();
    source = host.data();
  }
  if (contiguous) {
    std::memcpy(destination, source + static_cast<std::size_t>(tensor.offset) * element,
                static_cast<std::size_t>(n) * element);
  } else {
    gather(tensor, source, static_cast<std::byte*>(destination));
  }
}

StorageRef copy_to(const TensorRef& tensor, Device device, Execution& execution) {
  const Storage& from = **tensor.storage;
  const std::int64_t n = element_count(tensor.extents);
  StorageRef to = allocate(device, n, tensor.dtype, execution);
  const std::size_t bytes = to->bytes();
  if (bytes == 0) return to;
  if (device.is_cuda() && from.device() == device && is_contiguous(tensor)) {
    const auto offset =
        static_cast<std::size_t>(tensor.offset) * static_cast<std::size_t>(size_of(tensor.dtype));
    cuda::copy_on_device(to->data(), from.data() + offset, bytes, stream_of(device)).value();
  } else if (device.is_cuda()) {
    std::vector<std::byte> host(bytes);
    download(tensor, host.data());
    upload(to, host.data(), bytes, execution);
  } else {
    download(tensor, to->data());
  }
  return to;
}

Device device_of(const Storage& storage) { return storage.device(); }

void moved_from(const char* what, SourceLoc at) {
  throw UsageError(fmt::format("{}:{}: {}: this tensor was moved from; use the one that the launch "
                               "handed back, or pass it by "
                               "reference or as ct::Shared to keep it",
                               at.file, at.line, what));
}

Borrow Borrow::read(const StorageRef& storage) {
  Borrow b;
  int readers = storage->borrows.load(std::memory_order_relaxed);
  while (readers != Storage::writer) {
    if (storage->borrows.compare_exchange_weak(readers, readers + 1, std::memory_order_acquire)) {
      b.storage_ = storage;
      return b;
    }
  }
  return b;
}

Borrow Borrow::write(const StorageRef& storage) {
  Borrow b;
  int nobody = 0;
  if (storage->borrows.compare_exchange_strong(nobody, Storage::writer,
                                               std::memory_order_acquire)) {
    b.storage_ = storage;
    b.exclusive_ = true;
  }
  return b;
}

void Borrow::release() noexcept {
  if (storage_ == nullptr) return;
  if (exclusive_) {
    storage_->borrows.store(0, std::memory_order_release);
  } else {
    storage_->borrows.fetch_sub(1, std::memory_order_release);
  }
  storage_ = nullptr;
}

} // namespace cutile::detail
