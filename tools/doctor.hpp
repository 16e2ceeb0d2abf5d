#pragma once

namespace cutile::tools {

/// Prints what cutile finds on this machine, runs one kernel on each device, and names the cure of
/// every problem. Returns 0 when the CPU works and, where there is a GPU, it does too.
int doctor();

} // namespace cutile::tools
