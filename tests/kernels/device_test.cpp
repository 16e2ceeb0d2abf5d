#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/elementwise.hpp"
#include "kernels/test_device.hpp"

// Tensors and operations on every device.

namespace cutile::test {
namespace {

using testing::ElementsAre;

template <class T> void round_trip() {
  std::vector<T> values;
  for (int i = 0; i < 6; ++i) values.push_back(detail::to_element<T>(i));
  auto t = from_vector<T>(values, {2, 3}, device()).sync();
  EXPECT_EQ(t.extents(), (std::array<std::int64_t, 2>{2, 3}));
  EXPECT_EQ(t.strides(), (std::array<std::int64_t, 2>{3, 1}));
  EXPECT_EQ(t.to_vector(), values);
  EXPECT_EQ(t.to(Device::cpu()).sync().to_vector(), values);
  EXPECT_EQ(t.copy().sync().to_vector(), values);
  EXPECT_EQ((ones<T>({3}, device()).sync().to_vector()),
            std::vector<T>(3, detail::to_element<T>(1)));
  EXPECT_EQ((full<T>({1025}, 1, device()).sync().to_vector()),
            std::vector<T>(1025, detail::to_element<T>(1)));
  EXPECT_EQ((zeros<T>({3, 1}, device()).sync().to_vector()), std::vector<T>(3, T{}));
}

TEST(Tensors, EveryElementTypeRoundTrips) {
  round_trip<double>();
  round_trip<float>();
  round_trip<f16>();
  round_trip<bf16>();
  round_trip<std::int8_t>();
  round_trip<std::int16_t>();
  round_trip<std::int32_t>();
  round_trip<std::int64_t>();
  round_trip<std::uint8_t>();
  round_trip<std::uint16_t>();
  round_trip<std::uint32_t>();
  round_trip<std::uint64_t>();
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(from_vector<bool>(bits, device()).sync().to_vector(), bits);
}

TEST(Tensors, Arange) {
  EXPECT_THAT(arange<float>(4, device()).sync().to_vector(), ElementsAre(0, 1, 2, 3));
}

TEST(Operations, ThenRunsOnTheSameStream) {
  auto x = ones<float>({100}, device()).sync();
  auto z = zeros<float>({100}, device()).sync();
  auto op = kernels::add(std::move(z).partition(shape<64>), x.copy().sync(), x.copy().sync())
                .then([&](auto sum, auto a, auto b) {
                  static_cast<void>(b);
                  return kernels::saxpy(std::move(sum), std::move(a), 10.0F);
                });
  auto [y, a] = std::move(op).sync();
  EXPECT_THAT(std::move(y).unpartition().to_vector(), testing::Each(12.0F));
}

TEST(Operations, EverythingComesBackInTheFormGiven) {
  auto x = ones<float>({10}, device()).sync();
  auto y = ones<float>({10}, device()).sync().share();
  auto z = zeros<float>({10}, device()).sync();
  auto [sum, x1, y1] = kernels::add(std::move(z).partition(shape<16>), x, y).sync();
  static_assert(std::is_same_v<decltype(sum), Partition<float, 16>>);
  static_assert(std::is_same_v<decltype(x1), const Tensor<float, 1>&>);
  static_assert(std::is_same_v<decltype(y1), Shared<float, 1>>);
  EXPECT_EQ(&x1, &x);
}

} // namespace
} // namespace cutile::test
