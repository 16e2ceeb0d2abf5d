#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <random>

#include "bench/report.hpp"
#include "cuda/driver.hpp"
#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "runtime/launch.hpp"
#include "runtime/storage.hpp"

// On a GPU: device time by events, turn by turn with the peer; host time of a cached launch beside
// the bare driver call.

namespace cutile::bench {
namespace {

const Device gpu = Device::cuda(0);

/// Device seconds of one of `count` calls that `enqueue` puts on the default stream.
double device_seconds(int count, const std::function<void()>& enqueue) {
  const cuda::Stream stream = cuda::default_stream(gpu.index()).value();
  const cuda::Event start = cuda::create_event(gpu.index()).value();
  const cuda::Event stop = cuda::create_event(gpu.index()).value();
  cuda::record(start, stream).value();
  for (int i = 0; i < count; ++i) enqueue();
  cuda::record(stop, stream).value();
  const float ms = cuda::elapsed_ms(start, stop).value();
  cuda::destroy_event(start);
  cuda::destroy_event(stop);
  return static_cast<double>(ms) / 1e3 / count;
}

/// Puts an operation on the stream without waiting; its arguments live on in what it gives back.
template <class Op> void enqueue(Op&& op) {
  detail::Execution execution;
  static_cast<void>(op.node().run(execution));
}

template <class T, int R> std::byte* address(const Tensor<T, R>& t) {
  return (*t.ref("bench", SourceLoc::current()).storage)->data();
}

template <class T>
Tensor<T, 2> random_matrix(std::int64_t rows, std::int64_t columns, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  // A few thousand random rows' worth of numbers, repeated: as good as random for the power that
  // the chip draws.
  std::vector<T> pool(1 << 20);
  for (T& v : pool) v = detail::to_element<T>(uniform(generator));
  std::vector<T> values(static_cast<std::size_t>(rows * columns));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = pool[(i * 7 + i / pool.size()) % pool.size()];
  return from_vector<T>(std::move(values), {rows, columns}, gpu).sync();
}

// The configurations that are measured; `visit` is called with each.
void add_configurations(auto visit) {
  visit(constant<512>, Options{.occupancy = 16}, "tile 512, occupancy 16");
  visit(constant<1024>, Options{.occupancy = 16}, "tile 1024, occupancy 16");
  visit(constant<2048>, Options{.occupancy = 8}, "tile 2048, occupancy 8");
}
void gemm_configurations(auto visit) {
  visit(constant<128>, constant<256>, constant<32>, Options{.occupancy = 1, .worker_warps = 8},
        "persistent 128x256x32, 8 worker warps, group 8, occupancy 1");
  visit(constant<128>, constant<128>, constant<64>, Options{.occupancy = 1},
        "persistent 128x128x64, group 8, occupancy 1");
}

template <int Tile> void enqueue_add(Tensor<float, 1>& z, const Tensor<float, 1>& x,
                                     const Tensor<float, 1>& y, Options options) {
  enqueue(kernels::add.with(options)(z.borrow_mut().partition(shape<Tile>), x, y));
}
template <int BM, int BN, int BK> void enqueue_gemm(Tensor<bf16, 2>& c, const Tensor<bf16, 2>& a,
                                                    const Tensor<bf16, 2>& b, Options options) {
  detail::Execution execution;
  auto op = kernels::gemm_persistent.with(options)(mapped(std::move(c).partition(shape<BM, BN>)), a,
                                                   b, constant<BK>, constant<8>);
  auto [back, a1, b1] = op.node().run(execution);
  c = std::move(back).unpartition();
}

void add(Report& report) {
  constexpr std::int64_t n = std::int64_t{1} << 28;
  constexpr double gigabytes = 12.0 * n / 1e9;
  auto x = full<float>({n}, 1.5F, gpu).sync();
  auto y = full<float>({n}, 2.25F, gpu).sync();
  auto z = zeros<float>({n}, gpu).sync();
  std::vector<std::function<double()>> turns;
  std::vector<std::string> names;
  add_configurations([&]<int Tile>(Constant<Tile>, Options options, const char* name) {
    turns.emplace_back(
        [&, options] { return device_seconds(20, [&] { enqueue_add<Tile>(z, x, y, options); }); });
    names.emplace_back(name);
  });
  const cuda::Stream stream = cuda::default_stream(gpu.index()).value();
  turns.emplace_back([&] { // moves 8 bytes an element; scaled to the 12 of the sum
    return 1.5 * device_seconds(20, [&] {
             cuda::copy_on_device(address(z), address(x), 4 * n, stream).value();
           });
  });
  const auto seconds = paired_seconds(7, turns);
  for (std::size_t i = 0; i < names.size(); ++i) {
    report.add({.name = "add, GPU",
                .shape = "2^28",
                .dtype = "f32",
                .unit = "GB/s",
                .ours = gigabytes / seconds[i],
                .peers = {{"device copy", gigabytes / seconds.back()}},
                .config = names[i]});
  }
  enqueue_add<512>(z, x, y, {.occupancy = 16});
  const std::vector<float> sum = z.to_vector();
  for (std::size_t i = 0; i < sum.size(); i += 4097) {
    if (sum[i] != 3.75F) throw InternalError("bench: add is wrong");
  }
}

/// cuBLAS, opened at run time: a peer, never a dependency.
class Cublas {
 public:
  Cublas() {
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"}) {
      library_ = dlopen(name, RTLD_NOW);
      if (library_ != nullptr) break;
    }
    if (library_ == nullptr) return;
    const auto create = find<int (*)(void**)>("cublasCreate_v2");
    const auto set_stream = find<int (*)(void*, void*)>("cublasSetStream_v2");
    gemm_ = find<decltype(gemm_)>("cublasGemmEx");
    if (create(&handle_) != 0) throw DeviceError("bench: cuBLAS does not start");
    set_stream(handle_, reinterpret_cast<void*>(cuda::default_stream(gpu.index()).value().handle));
  }
  [[nodiscard]] bool there() const { return library_ != nullptr; }
  /// c = a b, row-major bf16 n x n, accumulated in f32.
  void gemm(const void* a, const void* b, void* c, int n) const {
    constexpr int bf16_type = 14, f32_compute = 68, default_algorithm = -1;
    const float one = 1, zero = 0;
    // Column-major c^T = b^T a^T is row-major c = a b.
    const int status = gemm_(handle_, 0, 0, n, n, n, &one, b, bf16_type, n, a, bf16_type, n, &zero,
                             c, bf16_type, n, f32_compute, default_algorithm);
    if (status != 0) throw DeviceError(fmt::format("bench: cuBLAS fails with {}", status));
  }

