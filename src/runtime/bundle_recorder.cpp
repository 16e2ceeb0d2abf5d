#include "runtime/bundle_recorder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/requirements.hpp"

namespace cutile::runtime {
namespace {

struct Recorder {
  std::filesystem::path path;
  std::vector<std::string> archs;
  bool dry = false;
  compiler::Bundle bundle;
  std::mutex mutex;
};

Recorder* recorder() {
  static Recorder* const instance = []() -> Recorder* {
    const char* path = std::getenv("CUTILE_BUNDLE_RECORD");
    if (path == nullptr || *path == 0) return nullptr;
    static Recorder r;
    r.path = path;
    const char* archs = std::getenv("CUTILE_BUNDLE_ARCHS");
    std::string_view list = archs == nullptr ? "" : archs;
    if (list.empty())
      throw UsageError(
          "CUTILE_BUNDLE_RECORD is set; set CUTILE_BUNDLE_ARCHS too, for example to sm_90,sm_100");
    while (!list.empty()) {
      const std::size_t comma = list.find(',');
      r.archs.emplace_back(list.substr(0, comma));
      compiler::check_architecture(r.archs.back()).value();
      list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    const char* dry = std::getenv("CUTILE_BUNDLE_DRY");
    r.dry = dry != nullptr && std::string_view(dry) == "1";
    if (std::filesystem::exists(r.path)) r.bundle = compiler::Bundle::read(r.path).value();
    return &r;
  }();
  return instance;
}

} // namespace

void record_for_bundle(const ir::Module& module, const compiler::Options& options) {
  Recorder* const r = recorder();
  if (r == nullptr) return;
  const std::lock_guard lock(r->mutex);
  for (const std::string& arch : r->archs) {
    if (const auto has_all = compiler::check_requirement(module, arch); !has_all) {
      fmt::print(stderr, "left out of the bundle: {}\n", has_all.failure().message);
      continue;
    }
    r->bundle.add(module, arch, options).value();
  }
  r->bundle.write(r->path).value();
}

bool recording_dry() {
  const Recorder* const r = recorder();
  return r != nullptr && r->dry;
}

} // namespace cutile::runtime
