#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cutile/cutile.hpp>
#include <thread>

#include "kernels/elementwise.hpp"

namespace cutile {
namespace {

using testing::HasSubstr;

// CUTILE_DEVICE is read once, so each case is a process of its own.
void choose(const char* value) {
  setenv("CUTILE_DEVICE", value, 1);
  try {
    std::fputs(Device::default_device().name().c_str(), stderr);
  } catch (const Error& e) {
    std::fputs(e.what(), stderr);
  }
  std::exit(0);
}

TEST(Device, TheEnvironmentChooses) {
  EXPECT_EXIT(choose("cpu"), testing::ExitedWithCode(0), "^cpu$");
  for (const char* wrong : {"gpu", "cuda:", "cuda:x", "cuda:-1", "CPU", "cuda:1 "}) {
    EXPECT_EXIT(choose(wrong), testing::ExitedWithCode(0),
                "CUTILE_DEVICE is '" + std::string(wrong) + "'; it must be cpu, cuda or cuda:N");
  }
}

TEST(Device, AMissingDriverIsAnErrorWithItsCure) {
  EXPECT_EXIT(
      {
        setenv("CUTILE_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
        choose("cuda");
      },
      testing::ExitedWithCode(0),
      "the NVIDIA driver cannot be opened: /nonexistent/libcuda.so.1.*CUTILE_DEVICE=cpu");
  EXPECT_EXIT(
      {
        setenv("CUTILE_LIBCUDA", "/nonexistent/libcuda.so.1", 1);
        unsetenv("CUTILE_DEVICE");
        std::fputs(Device::default_device().name().c_str(), stderr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^cpu$");
}

TEST(Threads, ManyThreadsLaunchOneColdKernel) {
  static constexpr auto cold =
      kernel<"cold">([]<int B>(Out<float, B> y, In<float, dyn> x, Scalar<float> f) {
        y.store(x.load_like(y) * f);
      });
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 64; ++t) {
    threads.emplace_back([t, &wrong] {
      auto x = ones<float>({1000}, Device::cpu()).sync();
      auto y = zeros<float>({1000}, Device::cpu()).sync();
      const auto factor = static_cast<float>(t);
      auto [result, x1] = cold(std::move(y).partition(shape<64>), std::move(x), factor).sync();
      for (const float v : std::move(result).unpartition().to_vector())
        wrong += v != factor ? 1 : 0;
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Text, TensorsPrintAsNumPyPrintsThem) {
  EXPECT_EQ(to_string(from_vector<float>({1, 2.5, -3, 4}, {2, 2}, Device::cpu()).sync()),
            "[[  1 2.5]\n [ -3   4]]");
  EXPECT_EQ(to_string(arange<std::int32_t>(4, Device::cpu()).sync()), "[0 1 2 3]");
  EXPECT_EQ(to_string(from_vector<bool>({true, false}, Device::cpu()).sync()), "[ True False]");
  EXPECT_EQ(to_string(arange<std::int32_t>(2000, Device::cpu()).sync()),
            "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(to_string(zeros<float>({0}, Device::cpu()).sync()), "[]");
}

} // namespace
} // namespace cutile
