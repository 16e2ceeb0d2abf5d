#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cutile/error.hpp"
#include "ir/module.hpp"

namespace cutile::compiler {

/// `tileiras` and what it needs, as found on this machine.
struct Tool {
  std::filesystem::path tileiras, ptxas, libnvvm, tileirdisasm; ///< the last may be empty
  std::string found_by; ///< "CUTILE_TILEIRAS", "the project's .tools folder", ...
  std::string version;  ///< "13.5.37"
  std::vector<ir::Version>
      bytecode; ///< versions that it reads (probed), ascending, those that we write
};

/// Where kernels that failed to compile are kept: CUTILE_CACHE_DIR, else ~/.cache/cutile.
[[nodiscard]] std::filesystem::path cache_folder();

/// Finds the compiler, once per process: CUTILE_TILEIRAS; .tools of the project or working folder
/// and its parents; the wheels of the active Python environment; a CUDA toolkit of at least 13.3
/// (CUDA_HOME, CUDA_PATH, /usr/local/cuda*); PATH. The failure lists each place with what was wrong
/// there and how to install it.
[[nodiscard]] Result<Tool> find_tool();

/// Architectures that cutile compiles for: "sm_80", ...
[[nodiscard]] std::span<const std::string_view> architectures();
/// Fails with the list of those that exist for "sm_75", "sm_90a", "90", "".
[[nodiscard]] Result<void> check_architecture(std::string_view arch);

struct Options {
  int opt_level = 3;
  bool line_info = false;
  friend bool operator==(const Options&, const Options&) = default;
};

struct Cubin {
  std::vector<std::byte> bytes;
  std::string origin; ///< "memory", "bundle <path>", "tileiras <version>"
};

/// Runs tileiras on bytecode: no shell, a clean environment, a time limit
/// (CUTILE_COMPILE_TIMEOUT_S, default 300). On failure the message has the kernel's name, the
/// command, exit code or signal, stderr and the path of the kept input.
[[nodiscard]] Result<std::vector<std::byte>>
run_tileiras(const Tool& tool, std::span<const std::byte> bytecode, std::string_view kernel,
             std::string_view arch, const Options& options);

/// The cubin of `module` (one entry): from memory, from a loaded bundle, else by tileiras; the
/// first answer is remembered. Many threads asking for one cold kernel compile it once.
[[nodiscard]] Result<std::shared_ptr<const Cubin>>
cubin_for(const ir::Module& module, std::string_view arch, const Options& options = {});

/// An ahead-of-time bundle: cubins by key (hash of bytecode, architecture and options), with
/// checksums.
class Bundle {
 public:
  /// Reads a bundle; any damage (cut, flipped bits) is a failure that names the path.
  static Result<Bundle> read(const std::filesystem::path& path);
  /// Writes atomically (a temporary file, then a rename).
  [[nodiscard]] Result<void> write(const std::filesystem::path& path) const;
  /// Compiles `module` for `arch` by tileiras and adds it, unless it is there already.
  [[nodiscard]] Result<void> add(const ir::Module& module, std::string_view arch,
                                 const Options& options = {});
  struct Entry {
    std::uint64_t key_low = 0, key_high = 0;
    std::string kernel, arch, tool_version;
    ir::Version bytecode = ir::V13_1; ///< version of the bytecode that was hashed
    std::vector<std::byte> cubin;
  };
  /// Adds a cubin that was made elsewhere.
  void insert(Entry entry) { entries_.push_back(std::move(entry)); }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] const Entry* find(const ir::Module& module, std::string_view arch,
                                  const Options& options = {}) const;

 private:
  std::vector<Entry> entries_;
};
/// Makes a bundle's kernels known to `cubin_for`. CUTILE_BUNDLE (a path, or several separated by
/// ':') is loaded on first use.
[[nodiscard]] Result<void> load_bundle(const std::filesystem::path& path);

/// Text of bytecode by tileirdisasm (for tests and `cutile disasm --tool`).
[[nodiscard]] Result<std::string> disassemble(const Tool& tool,
                                              std::span<const std::byte> bytecode);

} // namespace cutile::compiler
