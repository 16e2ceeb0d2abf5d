#include "tools/doctor.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "compiler/compiler.hpp"
#include "cpu/program.hpp"
#include "cuda/driver.hpp"
#include "kernels/elementwise.hpp"

namespace cutile::tools {
namespace {

void line(const char* what, const std::string& text) { fmt::print("{:<12} {}\n", what, text); }

std::string indented(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += std::string(13, ' ');
  }
  return out;
}

/// Adds two vectors of a size that no tile divides, and compares with the sums.
Result<void> try_kernel(Device device) try {
  constexpr std::int64_t n = 1000;
  auto x = arange<float>(n, device).sync();
  auto y = full<float>({n}, 0.5F, device).sync();
  auto z = zeros<float>({n}, device).sync();
  auto [sum, x1, y1] =
      kernels::add(std::move(z).partition(shape<128>), std::move(x), std::move(y)).sync();
  const std::vector<float> values = std::move(sum).unpartition().to_vector();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != static_cast<float>(i) + 0.5F) {
      return device_failure(fmt::format("element {} of a sum is {}, not {}", i, values[i],
                                        static_cast<float>(i) + 0.5F));
    }
  }
  return {};
} catch (const Error& e) {
  return Failure{e.fault(), e.what()};
}

bool report_kernel(Device device) {
  const Result<void> outcome = try_kernel(device);
  line("kernel", outcome ? fmt::format("add runs on {} and is right", device.name())
                         : fmt::format("PROBLEM on {}: {}", device.name(),
                                       indented(outcome.failure().message)));
  return outcome.has_value();
}

bool report_compiler() {
  const Result<compiler::Tool> tool = compiler::find_tool();
  if (!tool) {
    line("tileiras", "not found; kernels run on the CPU, or on a GPU from a bundle");
    line("", indented(tool.failure().message));
    return false;
  }
  line("tileiras", fmt::format("{} (version {}, found by {})", tool->tileiras.string(),
                               tool->version, tool->found_by));
  line("ptxas", tool->ptxas.string());
  line("libnvvm", tool->libnvvm.string());
  line("tileirdisasm", tool->tileirdisasm.empty()
                           ? "not there; `cutile disasm` needs tileiras 13.4 or newer"
                           : tool->tileirdisasm.string());
  std::string versions;
  for (const ir::Version v : tool->bytecode) versions += fmt::format(" {}.{}", v / 100, v % 100);
  line("bytecode", "reads" + versions);
  return true;
}

} // namespace

int doctor() {
  bool good = true;
  line("CPU", fmt::format("{} threads, {}", cpu::default_threads(), cpu::cpu_features()));
  good = report_kernel(Device::cpu()) && good;

  const Result<cuda::DriverInfo> driver = cuda::driver();
  if (driver) {
    line("driver", fmt::format("{} (CUDA {}.{})", driver->path, driver->version / 1000,
                               driver->version % 1000 / 10));
  } else {
    line("driver", "none; kernels run on the CPU");
    line("", indented(driver.failure().message));
  }
  const bool compiler = report_compiler();
  const char* bundle = std::getenv("CUTILE_BUNDLE");
  line("bundle", bundle == nullptr ? "CUTILE_BUNDLE is not set" : bundle);
  line("cache", compiler::cache_folder().string());

  if (driver) {
    const Result<int> count = cuda::device_count();
    if (!count) {
      line("GPU", "PROBLEM: " + indented(count.failure().message));
      good = false;
    }
    for (int i = 0; count && i < *count; ++i) {
      const Result<cuda::DeviceInfo> info = cuda::device_info(i);
      if (!info) {
        line("GPU", fmt::format("PROBLEM with cuda:{}: {}", i, indented(info.failure().message)));
        good = false;
        continue;
      }
      line("GPU", fmt::format("cuda:{} {} ({}, {} multiprocessors, {:.1f} GiB)", i, info->name,
                              info->arch(), info->multiprocessors,
                              static_cast<double>(info->memory_bytes) / (1 << 30)));
      if (compiler || bundle != nullptr) good = report_kernel(Device::cuda(i)) && good;
    }
    if (count && *count > 0 && !compiler && bundle == nullptr) {
      line("",
           "cure: run scripts/get_tileiras, or set CUTILE_BUNDLE to a bundle of compiled kernels");
      good = false;
    }
  }
  try {
    line("default", Device::default_device().name());
  } catch (const Error& e) {
    line("default", fmt::format("PROBLEM: {}", e.what()));
    good = false;
  }
  return good ? 0 : 1;
}

} // namespace cutile::tools
