#pragma once

#include <cstddef>
#include <cstdint>

// The part of the CUDA driver API that we use, declared by ourselves from its public documentation,
// so that nothing of CUDA is needed to build.

namespace cutile::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using Handle = void*; ///< CUcontext, CUstream, CUevent, CUmodule, CUfunction, CUmemoryPool

enum : CUresult {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  no_binary_for_gpu = 209,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  not_found = 500,
  illegal_address = 700,
  assert_failed = 710,
  launch_failed = 719,
  system_driver_mismatch = 803,
};

enum DeviceAttribute : int {
  l2_cache_size = 38,
  multiprocessor_count = 16,
  compute_major = 75,
  compute_minor = 76
};
enum FunctionAttribute : int { shared_size = 1, local_size = 3, registers = 4 };

// X(name in the table, symbol in the library, parameter types)
#define CUTILE_CUDA_API(X)                                                                         \
  X(init, "cuInit", unsigned)                                                                      \
  X(driver_version, "cuDriverGetVersion", int*)                                                    \
  X(error_name, "cuGetErrorName", CUresult, const char**)                                          \
  X(error_string, "cuGetErrorString", CUresult, const char**)                                      \
  X(device_count, "cuDeviceGetCount", int*)                                                        \
  X(device_get, "cuDeviceGet", CUdevice*, int)                                                     \
  X(device_name, "cuDeviceGetName", char*, int, CUdevice)                                          \
  X(device_memory, "cuDeviceTotalMem_v2", std::size_t*, CUdevice)                                  \
  X(device_attribute, "cuDeviceGetAttribute", int*, int, CUdevice)                                 \
  X(retain_context, "cuDevicePrimaryCtxRetain", Handle*, CUdevice)                                 \
  X(set_current, "cuCtxSetCurrent", Handle)                                                        \
  X(memory_info, "cuMemGetInfo_v2", std::size_t*, std::size_t*)                                    \
  X(default_pool, "cuDeviceGetDefaultMemPool", Handle*, CUdevice)                                  \
  X(set_pool, "cuMemPoolSetAttribute", Handle, int, void*)                                         \
  X(trim_pool, "cuMemPoolTrimTo", Handle, std::size_t)                                             \
  X(allocate, "cuMemAllocAsync", CUdeviceptr*, std::size_t, Handle)                                \
  X(free, "cuMemFreeAsync", CUdeviceptr, Handle)                                                   \
  X(copy_to_device, "cuMemcpyHtoDAsync_v2", CUdeviceptr, const void*, std::size_t, Handle)         \
  X(copy_to_host, "cuMemcpyDtoHAsync_v2", void*, CUdeviceptr, std::size_t, Handle)                 \
  X(copy_on_device, "cuMemcpyDtoDAsync_v2", CUdeviceptr, CUdeviceptr, std::size_t, Handle)         \
  X(fill8, "cuMemsetD8Async", CUdeviceptr, unsigned char, std::size_t, Handle)                     \
  X(fill16, "cuMemsetD16Async", CUdeviceptr, unsigned short, std::size_t, Handle)                  \
  X(fill32, "cuMemsetD32Async", CUdeviceptr, unsigned, std::size_t, Handle)                        \
  X(create_stream, "cuStreamCreate", Handle*, unsigned)                                            \
  X(synchronize_stream, "cuStreamSynchronize", Handle)                                             \
  X(create_event, "cuEventCreate", Handle*, unsigned)                                              \
  X(destroy_event, "cuEventDestroy_v2", Handle)                                                    \
  X(record_event, "cuEventRecord", Handle, Handle)                                                 \
  X(synchronize_event, "cuEventSynchronize", Handle)                                               \
  X(elapsed, "cuEventElapsedTime", float*, Handle, Handle)                                         \
  X(load_module, "cuModuleLoadData", Handle*, const void*)                                         \
  X(get_function, "cuModuleGetFunction", Handle*, Handle, const char*)                             \
  X(function_attribute, "cuFuncGetAttribute", int*, int, Handle)                                   \
  X(launch, "cuLaunchKernel", Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,  \
    unsigned, Handle, void**, void**)

/// The driver's entry points.
struct Api {
#define X(name, symbol, ...) CUresult (*name)(__VA_ARGS__) = nullptr;
  CUTILE_CUDA_API(X)
#undef X
};

} // namespace cutile::cuda
