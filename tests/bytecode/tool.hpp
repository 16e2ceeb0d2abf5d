#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace cutile::testing {

inline constexpr const char* no_tool =
    "skipped: no GPU compiler here (set CUTILE_TILEIRAS to tileiras, or run scripts/deps)";

/// tileiras: CUTILE_TILEIRAS, else below .tools of the source folder.
inline std::optional<std::filesystem::path> find_tileiras() {
  namespace fs = std::filesystem;
  if (const char* named = std::getenv("CUTILE_TILEIRAS")) return fs::path(named);
  std::error_code error;
  const fs::path tools = fs::path(CUTILE_TEST_DATA).parent_path().parent_path() / ".tools";
  for (const auto& entry : fs::recursive_directory_iterator(tools, error)) {
    if (entry.path().filename() == "tileiras" && entry.is_regular_file()) return entry.path();
  }
  return std::nullopt;
}

/// A file in the temporary folder that goes away with the object.
class ScratchFile {
 public:
  ScratchFile(std::string_view suffix, std::span<const std::byte> bytes) {
    static int count = 0;
    path_ =
        std::filesystem::temp_directory_path() / ("cutile_test_" + std::to_string(getpid()) + "_" +
                                                  std::to_string(count++) + std::string(suffix));
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline support::ProcessResult disassemble(const std::filesystem::path& tileiras,
                                          std::span<const std::byte> bytecode,
                                          std::vector<std::string> options = {}) {
  const ScratchFile file(".tilebc", bytecode);
  options.push_back(file.path());
  return support::run_process(tileiras.parent_path() / "tileirdisasm", options,
                              std::chrono::minutes(1))
      .value();
}

inline support::ProcessResult assemble(const std::filesystem::path& tileiras,
                                       std::span<const std::byte> bytecode,
                                       const std::string& arch) {
  const ScratchFile in(".tilebc", bytecode), out(".cubin", {});
  return support::run_process(tileiras, {"--gpu-name", arch, "-o", out.path(), in.path()},
                              std::chrono::minutes(5))
      .value();
}

/// `text` with the names of values replaced by numbers in the order of their definitions and runs
/// of blanks made one, to compare it with another printer's. Both printers may use a name again in
/// another region.
inline std::string normalised(std::string_view text) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::size_t defined = 0;
  std::string out;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    const std::size_t assigned =
        line[first] == '%' ? line.find(" = ") : 0; // names before it are defined here
    bool in_string = false;
    std::string clean;
    for (std::size_t i = first; i < line.size();) {
      const char c = line[i];
      in_string = in_string != (c == '"');
      if (!in_string && c == '%') {
        const std::size_t end = std::min(line.find_first_of(" ,:#()[]=", i), line.size());
        const std::string name = line.substr(i, end - i);
        const std::string_view rest = std::string_view(line).substr(end);
        const bool definition = i < assigned || rest.starts_with(": ") ||
                                rest.starts_with(" in (") || rest.starts_with(" = ");
        if (definition) numbers[name] = defined++;
        clean += "%v" + std::to_string(numbers.contains(name) ? numbers[name] : ~std::size_t{0});
        i = end;
        continue;
      }
      if (in_string || c != ' ' || clean.empty() || clean.back() != ' ') clean += c;
      ++i;
    }
    while (!clean.empty() && clean.back() == ' ') clean.pop_back();
    out += clean + "\n";
  }
  return out;
}

} // namespace cutile::testing
