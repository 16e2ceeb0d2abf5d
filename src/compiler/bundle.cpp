#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>

#include "bytecode/writer.hpp"
#include "compiler/key.hpp"
#include "support/files.hpp"

// A bundle file: magic, format, number of entries; the entries; a checksum of all that stands
// before it. Each entry: key, bytecode version, three texts (kernel, architecture, version of the
// tool), the cubin. Numbers are little-endian, texts and the cubin are preceded by their size.

namespace cutile::compiler {
namespace {

constexpr std::string_view magic{"CUTILEB\0", 8};
constexpr std::uint32_t format = 1;

class Output {
 public:
  template <class Int> void number(Int v) {
    for (std::size_t i = 0; i < sizeof(Int); ++i)
      bytes.push_back(static_cast<std::byte>((static_cast<std::uint64_t>(v) >> (8 * i)) & 0xffU));
  }
  void raw(std::span<const std::byte> data) { bytes.insert(bytes.end(), data.begin(), data.end()); }
  void blob(std::span<const std::byte> data) {
    number(static_cast<std::uint64_t>(data.size()));
    raw(data);
  }
  void text(std::string_view s) { blob(std::as_bytes(std::span(s))); }
  std::vector<std::byte> bytes;
};

/// Reads what may be damaged: past the end everything is empty and `good` is false.
class Input {
 public:
  explicit Input(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class Int> Int number() {
    const auto data = take(sizeof(Int));
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < data.size(); ++i)
      v |= static_cast<std::uint64_t>(data[i]) << (8 * i);
    return static_cast<Int>(v);
  }
  std::span<const std::byte> take(std::uint64_t size) {
    if (size > rest_.size()) {
      good = false;
      return {};
    }
    const auto out = rest_.first(size);
    rest_ = rest_.subspan(size);
    return out;
  }
  std::span<const std::byte> blob() { return take(number<std::uint64_t>()); }
  std::string text() {
    const auto data = blob();
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }
  bool good = true;

 private:
  std::span<const std::byte> rest_;
};

} // namespace

support::Hash128 kernel_key(std::span<const std::byte> bytecode, std::string_view arch,
                            const Options& options) {
  Output key;
  key.text(arch);
  key.number(options.opt_level);
  key.number(static_cast<std::uint8_t>(options.line_info));
  key.raw(bytecode);
  return support::hash128(key.bytes);
}

Result<Bundle> Bundle::read(const std::filesystem::path& path) {
  const auto bytes = support::read_file(path);
  if (!bytes) return bytes.failure();
  const auto damaged = [&](std::string_view what) {
    return device_failure(
        fmt::format("{}: this bundle is damaged ({}); make it again", path.string(), what));
  };
  constexpr std::size_t sum_size = sizeof(std::uint64_t);
  if (bytes->size() < magic.size() + sum_size ||
      std::memcmp(bytes->data(), magic.data(), magic.size()) != 0)
    return damaged("it does not start as one");
  const auto body = std::span(*bytes).first(bytes->size() - sum_size);
  Input sum{std::span<const std::byte>(*bytes).last(sum_size)};
  if (sum.number<std::uint64_t>() != support::hash64(body)) return damaged("its checksum differs");
  Input in(body.subspan(magic.size()));
  if (in.number<std::uint32_t>() != format) return damaged("it is of another format");
  Bundle bundle;
  const auto count = in.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count && in.good; ++i) {
    Entry e;
    e.key_low = in.number<std::uint64_t>();
    e.key_high = in.number<std::uint64_t>();
    e.bytecode = static_cast<ir::Version>(in.number<std::uint16_t>());
    e.kernel = in.text();
    e.arch = in.text();
    e.tool_version = in.text();
    const auto cubin = in.blob();
    e.cubin.assign(cubin.begin(), cubin.end());
    bundle.entries_.push_back(std::move(e));
  }
  if (!in.good || !in.empty()) return damaged("its entries do not fill it");
  return bundle;
}

Result<void> Bundle::write(const std::filesystem::path& path) const {
  Output out;
  out.raw(std::as_bytes(std::span(magic)));
  out.number(format);
  out.number(static_cast<std::uint32_t>(entries_.size()));
  for (const Entry& e : entries_) {
    out.number(e.key_low);
    out.number(e.key_high);
    out.number(static_cast<std::uint16_t>(e.bytecode));
    out.text(e.kernel);
    out.text(e.arch);
    out.text(e.tool_version);
    out.blob(e.cubin);
  }
  out.number(support::hash64(out.bytes));
  return support::write_file(path, out.bytes);
}

const Bundle::Entry* Bundle::find(const ir::Module& module, std::string_view arch,
                                  const Options& options) const {
  // Usually all entries were made from one version of the bytecode.
  ir::Version version{};
  support::Hash128 key;
  for (const Entry& e : entries_) {
    if (e.arch != arch || e.kernel != module.functions.front().name) continue;
    if (e.bytecode != version) {
      version = e.bytecode;
      const auto bytecode = bytecode::write(module, version);
      if (!bytecode) continue;
      key = kernel_key(*bytecode, arch, options);
    }
    if (e.key_low == key.low && e.key_high == key.high) return &e;
  }
  return nullptr;
}

Result<void> Bundle::add(const ir::Module& module, std::string_view arch, const Options& options) {
  if (find(module, arch, options) != nullptr) return {};
  const Result<Tool> tool = find_tool();
  if (!tool) return tool.failure();
  const ir::Version version = tool->bytecode.back();
  const auto bytecode = bytecode::write(module, version);
  if (!bytecode) return bytecode.failure();
  const std::string& kernel = module.functions.front().name;
  auto cubin = run_tileiras(*tool, *bytecode, kernel, arch, options);
  if (!cubin) return cubin.failure();
  const support::Hash128 key = kernel_key(*bytecode, arch, options);
  entries_.push_back(
      {key.low, key.high, kernel, std::string(arch), tool->version, version, std::move(*cubin)});
  return {};
}

namespace {

struct Loaded {
  std::filesystem::path path;
  Result<Bundle> bundle;
};

std::mutex loaded_mutex;

/// Those of CUTILE_BUNDLE and of load_bundle; under the mutex.
std::vector<Loaded>& loaded() {
  static std::vector<Loaded> bundles = [] {
    std::vector<Loaded> out;
    const char* paths = std::getenv("CUTILE_BUNDLE");
    std::istringstream list(paths == nullptr ? "" : paths);
    for (std::string path; std::getline(list, path, ':');) {
      if (!path.empty()) out.push_back({path, Bundle::read(path)});
    }
    return out;
  }();
  return bundles;
}

} // namespace

Result<BundledCubin> find_in_bundles(const ir::Module& module, std::string_view arch,
                                     const Options& options) {
  const std::lock_guard lock(loaded_mutex);
  BundledCubin result;
  for (const Loaded& l : loaded()) {
    if (!l.bundle) return l.bundle.failure();
    result.looked_at += fmt::format(" {}", l.path.string());
    if (const Bundle::Entry* entry = l.bundle->find(module, arch, options)) {
      result.cubin =
          std::make_shared<const Cubin>(Cubin{entry->cubin, "bundle " + l.path.string()});
      return result;
    }
  }
  return result;
}

Result<void> load_bundle(const std::filesystem::path& path) {
  Result<Bundle> bundle = Bundle::read(path);
  if (!bundle) return bundle.failure();
  const std::lock_guard lock(loaded_mutex);
  loaded().push_back({path, std::move(bundle)});
  return {};
}

} // namespace cutile::compiler
