#pragma once

#include "trace/kernel_spec.hpp"

namespace cutile::checks {

/// Sees to it that every load through a view stays inside the view's grid. For each index, the
/// first that holds: it is bounded by that very grid; the launch can compare its bound with the
/// grid (a LaunchCheck is added); else an assertion stands before the load. Stores need none:
/// outputs mint their own indices.
void place_bounds_checks(trace::TracedKernel& kernel);

} // namespace cutile::checks
