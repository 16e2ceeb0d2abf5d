#include "support/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace cutile::support {
namespace fs = std::filesystem;

Result<std::vector<std::byte>> read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in)
    return device_failure(
        fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  const std::streamoff size = in.tellg();
  if (size < 0) return device_failure(fmt::format("{}: is not a file", path.string()));
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  in.seekg(0);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), size))
    return device_failure(fmt::format("{}: cannot be read", path.string()));
  return bytes;
}

Result<void> write_file(const fs::path& path, std::span<const std::byte> bytes) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  const fs::path temporary = path.string() + fmt::format(".{}.tmp", getpid());
  std::ofstream out(temporary, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) fs::rename(temporary, path, error);
  if (!out || error) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    fs::remove(temporary, error);
    return device_failure(fmt::format("{}: cannot be written: {}", path.string(), reason));
  }
  return {};
}

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  std::string name = (error ? fs::path("/tmp") : base).string() + "/cutile-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    return device_failure(
        fmt::format("{}: no temporary folder: {}; set TMPDIR", name, std::strerror(errno)));
  return TemporaryFolder(name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored; // nobody to tell
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

} // namespace cutile::support
