#include "cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <mutex>
#include <optional>

#include "cuda/api.hpp"

namespace cutile::cuda {
namespace {

struct Loaded {
  Api api;
  DriverInfo info;
  pid_t process = 0;
};

std::string error_text(const Api& api, CUresult code) {
  const char* name = nullptr;
  const char* text = nullptr;
  api.error_name(code, &name);
  api.error_string(code, &text);
  return fmt::format("{} ({}: {})", name != nullptr ? name : "unknown error", code,
                     text != nullptr ? text : "no text");
}

const char* cure(CUresult code) {
  switch (code) {
  case no_device:
    return "no NVIDIA GPU is visible; check `nvidia-smi` and CUDA_VISIBLE_DEVICES, or use "
           "CUTILE_DEVICE=cpu";
  case invalid_device: return "this GPU does not exist; `cutile doctor` lists those that do";
  case out_of_memory: return "use smaller tensors, or drop those no longer needed";
  case no_binary_for_gpu:
    return "the kernel was compiled for another architecture; compile it for this GPU";
  case invalid_image: return "the compiled kernel is damaged; delete it and compile it again";
  case unsupported_ptx_version: return "the driver is older than the compiler; update the driver";
  case illegal_address:
  case assert_failed:
  case launch_failed:
    return "a kernel failed a device assertion or accessed memory out of bounds; this process "
           "cannot use the GPU any more. Run the "
           "kernel with CUTILE_DEVICE=cpu to see where";
  case system_driver_mismatch:
    return "the driver library and the kernel module differ in version; reboot or reinstall the "
           "driver";
  default: return "see `cutile doctor`";
  }
}

Result<Loaded> load() {
  const char* asked = std::getenv("CUTILE_LIBCUDA");
  const std::string path = asked != nullptr && *asked != 0 ? asked : "libcuda.so.1";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return device_failure(fmt::format("the NVIDIA driver cannot be opened: {}. Install the driver, "
                                      "or use the CPU (CUTILE_DEVICE=cpu)",
                                      dlerror()));
  }
  Loaded loaded;
  const char* missing = nullptr;
  const auto find = [&](auto& entry, const char* symbol) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(dlsym(library, symbol));
    if (entry == nullptr) missing = symbol;
  };
#define X(name, symbol, ...) find(loaded.api.name, symbol);
  CUTILE_CUDA_API(X)
#undef X
  if (missing != nullptr)
    return device_failure(
        fmt::format("the NVIDIA driver {} is too old: it has no {}; CUDA 11.4 or newer is needed",
                    path, missing));
  if (const CUresult code = loaded.api.init(0); code != success) {
    return device_failure(fmt::format("the NVIDIA driver does not start: {}; {}",
                                      error_text(loaded.api, code), cure(code)));
  }
  loaded.api.driver_version(&loaded.info.version);
  Dl_info where{};
  loaded.info.path =
      dladdr(reinterpret_cast<void*>(loaded.api.init), &where) != 0 && where.dli_fname != nullptr
          ? where.dli_fname
          : path;
  loaded.process = getpid();
  return loaded;
}

const Result<Loaded>& loaded() {
  static const Result<Loaded> instance = load();
  return instance;
}

Failure failure(const char* what, CUresult code) {
  return device_failure(
      fmt::format("{}: {}; {}", what, error_text(loaded()->api, code), cure(code)));
}

Result<void> check(const char* what, CUresult code) {
  if (code == success) return {};
  return failure(what, code);
}

struct DeviceState {
  Handle context = nullptr, stream = nullptr, pool = nullptr;
  CUdevice device = 0;
};

/// The device's context and stream, made on first use and kept for the life of the process.
Result<DeviceState> make_state(int index) {
  const Api& api = loaded()->api;
  DeviceState s;
  if (const CUresult code = api.device_get(&s.device, index); code != success)
    return failure(fmt::format("cuda:{}", index).c_str(), code);
  if (const CUresult code = api.retain_context(&s.context, s.device); code != success)
    return failure("creating a context", code);
  if (const CUresult code = api.set_current(s.context); code != success)
    return failure("entering a context", code);
  constexpr unsigned non_blocking = 1;
  if (const CUresult code = api.create_stream(&s.stream, non_blocking); code != success)
    return failure("creating a stream", code);
  if (const CUresult code = api.default_pool(&s.pool, s.device); code != success)
    return failure("finding the memory pool", code);
  // Keep freed memory for the next allocation instead of giving it back at every synchronisation.
  constexpr int release_threshold = 4;
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  if (const CUresult code = api.set_pool(s.pool, release_threshold, &all); code != success)
    return failure("setting up the memory pool", code);
  return s;
}

constexpr int max_devices = 64;

