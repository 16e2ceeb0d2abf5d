#pragma once

#include <string>

namespace cutile {

/// Where tensors live and kernels run.
class Device {
 public:
  /// The CPU: all cores (CUTILE_NUM_THREADS limits them).
  static Device cpu() { return Device(-1); }
  /// An NVIDIA GPU, by its driver number. Whether it exists is checked when it is used.
  static Device cuda(int index = 0) { return Device(index); }
  /// CUTILE_DEVICE ("cpu", "cuda", "cuda:1") where set, else GPU 0 where the driver, a device and a
  /// compiler or a bundle of compiled kernels are found, else the CPU. Throws UsageError for any
  /// other CUTILE_DEVICE.
  static Device default_device();

  [[nodiscard]] bool is_cuda() const { return index_ >= 0; }
  /// Driver number of a GPU; -1 for the CPU.
  [[nodiscard]] int index() const { return index_; }
  /// "cpu", "cuda:0", ...
  [[nodiscard]] std::string name() const;
  /// What hardware it is, for people: "NVIDIA H200 (sm_90)", "CPU, 16 threads, AVX-512".
  [[nodiscard]] std::string description() const;

  friend bool operator==(Device, Device) = default;

 private:
  explicit Device(int index) : index_(index) {}
  int index_;
};

/// Waits for all work on the device's default stream; throws DeviceError if any of it failed.
void synchronize(Device device);

} // namespace cutile
