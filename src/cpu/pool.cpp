#include "cpu/pool.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "cpu/program.hpp"

namespace cutile::cpu {
namespace {

using Work = std::function<void(int, std::int64_t, std::int64_t)>;

/// Threads that wait for a job, run it together and wait again.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  void run(std::int64_t count, std::int64_t grain, int threads, const Work& work) {
    const std::lock_guard turn(turn_);
    const int helpers =
        std::max(0, std::min<int>(threads, static_cast<int>((count + grain - 1) / grain)) - 1);
    {
      const std::lock_guard lock(mutex_);
      while (static_cast<int>(threads_.size()) < helpers) {
        const int number = static_cast<int>(threads_.size()) + 1;
        threads_.emplace_back(
            [this, number](const std::stop_token& stop) { wait_for_jobs(stop, number); });
      }
      next_.store(0, std::memory_order_relaxed);
      count_ = count;
      grain_ = grain;
      work_ = &work;
      wanted_ = helpers;
      running_ = helpers;
      ++job_;
    }
    if (helpers > 0) wake_.notify_all();
    take(0);
    if (helpers > 0) {
      std::unique_lock lock(mutex_);
      done_.wait(lock, [&] { return running_ == 0; });
    }
  }

 private:
  void take(int worker) {
    for (;;) {
      const std::int64_t first = next_.fetch_add(grain_, std::memory_order_relaxed);
      if (first >= count_) return;
      (*work_)(worker, first, std::min(first + grain_, count_));
    }
  }

  void wait_for_jobs(const std::stop_token& stop, int number) {
    std::uint64_t seen = 0;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        if (!wake_.wait(lock, stop, [&] { return job_ != seen && number <= wanted_; })) return;
        seen = job_;
      }
      take(number);
      const std::lock_guard lock(mutex_);
      if (--running_ == 0) done_.notify_one();
    }
  }

  std::mutex turn_, mutex_;
  std::condition_variable_any wake_;
  std::condition_variable done_;
  std::atomic<std::int64_t> next_{0};
  std::int64_t count_ = 0, grain_ = 1;
  const Work* work_ = nullptr;
  int wanted_ = 0, running_ = 0;
  std::uint64_t job_ = 0;
  std::vector<std::jthread> threads_; // last: they use everything above
};

} // namespace

void parallel_for(std::int64_t count, std::int64_t grain, int threads, const Work& work) {
  if (threads <= 1 || count <= grain) {
    work(0, 0, count);
    return;
  }
  Pool::instance().run(count, grain, threads, work);
}

int default_threads() {
  static const int threads = [] {
    if (const char* asked = std::getenv("CUTILE_NUM_THREADS")) {
      const int n = std::atoi(asked);
      if (n > 0) return n;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }();
  return threads;
}

} // namespace cutile::cpu
