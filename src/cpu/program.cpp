#include "cpu/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>
#include <optional>

#include "cpu/isa/kernels.hpp"
#include "cpu/plan.hpp"
#include "cpu/pool.hpp"

namespace cutile::cpu {
namespace {

constexpr std::size_t alignment = 64;

std::string fault_text(const KernelFault& fault, std::string_view kernel) {
  const std::string place =
      fault.at.line == 0 ? "" : fmt::format("{}:{}: ", fault.at.file, fault.at.line);
  return fmt::format("{}kernel '{}': {}", place, kernel, fault.message);
}

/// Memory that a thread keeps from launch to launch.
class Arena {
 public:
  std::byte* reserve(std::size_t bytes) {
    if (bytes > size_) {
      memory_.reset(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{alignment})));
      size_ = bytes;
    }
    return memory_.get();
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{alignment}); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_ = 0;
};

class PlannedProgram final : public Program {
 public:
  PlannedProgram(std::string name, Plan plan) : name_(std::move(name)), plan_(std::move(plan)) {
    for (const CellInfo& cell : plan_.cells) {
      offsets_.push_back(arena_bytes_);
      arena_bytes_ += (cell.bytes + alignment - 1) / alignment * alignment;
    }
  }

  Result<void> run(Grid grid, std::span<const void* const> params, int threads) const override {
    if (params.size() != plan_.params.size()) {
      return internal_failure(fmt::format("kernel '{}' takes {} parameters, {} were given", name_,
                                          plan_.params.size(), params.size()));
    }
    const std::int64_t blocks = grid[0] * grid[1] * grid[2];
    if (blocks <= 0) return {};
    const int workers = threads > 0 ? threads : default_threads();
    // Small enough that threads finish together, large enough that taking a piece costs nothing.
    const std::int64_t grain =
        std::clamp<std::int64_t>(blocks / (std::int64_t{workers} * 16), 1, 64);
    std::atomic<bool> failed{false};
    std::mutex mutex;
    std::optional<Failure> failure;
    const auto fail = [&](Failure f) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::move(f);
      failed = true;
    };
    parallel_for(blocks, grain, workers, [&](int, std::int64_t first, std::int64_t last) {
      if (failed.load(std::memory_order_relaxed)) return;
      Thread* thread = nullptr;
      try {
        thread = &prepare(grid, params);
        for (std::int64_t b = first; b < last; ++b) {
          thread->block = {b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
          run_steps(plan_.body, *thread);
        }
      } catch (const KernelFault& fault) {
        fail(usage_failure(fmt::format("{} (tile block {}, {}, {})", fault_text(fault, name_),
                                       thread->block[0], thread->block[1], thread->block[2])));
      } catch (const std::bad_alloc&) {
        fail(device_failure(fmt::format(
            "kernel '{}': out of memory for its tiles ({} bytes a thread); use smaller tiles",
            name_, arena_bytes_)));
      }
    });
    if (failure) return *failure;
    return {};
  }

 private:
  /// This thread's state, ready for the program and these parameters. Constants are written only
  /// when the thread ran another program before.
  Thread& prepare(const Grid& grid, std::span<const void* const> params) const {
    static thread_local Thread thread;
    static thread_local Arena arena;
    static thread_local std::uint64_t prepared_for = 0;
    thread.grid = grid;
    if (prepared_for != id_) {
      prepared_for = 0;
      std::byte* const memory = arena.reserve(arena_bytes_);
      thread.home.resize(plan_.cells.size());
      for (std::size_t c = 0; c < plan_.cells.size(); ++c) thread.home[c] = memory + offsets_[c];
      thread.at = thread.home;
      for (std::size_t c = 0; c < plan_.cells.size(); ++c) {
        const CellInfo& cell = plan_.cells[c];
        if (!cell.fill.empty())
          fill_with(thread.home[c], cell.fill.data(), cell.fill.size(), cell.bytes);
      }
      thread.tensors.assign(plan_.tensors, {});
      if (thread.scratch.size() < plan_.scratch_floats) thread.scratch.resize(plan_.scratch_floats);
      prepared_for = id_;
    }
    for (std::size_t p = 0; p < params.size(); ++p) {
      const auto& [cell, bytes] = plan_.params[p];
      std::memcpy(thread.at[cell], params[p], bytes);
    }
    return thread;
  }

  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  std::string name_;
  Plan plan_;
  std::vector<std::size_t> offsets_;
  std::size_t arena_bytes_ = 0;
  std::uint64_t id_ = next_id();
};

} // namespace

Result<std::shared_ptr<const Program>> Program::compile(const ir::Module& module,
                                                        std::string_view entry) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                  [&](const ir::Function& f) { return f.name == entry; });
  if (found == module.functions.end())
    return usage_failure(fmt::format("the module has no entry '{}'", entry));
  try {
    return std::shared_ptr<const Program>(
        std::make_shared<PlannedProgram>(std::string(entry), make_plan(module, *found)));
  } catch (const KernelFault& fault) {
    return usage_failure(fault_text(fault, entry));
  }
}

std::string cpu_features() { return fmt::format("inner loops for {}", kernels().name); }

} // namespace cutile::cpu
