#include "cuda/driver.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cutile/cutile.hpp>

// The layer over the driver, on a driver that works on host memory (fake_driver.cpp).

namespace cutile::cuda {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Before the driver is opened, which happens once.
const int use_the_fake = setenv("CUTILE_LIBCUDA", CUTILE_FAKE_CUDA, 1);

class Driver : public testing::Test {
 protected:
  void TearDown() override { unsetenv("FAKE_CUDA_FAIL"); }
  static void fail(const char* symbol_and_code) { setenv("FAKE_CUDA_FAIL", symbol_and_code, 1); }
  template <class T> static std::string message_of(const Result<T>& result) {
    EXPECT_FALSE(result);
    if (result) return "";
    EXPECT_EQ(result.failure().fault, Fault::device);
    return result.failure().message;
  }
};

TEST_F(Driver, TellsWhatThereIs) {
  EXPECT_EQ(use_the_fake, 0);
  EXPECT_EQ(driver().value().version, 13000);
  EXPECT_THAT(driver().value().path, HasSubstr("fake_cuda"));
  EXPECT_EQ(device_count().value(), 1);
  const DeviceInfo info = device_info(0).value();
  EXPECT_EQ(info.name, "Fake GPU");
  EXPECT_EQ(info.arch(), "sm_90");
  EXPECT_EQ(info.multiprocessors, 132);
  EXPECT_THAT(message_of(device_info(1)),
              AllOf(HasSubstr("cuda:1"), HasSubstr("`cutile doctor` lists those that do")));
  fail("cuDeviceGetCount=100");
  EXPECT_EQ(device_count().value(), 0) << "no device is no error";
}

TEST_F(Driver, TensorsLiveInItsMemory) {
  const Device gpu = Device::cuda(0);
  EXPECT_THAT(from_vector<float>({1, 2, 3}, gpu).sync().to_vector(), ElementsAre(1, 2, 3));
  EXPECT_THAT(full<std::uint8_t>({3}, 7, gpu).sync().to_vector(), ElementsAre(7, 7, 7));
  EXPECT_THAT(full<std::int16_t>({2}, -2, gpu).sync().to_vector(), ElementsAre(-2, -2));
  EXPECT_THAT(full<double>({2}, 0.1, gpu).sync().to_vector(), ElementsAre(0.1, 0.1));
  EXPECT_THAT(zeros<std::int64_t>({2}, gpu).sync().to_vector(), ElementsAre(0, 0));
  const auto x = arange<float>(3, gpu).sync();
  EXPECT_THAT(x.copy().sync().to_vector(), ElementsAre(0, 1, 2));
  EXPECT_THAT(x.to(Device::cpu()).sync().to_vector(), ElementsAre(0, 1, 2));
}

TEST_F(Driver, OutOfMemoryNamesTheSizes) {
  fail("cuMemAllocAsync=2");
  EXPECT_THAT(message_of(allocate(4096, default_stream(0).value())),
              AllOf(HasSubstr("4096 bytes were asked for on cuda:0, 1000 of 2000 are free"),
                    HasSubstr("use smaller tensors")));
}

TEST_F(Driver, ALostContextSaysWhatToDo) {
  fail("cuStreamSynchronize=719");
  EXPECT_THAT(message_of(synchronize(default_stream(0).value())),
              AllOf(HasSubstr("CUDA_ERROR_LAUNCH_FAILED (719: told to fail)"),
                    HasSubstr("failed a device assertion"), HasSubstr("CUTILE_DEVICE=cpu")));
}

/// The least ELF file of 64 bits: a header without tables.
std::vector<std::byte> small_elf() {
  std::vector<std::byte> file(64);
  const char magic[] = "\x7f"
                       "ELF";
  for (std::size_t i = 0; i < 4; ++i) file[i] = static_cast<std::byte>(magic[i]);
  file[32] = file[40] = std::byte{64};
  return file;
}

TEST_F(Driver, OnlyWholeCubinsReachTheDriver) {
  const std::vector<std::byte> good = small_elf();
  const Function f = load(good, "k", 0).value();
  EXPECT_EQ(f.registers, 40);
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THAT(message_of(load(std::span(good).first(size), "k", 0)),
                HasSubstr("kernel 'k': the compiled form is cut short"));
  }
  std::vector<std::byte> bad = good;
  bad[60] = std::byte{3}; // three sections that are not there
  EXPECT_THAT(message_of(load(bad, "k", 0)), HasSubstr("cut short"));
  bad = good;
  bad[47] = std::byte{0xff}; // a section table far away
  EXPECT_THAT(message_of(load(bad, "k", 0)), HasSubstr("cut short"));
  EXPECT_THAT(message_of(load(good, "missing", 0)), HasSubstr("finding kernel 'missing'"));
  fail("cuModuleLoadData=209");
  EXPECT_THAT(message_of(load(good, "k", 0)),
              AllOf(HasSubstr("loading kernel 'k' on sm_90"),
                    HasSubstr("compiled for another architecture")));
}

TEST_F(Driver, LaunchesTileBlocks) {
  const Function f = load(small_elf(), "k", 0).value();
  std::uint64_t value = 0x1122334455667788;
  void* params[] = {&value};
  launch(f, {7, 5, 3}, params, default_stream(0).value()).value();
  const auto last = reinterpret_cast<void (*)(unsigned*, std::uint64_t*)>(
      dlsym(dlopen(CUTILE_FAKE_CUDA, RTLD_NOW), "fake_last_launch"));
  unsigned shape[7];
  std::uint64_t param = 0;
  last(shape, &param);
  EXPECT_THAT(shape, ElementsAre(7, 5, 3, 1, 1, 1, 0));
  EXPECT_EQ(param, value);
  fail("cuLaunchKernel=1");
  EXPECT_THAT(message_of(launch(f, {1, 1, 1}, params, default_stream(0).value())),
              HasSubstr("launching a kernel"));
}

TEST_F(Driver, EventsMeasure) {
  const Stream stream = default_stream(0).value();
  const Event a = create_event(0).value(), b = create_event(0).value();
  record(a, stream).value();
  record(b, stream).value();
  EXPECT_EQ(elapsed_ms(a, b).value(), 1.5F);
  destroy_event(a);
  destroy_event(b);
}

TEST_F(Driver, AForkedChildIsTold) {
  ASSERT_TRUE(default_stream(0));
  EXPECT_EXIT(
      {
        const auto stream = default_stream(0);
        std::fputs(stream ? "no error" : stream.failure().message.c_str(), stderr);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "this process was forked after the GPU was first used");
}

} // namespace
} // namespace cutile::cuda
