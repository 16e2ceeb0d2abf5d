#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "compiler/compiler.hpp"
#include "cuda/driver.hpp"
#include "kernels/elementwise.hpp"

// What only a GPU can show.

namespace cutile::test {
namespace {

using testing::HasSubstr;

TEST(GpuOnly, OutOfMemoryNamesTheSizes) {
  const cuda::MemoryInfo memory = cuda::memory_info(0).value();
  const auto elements = static_cast<std::int64_t>(memory.total_bytes / 4 * 2);
  const auto outcome = zeros<float>({elements}, Device::cuda(0)).try_sync();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.failure().fault, Fault::device);
  EXPECT_THAT(outcome.failure().message, HasSubstr("out of memory"));
  EXPECT_THAT(outcome.failure().message, HasSubstr(std::to_string(elements * 4)));
  EXPECT_EQ((ones<float>({3}, Device::cuda(0)).sync().to_vector()), std::vector<float>(3, 1.0F))
      << "the GPU still works";
}

TEST(GpuOnly, DamagedAndForeignCubinsAreTypedErrors) {
  const char* path = std::getenv("CUTILE_BUNDLE");
  if (path == nullptr) GTEST_SKIP() << "needs CUTILE_BUNDLE for a cubin to damage";
  const compiler::Bundle bundle = compiler::Bundle::read(path).value();
  const std::string arch = cuda::device_info(0).value().arch();
  for (const compiler::Bundle::Entry& e : bundle.entries()) {
    if (e.arch != arch) continue;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{10}, e.cubin.size() / 2, e.cubin.size() - 1}) {
      const auto loaded = cuda::load(std::span(e.cubin).first(size), e.kernel, 0);
      ASSERT_FALSE(loaded);
      EXPECT_THAT(loaded.failure().message, HasSubstr(e.kernel));
    }
    EXPECT_FALSE(cuda::load(e.cubin, "no_such_entry", 0));
    EXPECT_TRUE(cuda::load(e.cubin, e.kernel, 0));
    return;
  }
  FAIL() << "the bundle has nothing for " << arch;
}

TEST(GpuOnly, TensorsOfTwoDevicesAreRefused) {
  auto x = ones<float>({8}, Device::cpu()).sync();
  auto z = zeros<float>({8}, Device::cuda(0)).sync();
  const auto outcome = kernels::add(std::move(z).partition(shape<8>), x, x).try_sync();
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.failure().message, HasSubstr("argument 1 is on cuda:0, argument 2 on cpu"));
}

TEST(GpuOnly, AMissingGpuIsATypedError) {
  EXPECT_THROW(static_cast<void>(zeros<float>({1}, Device::cuda(63)).sync()), DeviceError);
}

} // namespace
} // namespace cutile::test
