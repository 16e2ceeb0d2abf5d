#include "cutile/device.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "compiler/compiler.hpp"
#include "cpu/program.hpp"
#include "cuda/driver.hpp"
#include "cutile/error.hpp"

namespace cutile {
namespace {

std::optional<Device> parse(std::string_view text) {
  if (text == "cpu") return Device::cpu();
  if (text == "cuda") return Device::cuda(0);
  if (!text.starts_with("cuda:")) return std::nullopt;
  text.remove_prefix(5);
  int index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc{} || end != text.data() + text.size() || index < 0) return std::nullopt;
  return Device::cuda(index);
}

Device choose() {
  if (const char* wanted = std::getenv("CUTILE_DEVICE"); wanted != nullptr && *wanted != 0) {
    const std::optional<Device> device = parse(wanted);
    if (!device) {
      throw UsageError(fmt::format(
          "CUTILE_DEVICE is '{}'; it must be cpu, cuda or cuda:N, for example cuda:0", wanted));
    }
    if (device->is_cuda()) cuda::device_info(device->index()).value(); // say now what is wrong
    return *device;
  }
  const Result<int> count = cuda::device_count();
  const bool gpu = count && *count > 0;
  if (gpu && (compiler::find_tool() || std::getenv("CUTILE_BUNDLE") != nullptr))
    return Device::cuda(0);
  return Device::cpu();
}

} // namespace

Device Device::default_device() {
  static const Device device = choose();
  return device;
}

std::string Device::name() const { return is_cuda() ? fmt::format("cuda:{}", index_) : "cpu"; }

std::string Device::description() const {
  if (!is_cuda())
    return fmt::format("CPU, {} threads, {}", cpu::default_threads(), cpu::cpu_features());
  const cuda::DeviceInfo info = cuda::device_info(index_).value();
  return fmt::format("{} ({})", info.name, info.arch());
}

void synchronize(Device device) {
  if (device.is_cuda()) cuda::synchronize(cuda::default_stream(device.index()).value()).value();
}

} // namespace cutile
