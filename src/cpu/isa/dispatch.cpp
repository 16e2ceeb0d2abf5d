#include <cstdlib>
#include <string_view>

#include "cpu/isa/kernels.hpp"

namespace cutile::cpu {

const Kernels& kernels() {
  static const Kernels& chosen = []() -> const Kernels& {
#if defined(__x86_64__)
    const char* asked = std::getenv("CUTILE_CPU_ISA");
    const std::string_view limit = asked == nullptr ? "" : asked;
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("f16c");
    const bool has_avx512 =
        has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (has_avx512 && limit != "avx2" && limit != "baseline") return avx512::table();
    if (has_avx2 && limit != "baseline") return avx2::table();
#endif
    return baseline::table();
  }();
  return chosen;
}

} // namespace cutile::cpu
