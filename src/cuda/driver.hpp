#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cutile/error.hpp"

// The CUDA driver, opened at run time. No other folder knows a cu* name. Handles are opaque; every
// function is safe to call from any thread (it makes the device's primary context current).

namespace cutile::cuda {

struct DriverInfo {
  std::string path; ///< of the library that was opened
  int version = 0;  ///< as the driver reports it: 13000 is CUDA 13.0
};
/// Opens the driver on first use. Fails with what was tried and the cure.
[[nodiscard]] Result<DriverInfo> driver();

struct DeviceInfo {
  std::string name;
  int compute_major = 0, compute_minor = 0; ///< 9, 0 for sm_90
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  [[nodiscard]] std::string arch() const {
    return "sm_" + std::to_string(compute_major * 10 + compute_minor);
  }
};
[[nodiscard]] Result<int> device_count(); ///< 0 when the driver works and sees no device
[[nodiscard]] Result<DeviceInfo> device_info(int device);

/// Handles of the driver, as integers so that its types stay out of this header.
struct Stream {
  std::uintptr_t handle = 0;
  int device = 0;
};
struct Event {
  std::uintptr_t handle = 0;
  int device = 0;
};

/// The stream that all work of `device` goes to unless said otherwise; made on first use, lives as
/// long as the process.
[[nodiscard]] Result<Stream> default_stream(int device);
[[nodiscard]] Result<void> synchronize(Stream stream);

/// Stream-ordered allocation. Out of memory names the size asked for and what is free.
[[nodiscard]] Result<void*> allocate(std::size_t bytes, Stream stream);
[[nodiscard]] Result<void> free(void* pointer, Stream stream);
[[nodiscard]] Result<void> copy_to_device(void* destination, const void* source, std::size_t bytes,
                                          Stream stream);
[[nodiscard]] Result<void> copy_to_host(void* destination, const void* source, std::size_t bytes,
                                        Stream stream);
[[nodiscard]] Result<void> copy_on_device(void* destination, const void* source, std::size_t bytes,
                                          Stream stream);
/// Fills with a pattern of 1, 2 or 4 bytes; `count` elements.
[[nodiscard]] Result<void> fill(void* destination, std::uint32_t pattern, int pattern_bytes,
                                std::size_t count, Stream stream);

/// Events that measure time. `elapsed_ms` waits for `stop`.
[[nodiscard]] Result<Event> create_event(int device);
void destroy_event(Event event) noexcept;
[[nodiscard]] Result<void> record(Event event, Stream stream);
[[nodiscard]] Result<float> elapsed_ms(Event start, Event stop);

/// A loaded kernel. Its module stays loaded as long as the process: unloading while something
/// launches is a driver fault with tile kernels.
struct Function {
  std::uintptr_t handle = 0;
  int device = 0;
  int registers = 0;
  int local_bytes = 0;
  int shared_bytes = 0;
};
/// Loads a cubin and finds its entry. A truncated cubin or one for another architecture is a typed
/// error that says so.
[[nodiscard]] Result<Function> load(std::span<const std::byte> cubin, const std::string& entry,
                                    int device);

/// Enqueues a launch of tile blocks (block 1,1,1; no dynamic shared memory). `params` holds the
/// parameters' addresses. No allocation happens here.
[[nodiscard]] Result<void> launch(const Function& function, std::array<std::uint32_t, 3> grid,
                                  void** params, Stream stream);

/// Free and total memory of `device`, bytes.
struct MemoryInfo {
  std::size_t free_bytes = 0, total_bytes = 0;
};
[[nodiscard]] Result<MemoryInfo> memory_info(int device);

} // namespace cutile::cuda
