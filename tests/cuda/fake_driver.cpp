#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

// The driver's entry points over host memory. FAKE_CUDA_FAIL="SYMBOL=CODE" makes that call fail.

namespace {

/// Runs `body`, unless the call was told to fail.
template <class Body> int call(const char* symbol, Body body) {
  const char* fail = std::getenv("FAKE_CUDA_FAIL");
  const std::string wanted = std::string(symbol) + "=";
  if (fail != nullptr && std::strncmp(fail, wanted.c_str(), wanted.size()) == 0) {
    return std::atoi(fail + wanted.size());
  }
  body();
  return 0;
}

void* const handle = reinterpret_cast<void*>(0x1000);
template <class T = void> T* memory(std::uint64_t address) { return reinterpret_cast<T*>(address); }

struct Launch {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;
  std::uint64_t first_param;
} last{};

} // namespace

extern "C" {

int cuGetErrorName(int code, const char** name) {
  *name = code == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_OTHER";
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "told to fail";
  return 0;
}

int cuInit(unsigned) {
  return call("cuInit", [&] {});
}
int cuDriverGetVersion(int* version) {
  return call("cuDriverGetVersion", [&] { *version = 13000; });
}
int cuDeviceGetCount(int* count) {
  return call("cuDeviceGetCount", [&] { *count = 1; });
}
int cuDeviceGet(int* device, int index) {
  constexpr int invalid_device = 101;
  return index != 0 ? invalid_device : call("cuDeviceGet", [&] { *device = 0; });
}
int cuDeviceGetName(char* name, int size, int) {
  return call("cuDeviceGetName",
              [&] { std::strncpy(name, "Fake GPU", static_cast<std::size_t>(size)); });
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  return call("cuDeviceTotalMem_v2", [&] { *bytes = 1U << 30U; });
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int multiprocessors = 16, compute_major = 75, compute_minor = 76;
  return call("cuDeviceGetAttribute", [&] {
    *value = 1 << 20;
    if (attribute == multiprocessors) *value = 132;
    if (attribute == compute_major) *value = 9;
    if (attribute == compute_minor) *value = 0;
  });
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  return call("cuDevicePrimaryCtxRetain", [&] { *context = handle; });
}
int cuCtxSetCurrent(void*) {
  return call("cuCtxSetCurrent", [&] {});
}
int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  return call("cuMemGetInfo_v2", [&] {
    *free_bytes = 1000;
    *total = 2000;
  });
}
int cuDeviceGetDefaultMemPool(void** pool, int) {
  return call("cuDeviceGetDefaultMemPool", [&] { *pool = handle; });
}
int cuMemPoolSetAttribute(void*, int, void*) {
  return call("cuMemPoolSetAttribute", [&] {});
}
int cuMemPoolTrimTo(void*, std::size_t) {
  return call("cuMemPoolTrimTo", [&] {});
}
int cuMemAllocAsync(std::uint64_t* p, std::size_t n, void*) {
  return call("cuMemAllocAsync", [&] {
    *p = reinterpret_cast<std::uint64_t>(std::aligned_alloc(256, (n + 255) / 256 * 256));
  });
}
int cuMemFreeAsync(std::uint64_t p, void*) {
  return call("cuMemFreeAsync", [&] { std::free(memory(p)); });
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t n, void*) {
  return call("cuMemcpyHtoDAsync_v2", [&] { std::memcpy(memory(to), from, n); });
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t n, void*) {
  return call("cuMemcpyDtoHAsync_v2", [&] { std::memcpy(to, memory(from), n); });
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t n, void*) {
  return call("cuMemcpyDtoDAsync_v2", [&] { std::memcpy(memory(to), memory(from), n); });
}
int cuMemsetD8Async(std::uint64_t p, unsigned char v, std::size_t n, void*) {
  return call("cuMemsetD8Async", [&] { std::memset(memory(p), v, n); });
}
int cuMemsetD16Async(std::uint64_t p, unsigned short v, std::size_t n, void*) {
  return call("cuMemsetD16Async", [&] { std::fill_n(memory<unsigned short>(p), n, v); });
}
int cuMemsetD32Async(std::uint64_t p, unsigned v, std::size_t n, void*) {
  return call("cuMemsetD32Async", [&] { std::fill_n(memory<unsigned>(p), n, v); });
}
int cuStreamCreate(void** stream, unsigned) {
  return call("cuStreamCreate", [&] { *stream = handle; });
}
int cuStreamSynchronize(void*) {
  return call("cuStreamSynchronize", [&] {});
}
int cuEventCreate(void** event, unsigned) {
  return call("cuEventCreate", [&] { *event = handle; });
}
int cuEventDestroy_v2(void*) {
  return call("cuEventDestroy_v2", [&] {});
}
int cuEventRecord(void*, void*) {
  return call("cuEventRecord", [&] {});
}
int cuEventSynchronize(void*) {
  return call("cuEventSynchronize", [&] {});
}
int cuEventElapsedTime(float* ms, void*, void*) {
  return call("cuEventElapsedTime", [&] { *ms = 1.5F; });
}
int cuModuleLoadData(void** module, const void*) {
  return call("cuModuleLoadData", [&] { *module = handle; });
}
int cuModuleGetFunction(void** function, void*, const char* name) {
  constexpr int not_found = 500;
  if (std::strcmp(name, "missing") == 0) return not_found;
  return call("cuModuleGetFunction", [&] { *function = handle; });
}
int cuFuncGetAttribute(int* value, int attribute, void*) {
  return call("cuFuncGetAttribute", [&] { *value = 10 * attribute; });
}
int cuLaunchKernel(void*, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void*, void** params, void**) {
  return call("cuLaunchKernel", [&] {
    last = {{gx, gy, gz}, {bx, by, bz}, shared, 0};
    std::memcpy(&last.first_param, params[0], sizeof last.first_param);
  });
}

/// For the test: what was launched last.
void fake_last_launch(unsigned* out, std::uint64_t* param) {
  std::memcpy(out, last.grid, sizeof last.grid);
  std::memcpy(out + 3, last.block, sizeof last.block);
  out[6] = last.shared;
  *param = last.first_param;
}

} // extern "C"