Result<DeviceState> state(int index) {
  const Result<Loaded>& l = loaded();
  if (!l) return l.failure();
  if (l->process != getpid())
    return device_failure("this process was forked after the GPU was first used, and the driver "
                          "does not survive that; fork earlier, or use spawn");
  if (index < 0 || index >= max_devices)
    return device_failure(fmt::format("cuda:{}: {}", index, cure(invalid_device)));
  static std::array<std::optional<Result<DeviceState>>, max_devices> states;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::optional<Result<DeviceState>>& s = states[static_cast<std::size_t>(index)];
  if (!s) s = make_state(index);
  return *s;
}

thread_local int current_device = -1; ///< whose context this thread is in

/// Makes the device's context current on this thread; free when it is.
Result<void> enter(int device) {
  if (current_device == device) return {};
  const Result<DeviceState> s = state(device);
  if (!s) return s.failure();
  if (const CUresult code = loaded()->api.set_current(s->context); code != success)
    return failure("entering a context", code);
  current_device = device;
  return {};
}

/// Whether these bytes are an ELF file of 64 bits that has all its parts. The driver is not given
/// the size and would read past the end of one cut short.
bool is_whole(std::span<const std::byte> file) {
  const auto number = [&](std::uint64_t offset, std::size_t bytes) {
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      v |= static_cast<std::uint64_t>(file[offset + i]) << (8 * i);
    return v;
  };
  const auto inside = [&](std::uint64_t offset, std::uint64_t bytes) {
    return offset <= file.size() && bytes <= file.size() - offset;
  };
  // Offsets of the ELF header and of an entry of the section table, from the System V ABI.
  constexpr std::size_t header_size = 64, entry_size = 64;
  if (file.size() < header_size || number(0, 4) != 0x464c457fU) return false;
  const std::uint64_t programs = number(32, 8), sections = number(40, 8);
  const std::uint64_t program_bytes = number(54, 2) * number(56, 2), section_count = number(60, 2);
  if (!inside(programs, program_bytes) || !inside(sections, section_count * entry_size))
    return false;
  constexpr std::uint64_t without_bytes = 8; // SHT_NOBITS
  for (std::uint64_t i = 0; i < section_count; ++i) {
    const std::uint64_t entry = sections + i * entry_size;
    if (number(entry + 4, 4) != without_bytes &&
        !inside(number(entry + 24, 8), number(entry + 32, 8)))
      return false;
  }
  return true;
}

Handle handle(std::uintptr_t h) { return reinterpret_cast<Handle>(h); }
CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

} // namespace

Result<DriverInfo> driver() {
  if (!loaded()) return loaded().failure();
  return loaded()->info;
}

Result<int> device_count() {
  if (!loaded()) return loaded().failure();
  int count = 0;
  const CUresult code = loaded()->api.device_count(&count);
  if (code == no_device) return 0;
  if (code != success) return failure("counting GPUs", code);
  return count;
}

Result<DeviceInfo> device_info(int device) {
  if (!loaded()) return loaded().failure();
  const Api& api = loaded()->api;
  CUdevice d = 0;
  if (const CUresult code = api.device_get(&d, device); code != success)
    return failure(fmt::format("cuda:{}", device).c_str(), code);
  DeviceInfo info;
  char name[256] = {};
  int l2 = 0;
  CUresult code = api.device_name(name, sizeof name, d);
  if (code == success) code = api.device_attribute(&info.compute_major, compute_major, d);
  if (code == success) code = api.device_attribute(&info.compute_minor, compute_minor, d);
  if (code == success) code = api.device_attribute(&info.multiprocessors, multiprocessor_count, d);
  if (code == success) code = api.device_attribute(&l2, l2_cache_size, d);
  if (code == success) code = api.device_memory(&info.memory_bytes, d);
  if (code != success) return failure("asking about a GPU", code);
  info.name = name;
  info.l2_bytes = static_cast<std::size_t>(l2);
  return info;
}

Result<Stream> default_stream(int device) {
  const Result<DeviceState> s = state(device);
  if (!s) return s.failure();
  return Stream{reinterpret_cast<std::uintptr_t>(s->stream), device};
}

Result<void> synchronize(Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered;
  return check("waiting for the GPU", loaded()->api.synchronize_stream(handle(stream.handle)));
}

Result<void*> allocate(std::size_t bytes, Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered.failure();
  const Api& api = loaded()->api;
  CUdeviceptr p = 0;
  CUresult code = api.allocate(&p, bytes, handle(stream.handle));
  if (code == out_of_memory) { // once more, after the pool has given back what it keeps
    api.synchronize_stream(handle(stream.handle));
    api.trim_pool(state(stream.device)->pool, 0);
    code = api.allocate(&p, bytes, handle(stream.handle));
  }
  if (code == out_of_memory) {
    std::size_t free_bytes = 0, total = 0;
    api.memory_info(&free_bytes, &total);
    return device_failure(
        fmt::format("out of memory: {} bytes were asked for on cuda:{}, {} of {} are free; {}",
                    bytes, stream.device, free_bytes, total, cure(code)));
  }
  if (code != success) return failure("allocating memory", code);
  return reinterpret_cast<void*>(p);
}

