#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "bytecode/writer.hpp"
#include "compiler/compiler.hpp"
#include "ir/builder.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

// Finding tileiras and its helpers.

namespace cutile::compiler {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* cure =
    "run scripts/get_tileiras, or set CUTILE_TILEIRAS to the program's path";
constexpr ir::Version written[] = {ir::V13_1, ir::V13_2, ir::V13_3, ir::V13_4, ir::V13_5};

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// The first of `candidates` under `folder` that is a file.
fs::path first_file(const fs::path& folder, std::initializer_list<const char*> candidates) {
  std::error_code ignored;
  for (const char* candidate : candidates) {
    if (fs::exists(folder / candidate, ignored)) return (folder / candidate).lexically_normal();
  }
  return {};
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The text after "V" in "release 13.5, V13.5.37".
std::string version_in(const std::string& output) {
  const std::size_t v = output.rfind(", V");
  if (v == std::string::npos) return "";
  const std::size_t end = output.find_first_not_of("0123456789.", v + 3);
  return output.substr(v + 3, end - v - 3);
}

/// Bytecode of a kernel that does nothing.
std::vector<std::byte> empty_kernel(ir::Version version) {
  ir::Module module;
  ir::Builder b = ir::Builder::entry(module, "probe", {});
  b.emit_groups(ir::Op::return_, {}, {});
  return bytecode::write(module, version).value();
}

/// The versions that the tool reads: as it lists them, else, in older tools, by trying.
Result<std::vector<ir::Version>> versions_of(const fs::path& tileiras) {
  std::vector<ir::Version> known;
  const auto listed = support::run_process(tileiras, {"--list-versions"}, 20s);
  if (!listed) return listed.failure();
  if (listed->good()) {
    std::istringstream words(listed->output);
    for (std::string word; words >> word;) {
      for (const ir::Version v : written) {
        if (word == fmt::format("{}.{}", v / 100, v % 100)) known.push_back(v);
      }
    }
    if (!known.empty()) return known;
  }
  const auto folder = support::TemporaryFolder::make();
  if (!folder) return folder.failure();
  for (const ir::Version v : written) {
    const fs::path input = folder->path() / "probe.tilebc";
    if (const auto done = support::write_file(input, empty_kernel(v)); !done) return done.failure();
    const auto run = support::run_process(
        tileiras, {"--gpu-name", "sm_100", "-o", (folder->path() / "out").string(), input.string()},
        60s);
    if (run && run->good()) known.push_back(v);
  }
  return known;
}

Result<Tool> check(const fs::path& path, std::string found_by) {
  const fs::path tileiras = path.lexically_normal();
  if (!is_program(tileiras)) {
    return device_failure(fmt::format("{} is no program", tileiras.string()));
  }
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(tileiras, ignored);
  const fs::path bin = (ignored ? tileiras : real).parent_path();
  Tool tool;
  tool.tileiras = tileiras;
  tool.found_by = std::move(found_by);
  tool.ptxas = first_file(bin, {"ptxas"});
  tool.libnvvm = first_file(bin, {"../lib/libnvvm.so.4", "../lib64/libnvvm.so.4",
                                  "../nvvm/lib64/libnvvm.so.4", "../nvvm/lib/libnvvm.so.4"});
  tool.tileirdisasm = first_file(bin, {"tileirdisasm"});
  const auto version = support::run_process(tileiras, {"--version"}, 20s);
  if (!version) return version.failure();
  tool.version = version_in(version->output);
  if (!version->good() || tool.version.empty()) {
    return device_failure(fmt::format("{} --version does not answer as tileiras does: {}",
                                      tileiras.string(), version->output.substr(0, 200)));
  }
  if (tool.ptxas.empty()) {
    return device_failure(fmt::format("{} has no ptxas beside it ({}); its helper comes in the "
                                      "package nvidia-cuda-nvcc of the same version",
                                      tileiras.string(), (bin / "ptxas").string()));
  }
  if (tool.libnvvm.empty()) {
    return device_failure(fmt::format("{} finds no libnvvm.so.4 ({}); it comes in the package "
                                      "nvidia-nvvm of the same version",
                                      tileiras.string(),
                                      (bin / "../lib").lexically_normal().string()));
  }
  const auto versions = versions_of(tileiras);
  if (!versions) return versions.failure();
  tool.bytecode = *versions;
  if (tool.bytecode.empty()) {
    return device_failure(fmt::format("{} ({}) reads no bytecode from 13.1 to 13.5",
                                      tileiras.string(), tool.version));
  }
  return tool;
}

struct Candidate {
  fs::path path;
  std::string found_by;
};

void add_wheels(std::vector<Candidate>& out, const fs::path& prefix) {
  // prefix/lib/python3.N/site-packages/nvidia/cuNN/bin/tileiras
  std::error_code ignored;
  for (const fs::directory_entry& python : fs::directory_iterator(prefix / "lib", ignored)) {
    if (!python.path().filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      const fs::path nvidia = python.path() / packages / "nvidia";
      for (const fs::directory_entry& toolkit : fs::directory_iterator(nvidia, ignored)) {
        const fs::path program = toolkit.path() / "bin/tileiras";
        if (fs::exists(program, ignored)) {
          out.push_back({program, "the wheels of the Python in " + prefix.string()});
        }
      }
    }
  }
}

std::vector<fs::path> search_path() {
  std::vector<fs::path> out;
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty()) out.emplace_back(folder);
  }
  return out;
}

