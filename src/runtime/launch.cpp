#include <fmt/format.h>

#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "checks/bounds.hpp"
#include "compiler/compiler.hpp"
#include "cpu/program.hpp"
#include "cuda/driver.hpp"
#include "runtime/bundle_recorder.hpp"
#include "runtime/launch.hpp"
#include "runtime/storage.hpp"
#include "trace/trace.hpp"

// From a kernel and its arguments to a launch: checks, specialisation, the table of compiled forms,
// parameters.

namespace cutile::detail {

static_assert(static_cast<int>(ArgKind::scalar) == static_cast<int>(trace::ArgKind::scalar));

namespace {

using trace::Specialisation;
using Args = std::span<const ArgValue>;

constexpr std::size_t max_args = 32;

std::string place(SourceLoc at, const char* kernel) {
  return fmt::format("{}:{}: kernel '{}'", at.file, at.line, kernel);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

Specialisation facts_of(const ArgValue& arg) {
  Specialisation s;
  if (arg.kind == ArgKind::scalar) return s;
  s.aligned16 = reinterpret_cast<std::uintptr_t>((*arg.storage)->data()) % 16 == 0 ? 1 : 0;
  std::int64_t last = 0; // offset of the last element
  for (int a = 0; a < arg.rank; ++a) {
    const std::int64_t extent = arg.extents[a], stride = arg.strides[a];
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(a));
    if (extent % 16 == 0) s.extents_div16 |= bit;
    if (stride == 1) {
      s.unit_strides |= bit;
    } else if (stride % 16 == 0) {
      s.strides_div16 |= bit;
    }
    std::int64_t reach = 0; // of an empty tensor anything may come out
    if (__builtin_mul_overflow(extent - 1, stride, &reach) ||
        __builtin_add_overflow(last, reach, &last)) {
      s.wide = 1;
    }
    if (extent > std::numeric_limits<std::int32_t>::max() ||
        stride > std::numeric_limits<std::int32_t>::max())
      s.wide = 1;
  }
  if (last > std::numeric_limits<std::int32_t>::max()) s.wide = 1;
  return s;
}

/// A compiled form: for which facts, device and options it holds, and how to launch it.
struct Compiled {
  std::array<Specialisation, max_args> facts{};
  Device device = Device::cpu();
  Options options{};
  std::vector<trace::ParamSource> params;
  std::vector<trace::LaunchCheck> checks;
  std::shared_ptr<const cpu::Program> program; ///< CPU
  cuda::Function function{};                   ///< GPU
  Compiled* next = nullptr;                    ///< in the site's list, which only grows
};

struct SiteState {
  std::atomic<Compiled*> first{nullptr};
  std::mutex compiling;
};

SiteState& state_of(KernelSite& site) {
  void* state = site.state.load(std::memory_order_acquire);
  if (state == nullptr) {
    auto fresh = std::make_unique<SiteState>();
    if (site.state.compare_exchange_strong(state, fresh.get(), std::memory_order_acq_rel))
      state = fresh.release();
  }
  return *static_cast<SiteState*>(state); // lives as long as the process, as the modules do
}

Compiled* find(SiteState& state, const std::array<Specialisation, max_args>& facts,
               std::size_t count, Device device, const Options& options) {
  for (Compiled* c = state.first.load(std::memory_order_acquire); c != nullptr; c = c->next) {
    if (c->device == device && c->options == options &&
        std::equal(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(count),
                   c->facts.begin())) {
      return c;
    }
  }
  return nullptr;
}

trace::TracedKernel trace_kernel(const KernelSite& site, const Options& options, Args args,
                                 const std::array<Specialisation, max_args>& facts) {
  std::vector<trace::ArgSpec> specs;
  for (std::size_t i = 0; i < args.size(); ++i) {
    trace::ArgSpec spec{.kind = static_cast<trace::ArgKind>(args[i].kind),
                        .dtype = args[i].dtype,
                        .rank = args[i].rank,
                        .tile = {},
                        .facts = facts[i]};
    for (int a = 0; args[i].tile != nullptr && a < args[i].rank; ++a)
      spec.tile[static_cast<std::size_t>(a)] = args[i].tile[a];
    specs.push_back(spec);
  }
  trace::Trace t(
      site.name, site.at, specs,
      {.occupancy = options.occupancy, .worker_warps = options.worker_warps, .ctas = options.ctas});
  site.trace();
  trace::TracedKernel kernel = t.finish().value();
  checks::place_bounds_checks(kernel);
  return kernel;
}

std::unique_ptr<Compiled> compile(const KernelSite& site, const Options& options, Args args,
                                  const std::array<Specialisation, max_args>& facts,
                                  Device device) {
  trace::TracedKernel kernel = trace_kernel(site, options, args, facts);
  auto compiled = std::make_unique<Compiled>();
  compiled->facts = facts;
  compiled->device = device;
  compiled->options = options;
  if (kernel.params.size() > max_params) {
    throw UsageError(fmt::format("{}: more than {} parameters; pass fewer tensors",
                                 place(site.at, site.name), max_params));
  }
  const compiler::Options flags{.opt_level = options.opt_level};
  if (device.is_cuda()) {
    const cuda::DeviceInfo info = cuda::device_info(device.index()).value();
    const auto cubin = compiler::cubin_for(kernel.module, info.arch(), flags).value();
    compiled->function = cuda::load(cubin->bytes, site.name, device.index()).value();
  } else {
    runtime::record_for_bundle(kernel.module, flags);
    compiled->program = cpu::Program::compile(kernel.module, site.name).value();
  }
  compiled->params = std::move(kernel.params);
  compiled->checks = std::move(kernel.checks);
  return compiled;
}

Compiled& compiled_for(KernelSite& site, const Options& options, Args args, Device device) {
  std::array<Specialisation, max_args> facts{};
  for (std::size_t i = 0; i < args.size(); ++i) facts[i] = facts_of(args[i]);
  SiteState& state = state_of(site);
  if (Compiled* known = find(state, facts, args.size(), device, options)) return *known;
  // One thread compiles a cold kernel, the others wait for it.
  const std::lock_guard lock(state.compiling);
  if (Compiled* known = find(state, facts, args.size(), device, options)) return *known;
  std::unique_ptr<Compiled> fresh = compile(site, options, args, facts, device);
  fresh->next = state.first.load(std::memory_order_relaxed);
  Compiled* const result = fresh.release();
  state.first.store(result, std::memory_order_release);
  return *result;
}

using Grid = std::array<std::int64_t, 3>;

std::int64_t pieces(const ArgValue& arg) {
  std::int64_t n = 1;
  for (int a = 0; a < arg.rank; ++a) n *= ceil_div(arg.extents[a], arg.tile[a]);
  return n;
}

/// Blocks that the device runs at once, for persistent kernels.
std::int64_t resident_blocks(Device device, const Options& options) {
  if (!device.is_cuda()) return cpu::default_threads();
  static std::array<std::atomic<int>, 64> multiprocessors{};
  std::atomic<int>& known = multiprocessors.at(static_cast<std::size_t>(device.index()));
  if (known == 0) known = cuda::device_info(device.index()).value().multiprocessors;
  return std::int64_t{known} * std::max(1, options.occupancy);
}

Grid grid_of(const KernelSite& site, const Options& options, Args args, Device device,
             SourceLoc at) {
  Grid grid{0, 0, 0};
  const ArgValue* first = nullptr;
  for (const ArgValue& arg : args) {
    if (arg.kind != ArgKind::out && arg.kind != ArgKind::mapped_out) continue;
    Grid own{1, 1, 1};
    if (arg.kind == ArgKind::out) {
      for (int a = 0; a < arg.rank; ++a)
        own[static_cast<std::size_t>(a)] = ceil_div(arg.extents[a], arg.tile[a]);
    } else {
      const std::int64_t limit = arg.blocks > 0 ? arg.blocks : resident_blocks(device, options);
      own[0] = std::min(pieces(arg), limit);
    }
    if (first == nullptr) {
      first = &arg;
      grid = own;
    } else if (own != grid || arg.kind != first->kind) {
      throw UsageError(
          fmt::format("{}: argument {} is cut into {} x {} x {} pieces, argument {} into {} x {} x "
                      "{}; outputs of one "
                      "launch must be cut alike, since the grid has one block for each piece",
                      place(at, site.name), first->position, grid[0], grid[1], grid[2],
                      arg.position, own[0], own[1], own[2]));
    }
  }
  constexpr std::int64_t limits[] = {(1 << 24) - 1, 65535, 65535};
  for (std::size_t a = 0; a < 3; ++a) {
    if (grid[a] > limits[a]) {
      throw UsageError(fmt::format("{}: {} pieces along axis {} are more than a grid can have "
                                   "({}); use larger tiles along it",
                                   place(at, site.name), grid[a], a, limits[a]));
    }
  }
  return grid;
}

void check(const KernelSite& site, const Compiled& compiled, Args args, const Grid& grid,
           SourceLoc at) {
  using Kind = trace::LaunchCheck::Kind;
  const auto tiles = [&](const trace::TileCount& t) {
    return ceil_div(args[static_cast<std::size_t>(t.arg)].extents[t.axis], t.tile);
  };
  for (const trace::LaunchCheck& c : compiled.checks) {
    const ArgValue& arg = args[static_cast<std::size_t>(c.limit.arg)];
    const std::int64_t extent = arg.extents[c.limit.axis];
    if (c.kind == Kind::extent_is) {
      if (extent == c.value) continue;
      throw UsageError(
          fmt::format("{}: argument {} has extent {} along axis {}; the kernel demands {}",
                      place(at, site.name), arg.position, extent, c.limit.axis, c.value));
    }
    if (c.kind == Kind::extent_i32) {
      if (extent <= std::numeric_limits<std::int32_t>::max()) continue;
      throw UsageError(fmt::format(
          "{}: the kernel reads the extent {} of argument {} as a 32-bit number ({}:{})",
          place(at, site.name), extent, arg.position, c.at.file, c.at.line));
    }
    std::int64_t bound = 0;
    switch (c.bound.kind) {
    case trace::Bound::Kind::constant: bound = c.bound.value; break;
    case trace::Bound::Kind::grid:
      bound =
          (grid[static_cast<std::size_t>(c.bound.value)] - 1) * c.bound.scale + c.bound.offset + 1;
      break;
    case trace::Bound::Kind::tiles: bound = tiles(c.bound.tiles); break;
    case trace::Bound::Kind::scalar: {
      const ArgValue& scalar = args[static_cast<std::size_t>(c.bound.value)];
      bound = static_cast<std::int32_t>(scalar.bits);
      break;
    }
    }
    if (bound <= tiles(c.limit)) continue;
    throw UsageError(fmt::format("{}:{}: kernel '{}' loads from argument {} at tile indices up to "
                                 "{} along axis {}, but that axis has "
                                 "{} tiles of {} (extent {}); launched at {}:{}. Give a tensor "
                                 "that is large enough, or bound the index",
                                 c.at.file, c.at.line, site.name, arg.position, bound - 1,
                                 c.limit.axis, tiles(c.limit), c.limit.tile, extent, at.file,
                                 at.line));
  }
}

Device common_device(const KernelSite& site, Args args, SourceLoc at) {
  const ArgValue* first = nullptr;
  for (const ArgValue& arg : args) {
    if (arg.kind == ArgKind::scalar) continue;
    if (first == nullptr) {
      first = &arg;
    } else if ((*arg.storage)->device() != (*first->storage)->device()) {
      throw UsageError(
          fmt::format("{}: argument {} is on {}, argument {} on {}; copy one with .to(device)",
                      place(at, site.name), first->position, (*first->storage)->device().name(),
                      arg.position, (*arg.storage)->device().name()));
    }
  }
  return (*first->storage)->device();
}

} // namespace

void borrow_all(const char* kernel, Args args, std::span<Borrow> borrows, SourceLoc at) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind == ArgKind::scalar) continue;
    const bool writes = args[i].kind != ArgKind::in;
    borrows[i] = writes ? Borrow::write(*args[i].storage) : Borrow::read(*args[i].storage);
    if (borrows[i].held()) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (args[j].kind == ArgKind::scalar || *args[j].storage != *args[i].storage) continue;
      throw UsageError(fmt::format("{}: arguments {} and {} are the same tensor and one of them is "
                                   "written; a tensor that a launch "
                                   "writes can be no other argument of it. Read the output's own "
                                   "piece with load(), or pass a copy()",
                                   place(at, kernel), args[j].position, args[i].position));
    }
    throw UsageError(fmt::format(
        "{}: argument {} is {} by another operation that has not run yet; sync() that one first",
        place(at, kernel), args[i].position, writes ? "in use" : "written"));
  }
}