 private:
  template <class F> F find(const char* name) const {
    return reinterpret_cast<F>(dlsym(library_, name));
  }
  void* library_ = nullptr;
  void* handle_ = nullptr;
  int (*gemm_)(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int,
               int, const void*, void*, int, int, int, int) = nullptr;
};

void gemm(Report& report, const Cublas& cublas, int n) {
  const auto a = random_matrix<bf16>(n, n, 1);
  const auto b = random_matrix<bf16>(n, n, 2);
  auto c = zeros<bf16>({n, n}, gpu).sync();
  auto expected = zeros<bf16>({n, n}, gpu).sync();
  const double teraflop = 2.0 * n * n * n / 1e12;
  const int repeats = n >= 8192 ? 10 : 40;
  std::vector<std::function<double()>> turns;
  std::vector<std::string> names;
  gemm_configurations([&]<int BM, int BN, int BK>(Constant<BM>, Constant<BN>, Constant<BK>,
                                                  Options options, const char* name) {
    turns.emplace_back([&, options] {
      return device_seconds(repeats, [&] { enqueue_gemm<BM, BN, BK>(c, a, b, options); });
    });
    names.emplace_back(name);
  });
  if (cublas.there()) {
    turns.emplace_back([&] {
      return device_seconds(repeats,
                            [&] { cublas.gemm(address(a), address(b), address(expected), n); });
    });
  }
  const auto seconds = paired_seconds(9, turns);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Record r{.name = "GEMM, GPU",
             .shape = fmt::format("{0}x{0}x{0}", n),
             .dtype = "bf16",
             .unit = "TFLOP/s",
             .ours = teraflop / seconds[i],
             .config = names[i]};
    if (cublas.there()) r.peers = {{"cuBLAS", teraflop / seconds.back()}};
    report.add(r);
  }
  if (!cublas.there()) return;
  const std::vector<bf16> ours = c.to_vector(), theirs = expected.to_vector();
  for (std::size_t i = 0; i < ours.size(); i += 1009) {
    const float x = static_cast<float>(ours[i]), y = static_cast<float>(theirs[i]);
    // Both round a sum in f32 to bf16: at most one last place apart.
    if (std::abs(x - y) > 0.01F * std::abs(y) + 0.01F)
      throw InternalError(fmt::format("bench: gemm is wrong at {}: {} and {}", i, x, y));
  }
}