Result<void> free(void* pointer, Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered;
  return check("freeing memory", loaded()->api.free(address(pointer), handle(stream.handle)));
}

Result<void> copy_to_device(void* destination, const void* source, std::size_t bytes,
                            Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered;
  return check("copying to the GPU", loaded()->api.copy_to_device(address(destination), source,
                                                                  bytes, handle(stream.handle)));
}
Result<void> copy_to_host(void* destination, const void* source, std::size_t bytes, Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered;
  return check("copying from the GPU", loaded()->api.copy_to_host(destination, address(source),
                                                                  bytes, handle(stream.handle)));
}
Result<void> copy_on_device(void* destination, const void* source, std::size_t bytes,
                            Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered;
  return check("copying on the GPU",
               loaded()->api.copy_on_device(address(destination), address(source), bytes,
                                            handle(stream.handle)));
}

Result<void> fill(void* destination, std::uint32_t pattern, int pattern_bytes, std::size_t count,
                  Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered;
  const Api& api = loaded()->api;
  const CUdeviceptr p = address(destination);
  switch (pattern_bytes) {
  case 1:
    return check("filling memory",
                 api.fill8(p, static_cast<unsigned char>(pattern), count, handle(stream.handle)));
  case 2:
    return check("filling memory",
                 api.fill16(p, static_cast<unsigned short>(pattern), count, handle(stream.handle)));
  default: return check("filling memory", api.fill32(p, pattern, count, handle(stream.handle)));
  }
}

Result<Event> create_event(int device) {
  if (const auto entered = enter(device); !entered) return entered.failure();
  Handle e = nullptr;
  if (const CUresult code = loaded()->api.create_event(&e, 0); code != success)
    return failure("creating an event", code);
  return Event{reinterpret_cast<std::uintptr_t>(e), device};
}
void destroy_event(Event event) noexcept {
  if (enter(event.device)) loaded()->api.destroy_event(handle(event.handle));
}
Result<void> record(Event event, Stream stream) {
  if (const auto entered = enter(stream.device); !entered) return entered;
  return check("recording an event",
               loaded()->api.record_event(handle(event.handle), handle(stream.handle)));
}
Result<float> elapsed_ms(Event start, Event stop) {
  if (const auto entered = enter(stop.device); !entered) return entered.failure();
  const Api& api = loaded()->api;
  if (const CUresult code = api.synchronize_event(handle(stop.handle)); code != success)
    return failure("waiting for the GPU", code);
  float ms = 0;
  if (const CUresult code = api.elapsed(&ms, handle(start.handle), handle(stop.handle));
      code != success)
    return failure("reading a timer", code);
  return ms;
}

Result<Function> load(std::span<const std::byte> cubin, const std::string& entry, int device) {
  if (const auto entered = enter(device); !entered) return entered.failure();
  if (!is_whole(cubin)) {
    return device_failure(fmt::format(
        "kernel '{}': the compiled form is cut short or no cubin ({} bytes); compile it again",
        entry, cubin.size()));
  }
  const Api& api = loaded()->api;
  Handle module = nullptr;
  if (const CUresult code = api.load_module(&module, cubin.data()); code != success) {
    return failure(fmt::format("loading kernel '{}' on {}", entry,
                               device_info(device) ? device_info(device)->arch() : "the GPU")
                       .c_str(),
                   code);
  }
  Handle f = nullptr;
  if (const CUresult code = api.get_function(&f, module, entry.c_str()); code != success)
    return failure(fmt::format("finding kernel '{}' in its module", entry).c_str(), code);
  Function function{.handle = reinterpret_cast<std::uintptr_t>(f), .device = device};
  api.function_attribute(&function.registers, registers, f);
  api.function_attribute(&function.local_bytes, local_size, f);
  api.function_attribute(&function.shared_bytes, shared_size, f);
  return function;
}

Result<void> launch(const Function& function, std::array<std::uint32_t, 3> grid, void** params,
                    Stream stream) {
  if (const auto entered = enter(function.device); !entered) return entered;
  return check("launching a kernel",
               loaded()->api.launch(handle(function.handle), grid[0], grid[1], grid[2], 1, 1, 1, 0,
                                    handle(stream.handle), params, nullptr));
}

Result<MemoryInfo> memory_info(int device) {
  if (const auto entered = enter(device); !entered) return entered.failure();
  MemoryInfo info;
  if (const CUresult code = loaded()->api.memory_info(&info.free_bytes, &info.total_bytes);
      code != success)
    return failure("asking for free memory", code);
  return info;
}

} // namespace cutile::cuda
