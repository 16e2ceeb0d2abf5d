#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

// The driver's entry points over host memory. FAKE_CUDA_FAIL="SYMBOL=CODE" makes that call fail.

namespace {

int outcome(const char* symbol) {
  const char* fail = std::getenv("FAKE_CUDA_FAIL");
  if (fail == nullptr) return 0;
  const std::string wanted = std::string(symbol) + "=";
  return std::strncmp(fail, wanted.c_str(), wanted.size()) == 0 ? std::atoi(fail + wanted.size())
                                                                : 0;
}

void* const handle = reinterpret_cast<void*>(0x1000);

struct Launch {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared;
  std::uint64_t first_param;
} last{};

} // namespace

#define ENTRY(symbol, ...)                                                                         \
  extern "C" int symbol(__VA_ARGS__) {                                                             \
    if (const int code = outcome(#symbol); code != 0) return code;
#define END                                                                                        \
  return 0;                                                                                        \
  }

ENTRY(cuInit, unsigned) END ENTRY(cuDriverGetVersion, int* v) * v = 13000;
END extern "C" int cuGetErrorName(int code, const char** name) {
  *name = code == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                        : "CUDA_ERROR_OTHER";
  return 0;
}
extern "C" int cuGetErrorString(int, const char** text) {
  *text = "told to fail";
  return 0;
}
ENTRY(cuDeviceGetCount, int* n) * n = 1;
END ENTRY(cuDeviceGet, int* d, int index) if (index != 0) return 101;
*d = 0;
END ENTRY(cuDeviceGetName, char* name, int size, int) std::strncpy(name, "Fake GPU",
                                                                   static_cast<std::size_t>(size));
END ENTRY(cuDeviceTotalMem_v2, std::size_t* bytes, int) * bytes = 1U << 30U;
END ENTRY(cuDeviceGetAttribute, int* v, int attribute, int) * v = attribute == 75   ? 9
                                                                  : attribute == 76 ? 0
                                                                  : attribute == 16 ? 132
                                                                                    : 1 << 20;
END ENTRY(cuDevicePrimaryCtxRetain, void** c, int) * c = handle;
END ENTRY(cuCtxSetCurrent, void*) END
    ENTRY(cuMemGetInfo_v2, std::size_t* free_bytes, std::size_t* total) * free_bytes = 1000;
*total = 2000;
END ENTRY(cuDeviceGetDefaultMemPool, void** p, int) * p = handle;
END ENTRY(cuMemPoolSetAttribute, void*, int, void*) END
    ENTRY(cuMemPoolTrimTo, void*, std::size_t) END
    ENTRY(cuMemAllocAsync, std::uint64_t* p, std::size_t n, void*) * p =
        reinterpret_cast<std::uint64_t>(std::aligned_alloc(256, (n + 255) / 256 * 256));
END ENTRY(cuMemFreeAsync, std::uint64_t p, void*) std::free(reinterpret_cast<void*>(p));
END ENTRY(cuMemcpyHtoDAsync_v2, std::uint64_t to, const void* from, std::size_t n,
          void*) std::memcpy(reinterpret_cast<void*>(to), from, n);
END ENTRY(cuMemcpyDtoHAsync_v2, void* to, std::uint64_t from, std::size_t n,
          void*) std::memcpy(to, reinterpret_cast<const void*>(from), n);
END ENTRY(cuMemcpyDtoDAsync_v2, std::uint64_t to, std::uint64_t from, std::size_t n,
          void*) std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), n);
END ENTRY(cuMemsetD8Async, std::uint64_t p, unsigned char v, std::size_t n,
          void*) std::memset(reinterpret_cast<void*>(p), v, n);
END ENTRY(cuMemsetD16Async, std::uint64_t p, unsigned short v, std::size_t n,
          void*) for (std::size_t i = 0; i < n; ++i) reinterpret_cast<unsigned short*>(p)[i] = v;
END ENTRY(cuMemsetD32Async, std::uint64_t p, unsigned v, std::size_t n,
          void*) for (std::size_t i = 0; i < n; ++i) reinterpret_cast<unsigned*>(p)[i] = v;
END ENTRY(cuStreamCreate, void** s, unsigned) * s = handle;
END ENTRY(cuStreamSynchronize, void*) END ENTRY(cuEventCreate, void** e, unsigned) * e = handle;
END ENTRY(cuEventDestroy_v2, void*) END ENTRY(cuEventRecord, void*, void*) END
    ENTRY(cuEventSynchronize, void*) END
    ENTRY(cuEventElapsedTime, float* ms, void*, void*) * ms = 1.5F;
END ENTRY(cuModuleLoadData, void** m, const void*) * m = handle;
END ENTRY(cuModuleGetFunction, void** f, void*,
          const char* name) if (std::strcmp(name, "missing") == 0) return 500;
*f = handle;
END ENTRY(cuFuncGetAttribute, int* v, int attribute, void*) * v = 10 * attribute;
END ENTRY(cuLaunchKernel, void*, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
          unsigned bz, unsigned shared, void*, void** params, void**) last = {
  {gx, gy, gz},
  {bx, by, bz},
  shared,
  0
};
std::memcpy(&last.first_param, params[0], 8);
END

    /// For the test: what was launched last.
    extern "C" void
    fake_last_launch(unsigned* out, std::uint64_t* param) {
  std::memcpy(out, last.grid, 12);
  std::memcpy(out + 3, last.block, 12);
  out[6] = last.shared;
  *param = last.first_param;
}
