#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cutile/error.hpp"

namespace cutile::support {

/// The whole file. Failures name the path and the reason.
[[nodiscard]] Result<std::vector<std::byte>> read_file(const std::filesystem::path& path);
/// Writes a temporary file beside `path` and renames it, so that nobody sees half a file. Makes the
/// folder.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path,
                                      std::span<const std::byte> bytes);

/// A folder of our own, removed with all that is in it.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

} // namespace cutile::support