std::vector<Candidate> candidates() {
  std::vector<Candidate> out;
  std::error_code ignored;
  // The local folder of the project: of the working folder or of the program, or above.
  for (fs::path start : {fs::current_path(ignored), fs::read_symlink("/proc/self/exe", ignored)}) {
    for (; !start.empty(); start = start.parent_path()) {
      const fs::path program = start / ".tools/cuda/bin/tileiras";
      if (fs::exists(program, ignored)) out.push_back({program, "the project's .tools folder"});
      if (start == start.root_path()) break;
    }
  }
  if (const std::string v = environment("VIRTUAL_ENV"); !v.empty()) add_wheels(out, v);
  for (const fs::path& folder : search_path()) {
    if (fs::exists(folder / "python3", ignored)) add_wheels(out, folder.parent_path());
  }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const std::string home = environment(name);
    if (!home.empty() && fs::exists(home + "/bin/tileiras", ignored)) {
      out.push_back({home + "/bin/tileiras", name});
    }
  }
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", ignored)) {
    const fs::path program = entry.path() / "bin/tileiras";
    if (entry.path().filename().string().starts_with("cuda") && fs::exists(program, ignored)) {
      out.push_back({program, "the CUDA toolkit in " + entry.path().string()});
    }
  }
  for (const fs::path& folder : search_path()) {
    if (fs::exists(folder / "tileiras", ignored)) out.push_back({folder / "tileiras", "PATH"});
  }
  return out;
}

Result<Tool> find() {
  if (const std::string asked = environment("CUTILE_TILEIRAS"); !asked.empty()) {
    Result<Tool> tool = check(asked, "CUTILE_TILEIRAS");
    if (tool) return tool;
    return device_failure(fmt::format("CUTILE_TILEIRAS: {}; {}", tool.failure().message, cure));
  }
  std::string tried;
  for (const Candidate& c : candidates()) {
    Result<Tool> tool = check(c.path, c.found_by);
    if (tool) return tool;
    tried += fmt::format("\n  {} (by {}): {}", c.path.string(), c.found_by, tool.failure().message);
  }
  if (tried.empty()) {
    tried = "\n  nothing in CUTILE_TILEIRAS, .tools of this folder and those above, the Python "
            "environment's wheels, CUDA_HOME, CUDA_PATH, /usr/local/cuda*, PATH";
  }
  return device_failure(
      fmt::format("no GPU compiler (tileiras) was found:{}\n  cure: {}", tried, cure));
}

} // namespace

Result<Tool> find_tool() {
  static const Result<Tool> tool = find();
  return tool;
}

std::span<const std::string_view> architectures() {
  static constexpr std::string_view all[] = {"sm_80",  "sm_86",  "sm_87",  "sm_88",
                                             "sm_89",  "sm_90",  "sm_100", "sm_103",
                                             "sm_110", "sm_120", "sm_121"};
  return all;
}

Result<void> check_architecture(std::string_view arch) {
  const auto all = architectures();
  if (std::find(all.begin(), all.end(), arch) != all.end()) return {};
  return usage_failure(fmt::format("'{}' is no architecture that tiles compile for; there are {}",
                                   arch, fmt::join(all, ", ")));
}

fs::path cache_folder() {
  if (const std::string asked = environment("CUTILE_CACHE_DIR"); !asked.empty()) return asked;
  const std::string home = environment("HOME");
  return home.empty() ? fs::path("/tmp/cutile-cache") : fs::path(home) / ".cache/cutile";
}

} // namespace cutile::compiler