void prepare(KernelSite& site, const Options& options, Args args, SourceLoc at,
             PreparedLaunch& prepared) {
  if (args.size() > max_args) {
    throw UsageError(fmt::format("{}: more than {} arguments", place(at, site.name), max_args));
  }
  prepared.device = common_device(site, args, at);
  prepared.grid = grid_of(site, options, args, prepared.device, at);
  const Compiled& compiled = compiled_for(site, options, args, prepared.device);
  check(site, compiled, args, prepared.grid, at);
  prepared.program = compiled.program.get();
  prepared.function = &compiled.function;
  prepared.count = compiled.params.size();
  std::size_t next = 0;
  for (const trace::ParamSource& source : compiled.params) {
    const ArgValue& arg = args[source.arg];
    std::uint64_t value = 0;
    switch (source.kind) {
    case trace::ParamSource::Kind::pointer:
      value = reinterpret_cast<std::uint64_t>((*arg.storage)->data());
      break;
    case trace::ParamSource::Kind::extent:
      value = static_cast<std::uint64_t>(arg.extents[source.axis]);
      break;
    case trace::ParamSource::Kind::stride:
      value = static_cast<std::uint64_t>(arg.strides[source.axis]);
      break;
    case trace::ParamSource::Kind::scalar: value = arg.bits; break;
    }
    prepared.values[next] = value; // little-endian: the low bytes are the narrower parameter
    prepared.pointers[next] = &prepared.values[next];
    ++next;
  }
}

void PreparedLaunch::run() {
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) return; // no block, nothing to do
  if (!device.is_cuda()) {
    if (runtime::recording_dry()) return;
    program->run(grid, std::span<const void* const>(pointers.data(), count)).value();
    return;
  }
  const std::array<std::uint32_t, 3> blocks{static_cast<std::uint32_t>(grid[0]),
                                            static_cast<std::uint32_t>(grid[1]),
                                            static_cast<std::uint32_t>(grid[2])};
  static thread_local cuda::Stream stream{};
  if (stream.handle == 0 || stream.device != device.index()) {
    stream = cuda::default_stream(device.index()).value();
  }
  cuda::launch(*function, blocks, pointers.data(), stream).value();
}

void launch(KernelSite& site, const Options& options, Args args, SourceLoc at,
            Execution& execution) {
  PreparedLaunch prepared;
  prepare(site, options, args, at, prepared);
  prepared.run();
  execution.used(prepared.device);
}

} // namespace cutile::detail
