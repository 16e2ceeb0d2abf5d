#pragma once

#include <string>
#include <vector>

namespace cutile::tools {

/// `cutile run`: one launch of an entry of a Tile IR module, whoever made it.
struct RunRequest {
  std::string module; ///< a .tilebc file
  std::string entry;  ///< empty: the only one
  std::string device = "cpu";
  std::vector<std::int64_t> grid;
  std::vector<std::string> args;  ///< x.npy, or 3:i32
  std::vector<std::string> saves; ///< 2=out.npy
};
/// Throws Error for anything that does not fit together.
void run_module(const RunRequest& request);

} // namespace cutile::tools
