#pragma once

#include <cstdint>
#include <functional>

namespace cutile::cpu {

/// Calls work(worker, first, last) for pieces of [0, count), `grain` at a time, on `threads`
/// threads, this one included (worker 0), and waits. Exceptions must not leave `work`. One call at
/// a time has the threads; others wait their turn.
void parallel_for(
    std::int64_t count, std::int64_t grain, int threads,
    const std::function<void(int worker, std::int64_t first, std::int64_t last)>& work);

} // namespace cutile::cpu
