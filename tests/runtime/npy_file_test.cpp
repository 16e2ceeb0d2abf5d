#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cutile/cutile.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

// load_npy and save_npy on whole files; the header's own tests are in tests/support.

namespace cutile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string sample(const std::string& name) { return CUTILE_TEST_DATA "/npy/" + name + ".npy"; }

template <class T> std::vector<T> counts(std::size_t n) {
  std::vector<T> values(n);
  std::iota(values.begin(), values.end(), T{0});
  return values;
}

template <class E, class T, int Rank> std::string message_of(const std::string& path) {
  try {
    static_cast<void>(load_npy<T, Rank>(path, Device::cpu()));
  } catch (const E& e) {
    return e.what();
  }
  return "nothing was thrown";
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(NpyFile, LoadsWhatNumpyWrote) {
  const Tensor<float, 2> f = load_npy<float, 2>(sample("f4"), Device::cpu()).sync();
  EXPECT_THAT(f.extents(), ElementsAre(2, 3));
  EXPECT_EQ(f.to_vector(), counts<float>(6));
  EXPECT_EQ((load_npy<std::int64_t, 2>(sample("i8"), Device::cpu()).sync().to_vector()),
            counts<std::int64_t>(6));
  const std::vector<bf16> b = load_npy<bf16, 2>(sample("bf16"), Device::cpu()).sync().to_vector();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(static_cast<float>(b[static_cast<std::size_t>(i)]), static_cast<float>(i));
  EXPECT_THAT((load_npy<bool, 2>(sample("b1"), Device::cpu()).sync().to_vector()),
              ElementsAre(false, true, false, true, false, true));
}

TEST(NpyFile, LoadsColumnMajorAsRowMajor) {
  const Tensor<std::int32_t, 3> t =
      load_npy<std::int32_t, 3>(sample("fortran"), Device::cpu()).sync();
  EXPECT_THAT(t.extents(), ElementsAre(2, 3, 4));
  EXPECT_EQ(t.to_vector(), counts<std::int32_t>(24));
}

TEST(NpyFile, LoadsAnEmptyArray) {
  const Tensor<float, 3> t = load_npy<float, 3>(sample("empty"), Device::cpu()).sync();
  EXPECT_THAT(t.extents(), ElementsAre(3, 0, 2));
  EXPECT_EQ(t.size(), 0);
}

TEST(NpyFile, SavesTheBytesThatNumpySaves) {
  const std::string path = testing::TempDir() + "saved.npy";
  save_npy(path, from_vector(counts<float>(6), {2, 3}, Device::cpu()).sync());
  EXPECT_EQ(read(path), read(sample("f4")));
  save_npy(path, from_vector(counts<std::int32_t>(24), {2, 3, 4}, Device::cpu()).sync());
  EXPECT_EQ(read(path), read(sample("rank3")));
  std::filesystem::remove(path);
}

TEST(NpyFile, NamesPathAndCureOfEachMistake) {
  EXPECT_THAT((message_of<UsageError, double, 2>(sample("f4"))),
              HasSubstr("f4.npy: holds elements of type '<f4', asked for f64"));
  EXPECT_THAT(
      (message_of<UsageError, float, 1>(sample("f4"))),
      HasSubstr(
          "f4.npy: has 2 axes, shape (2, 3), asked for a tensor of rank 1. Use load_npy<T, 2>"));
  EXPECT_THAT((message_of<UsageError, float, 1>(sample("rank0"))), HasSubstr("reshape(1)"));
  EXPECT_THAT((message_of<UsageError, float, 1>(sample("big_endian"))),
              HasSubstr("big_endian.npy: the .npy file holds big-endian"));
  EXPECT_THAT((message_of<DeviceError, float, 1>("/nowhere/x.npy")), HasSubstr("/nowhere/x.npy"));
  EXPECT_THAT((message_of<DeviceError, float, 1>(sample("../../oracles"))),
              HasSubstr("oracles.npy"));
}

} // namespace
} // namespace cutile