/// A cached launch, ours and the bare driver call: host time to enqueue it, and time in a chain
/// that the GPU works off.
void launch_cost(Report& report) {
  auto x = ones<float>({1024}, gpu).sync();
  auto y = ones<float>({1024}, gpu).sync();
  auto z = zeros<float>({1024}, gpu).sync();
  static_cast<void>(
      kernels::add(z.borrow_mut().partition(shape<128>), x, y).sync()); // compiled and loaded
  // The same launch, prepared once: what is left of it is the driver call.
  using In1 = In<float, dyn>;
  using Node = detail::LaunchNode<BorrowedPartition<float, 128>, const Tensor<float, 1>&,
                                  const Tensor<float, 1>&>;
  const auto piece = z.borrow_mut().partition(shape<128>);
  const auto values = Node::describe(SourceLoc::current(), piece, x, y);
  detail::PreparedLaunch bare;
  detail::prepare(detail::site_of<Out<float, 128>, In1, In1>(kernels::add), {}, values,
                  SourceLoc::current(), bare);

  const auto per_launch = [](int count, bool wait, const auto& launch) {
    return [=] {
      synchronize(gpu);
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < count; ++i) launch();
      if (wait) synchronize(gpu);
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
             count;
    };
  };
  const auto ours = [&] { enqueue(kernels::add(z.borrow_mut().partition(shape<128>), x, y)); };
  const auto driver = [&] { bare.run(); };
  const auto measure = [&](const char* shape, int count, bool wait) {
    const auto seconds =
        paired_seconds(101, {per_launch(count, wait, ours), per_launch(count, wait, driver)});
    report.add({.name = "launch, GPU",
                .shape = shape,
                .dtype = "f32",
                .unit = "us",
                .ours = seconds[0] * 1e6,
                .peers = {{"bare driver call", seconds[1] * 1e6}},
                .lower_is_better = true,
                .config = fmt::format("add of 1024; {:.2f} us over the bare call",
                                      (seconds[0] - seconds[1]) * 1e6)});
  };
  measure("host, 200 launches", 200, false); // fewer than the driver queues without waiting
  measure("chain of 1000", 1000, true);
}

} // namespace

void record_gpu() {
  // Small tensors with the facts of the large ones: row-major, aligned, extents that 16 divides.
  const Device cpu = Device::cpu();
  auto x = ones<float>({1 << 12}, cpu).sync();
  auto z = zeros<float>({1 << 12}, cpu).sync();
  add_configurations([&]<int Tile>(Constant<Tile>, Options options, const char*) {
    enqueue_add<Tile>(z, x, x, options);
  });
  enqueue_add<128>(z, x, x, {});
  auto a = zeros<bf16>({256, 256}, cpu).sync();
  auto c = zeros<bf16>({256, 256}, cpu).sync();
  gemm_configurations(
      [&]<int BM, int BN, int BK>(Constant<BM>, Constant<BN>, Constant<BK>, Options options,
                                  const char*) { enqueue_gemm<BM, BN, BK>(c, a, a, options); });
}

void bench_gpu(Report& report) {
  cuda::device_info(gpu.index()).value();
  launch_cost(report);
  add(report);
  const Cublas cublas;
  if (!cublas.there())
    fmt::print("cuBLAS was not found (LD_LIBRARY_PATH); GEMM is measured without its peer\n");
  for (const int n : {2048, 4096, 8192}) gemm(report, cublas, n);
}

} // namespace cutile::bench
