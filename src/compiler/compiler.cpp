#include "compiler/compiler.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <future>
#include <map>
#include <mutex>

#include "bytecode/writer.hpp"
#include "compiler/key.hpp"
#include "compiler/requirements.hpp"
#include "ir/text.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

// Running tileiras, and remembering what it made.

namespace cutile::compiler {
namespace {

namespace fs = std::filesystem;

std::chrono::seconds time_limit() {
  const char* asked = std::getenv("CUTILE_COMPILE_TIMEOUT_S");
  const int seconds = asked == nullptr ? 0 : std::atoi(asked);
  return std::chrono::seconds(seconds > 0 ? seconds : 300);
}

const char* meaning(int exit_code) {
  switch (exit_code) {
  case 2: return "it knows no such option or architecture";
  case 3: return "it rejects the bytecode";
  case 5:
    return "its back end refused the kernel, or a helper (ptxas, libnvvm) is missing or of another "
           "version";
  default: return "";
  }
}

std::vector<std::string> arguments(std::string_view arch, const Options& options,
                                   const fs::path& output, const fs::path& input) {
  std::vector<std::string> out{"--gpu-name", std::string(arch),
                               fmt::format("-O{}", options.opt_level)};
  if (options.line_info) out.emplace_back("--lineinfo");
  out.insert(out.end(), {"-o", output.string(), input.string()});
  return out;
}

/// Keeps the input of a compilation that failed and says how to repeat it.
std::string keep_input(const Tool& tool, std::span<const std::byte> bytecode,
                       std::string_view kernel, std::string_view arch, const Options& options) {
  const support::Hash128 hash = support::hash128(bytecode);
  const fs::path kept =
      cache_folder() / "failed" / fmt::format("{}-{:016x}.tilebc", kernel, hash.low);
  if (const auto done = support::write_file(kept, bytecode); !done) {
    return fmt::format("its input could not be kept: {}", done.failure().message);
  }
  return fmt::format("its input is kept; repeat with: {} {}", tool.tileiras.string(),
                     fmt::join(arguments(arch, options, "out.cubin", kept), " "));
}

std::string ending(const support::ProcessResult& run) {
  if (run.timed_out)
    return fmt::format("did not end within {} s (CUTILE_COMPILE_TIMEOUT_S) and was stopped",
                       time_limit().count());
  if (run.signal != 0)
    return fmt::format("crashed with signal {} ({})", run.signal, strsignal(run.signal));
  const std::string_view why = meaning(run.exit_code);
  return fmt::format("failed with exit code {}{}{}", run.exit_code, why.empty() ? "" : ": ", why);
}

bool is_elf(std::span<const std::byte> bytes) {
  return bytes.size() > 64 && std::memcmp(bytes.data(),
                                          "\x7f"
                                          "ELF",
                                          4) == 0;
}

/// CUTILE_DUMP_DIR: every stage of every kernel, by name.
void dump(const ir::Module& module, std::string_view arch, std::span<const std::byte> bytecode,
          std::span<const std::byte> cubin) {
  const char* folder = std::getenv("CUTILE_DUMP_DIR");
  if (folder == nullptr || *folder == 0) return;
  const std::string name = module.functions.front().name;
  const std::string text = ir::print(module);
  const fs::path stem =
      fs::path(folder) / fmt::format("{}-{:08x}", name, support::hash64(bytecode) & 0xffffffffU);
  for (const auto& [suffix, bytes] : {std::pair{std::string(".tilebc"), bytecode},
                                      {std::string(".mlir"), std::as_bytes(std::span(text))},
                                      {fmt::format(".{}.cubin", arch), cubin}}) {
    support::write_file(stem.string() + suffix, bytes).value();
  }
}

Result<std::shared_ptr<const Cubin>> compile(const ir::Module& module, std::string_view arch,
                                             const Options& options) {
  if (const auto known = check_architecture(arch); !known) return known.failure();
  if (const auto has_all = check_requirement(module, arch); !has_all) return has_all.failure();
  const auto bundled = find_in_bundles(module, arch, options);
  if (!bundled) return bundled.failure();
  if (bundled->cubin != nullptr) return bundled->cubin;
  const std::string& kernel = module.functions.front().name;
  const Result<Tool> tool = find_tool();
  if (!tool) {
    const std::string& looked_at = bundled->looked_at;
    return device_failure(
        fmt::format("kernel '{}' must be compiled for {}{}, and {}", kernel, arch,
                    looked_at.empty() ? "" : " (it is in none of the bundles" + looked_at + ")",
                    tool.failure().message));
  }
  const auto bytecode = bytecode::write(module, tool->bytecode.back());
  if (!bytecode) return bytecode.failure();
  auto cubin = run_tileiras(*tool, *bytecode, kernel, arch, options);
  if (!cubin) return cubin.failure();
  dump(module, arch, *bytecode, *cubin);
  return std::make_shared<const Cubin>(Cubin{std::move(*cubin), "tileiras " + tool->version});
}

} // namespace

Result<std::vector<std::byte>> run_tileiras(const Tool& tool, std::span<const std::byte> bytecode,
                                            std::string_view kernel, std::string_view arch,
                                            const Options& options) {
  const auto folder = support::TemporaryFolder::make();
  if (!folder) return folder.failure();
  const fs::path input = folder->path() / "kernel.tilebc", output = folder->path() / "kernel.cubin";
  if (const auto done = support::write_file(input, bytecode); !done) return done.failure();
  const auto run =
      support::run_process(tool.tileiras, arguments(arch, options, output, input), time_limit());
  if (!run) return run.failure();
  const auto fail = [&](const std::string& what) {
    const std::string said = run->output.empty() ? "" : "\n  it said: " + run->output;
    return device_failure(fmt::format("kernel '{}' for {}: tileiras {} {}{}\n  {}", kernel, arch,
                                      tool.version, what, said,
                                      keep_input(tool, bytecode, kernel, arch, options)));
  };
  if (!run->good()) return fail(ending(*run));
  auto cubin = support::read_file(output);
  if (!cubin) return fail("wrote no cubin");
  if (!is_elf(*cubin))
    return fail(
        fmt::format("wrote a file of {} bytes that is no cubin; is the disk full?", cubin->size()));
  return cubin;
}

Result<std::shared_ptr<const Cubin>> cubin_for(const ir::Module& module, std::string_view arch,
                                               const Options& options) {
  using Outcome = Result<std::shared_ptr<const Cubin>>;
  // The key does not depend on the tool, which stays the same as long as the process lives.
  const auto bytecode = bytecode::write(module, ir::V13_5);
  if (!bytecode) return bytecode.failure();
  const support::Hash128 key = kernel_key(*bytecode, arch, options);
  static std::map<support::Hash128, std::shared_future<Outcome>> known;
  static std::mutex mutex;
  std::promise<Outcome> promise;
  std::shared_future<Outcome> future;
  bool ours = false;
  {
    const std::lock_guard lock(mutex);
    const auto [it, added] = known.try_emplace(key);
    if (added) it->second = promise.get_future().share();
    future = it->second;
    ours = added;
  }
  if (!ours) return future.get();
  Outcome outcome = compile(module, arch, options);
  promise.set_value(outcome);
  if (!outcome) { // the next try may find a tool that is repaired
    const std::lock_guard lock(mutex);
    known.erase(key);
  }
  return outcome;
}

Result<std::string> disassemble(const Tool& tool, std::span<const std::byte> bytecode) {
  if (tool.tileirdisasm.empty()) {
    return device_failure(
        fmt::format("there is no tileirdisasm beside {}; it comes with tileiras 13.4 and newer",
                    tool.tileiras.string()));
  }
  const auto folder = support::TemporaryFolder::make();
  if (!folder) return folder.failure();
  const fs::path input = folder->path() / "kernel.tilebc";
  if (const auto done = support::write_file(input, bytecode); !done) return done.failure();
  const auto run = support::run_process(tool.tileirdisasm, {input.string()}, time_limit());
  if (!run) return run.failure();
  if (!run->good())
    return device_failure(fmt::format("tileirdisasm {}: {}", ending(*run), run->output));
  return run->output;
}

} // namespace cutile::compiler
