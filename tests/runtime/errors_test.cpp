#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cutile/cutile.hpp>
#include <fstream>

#include "kernels/elementwise.hpp"
#include "kernels/gemm.hpp"
#include "kernels/pictures.hpp"

// What a user can do wrong, and the sentence that answers. Everything runs on the CPU device.

namespace cutile {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;

const Device cpu = Device::cpu();

/// The message of the E that `f` throws.
template <class E, class F> std::string message_of(F f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another error: " << e.what();
    return "";
  }
  ADD_FAILURE() << "no error";
  return "";
}

/// "errors_test.cpp:LINE: " of the first line of this file that holds `text`.
std::string place_of(const std::string& text) {
  std::ifstream source(__FILE__);
  int number = 1;
  for (std::string line; std::getline(source, line) && line.find(text) == std::string::npos;) {
    ++number;
  }
  return "errors_test.cpp:" + std::to_string(number) + ": ";
}

TEST(Errors, AMovedFromTensorSaysSo) {
  auto x = ones<float>({8}, cpu).sync();
  auto y = std::move(x);
  const std::string message =
      message_of<UsageError>([&] { static_cast<void>(x.to_vector()); }); // NOLINT(*-use-after-move)
  EXPECT_THAT(message, AllOf(HasSubstr(place_of("x.to_vector()")),
                             HasSubstr("to_vector: this tensor was moved from")));
  auto z = zeros<float>({8}, cpu).sync();
  EXPECT_THAT(message_of<UsageError>([&] {
                static_cast<void>(kernels::add(std::move(z).partition(shape<8>), x, y).sync());
              }),
              HasSubstr("moved from"));
}

TEST(Errors, OneTensorAsInputAndOutput) {
  auto z = ones<float>({8}, cpu).sync();
  auto y = ones<float>({8}, cpu).sync();
  const std::string message = message_of<UsageError>(
      [&] { static_cast<void>(kernels::add(z.borrow_mut().partition(shape<8>), y, z).sync()); });
  EXPECT_THAT(message,
              AllOf(HasSubstr(place_of("z.borrow_mut().partition(shape<8>), y, z)")),
                    HasSubstr("kernel 'add'"),
                    HasSubstr("arguments 1 and 3 are the same tensor and one of them is written")));
  // Nothing is lost: the tensors are there, and free.
  static_cast<void>(kernels::add(z.borrow_mut().partition(shape<8>), y, y).sync());
  EXPECT_EQ(z.to_vector(), std::vector<float>(8, 2.0F));
}

TEST(Errors, AnOperationThatWaitsHoldsItsTensors) {
  auto z = zeros<float>({8}, cpu).sync();
  auto y = ones<float>({8}, cpu).sync();
  {
    auto waiting = kernels::add(z.borrow_mut().partition(shape<8>), y, y);
    EXPECT_THAT(message_of<UsageError>([&] {
                  static_cast<void>(kernels::add(z.borrow_mut().partition(shape<8>), y, y));
                }),
                HasSubstr("argument 1 is in use by another operation that has not run yet"));
    EXPECT_THAT(message_of<UsageError>([&] {
                  static_cast<void>(kernels::add(y.borrow_mut().partition(shape<8>), y, y));
                }),
                HasSubstr("argument 1"));
    auto w = zeros<float>({8}, cpu).sync();
    static_cast<void>(
        kernels::add(std::move(w).partition(shape<8>), y, y).sync()); // readers may be many
  }
  static_cast<void>(
      kernels::add(z.borrow_mut().partition(shape<8>), y, y).sync()); // dropped: free again
}

TEST(Errors, AFailedLaunchGivesTheArgumentsBack) {
  auto z = zeros<float>({64}, cpu).sync();
  auto x = ones<float>({32}, cpu).sync(); // too short
  auto outcome =
      kernels::add(std::move(z).partition(shape<16>), std::move(x), ones<float>({64}, cpu).sync())
          .try_sync();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.failure().fault, Fault::usage);
  EXPECT_THAT(
      outcome.failure().message,
      AllOf(HasSubstr("elementwise.hpp:"),
            HasSubstr("kernel 'add' loads from argument 2 at tile indices up to 3 along axis 0"),
            HasSubstr("has 2 tiles of 16 (extent 32)"), HasSubstr("errors_test.cpp:")));
  ASSERT_TRUE(outcome.arguments().has_value());
  auto& [z1, x1, y1] = *outcome.arguments();
  EXPECT_EQ(std::move(z1).unpartition().size(), 64);
  EXPECT_EQ(x1.to_vector(), std::vector<float>(32, 1.0F));
  EXPECT_EQ(y1.size(), 64);
}

TEST(Errors, AnOperationRunsOnce) {
  auto op = ones<float>({4}, cpu);
  static_cast<void>(std::move(op).sync());
  EXPECT_THAT(message_of<UsageError>([&] { static_cast<void>(std::move(op).sync()); }),
              HasSubstr("has run already")); // NOLINT(*-use-after-move)
}

TEST(Errors, ExtentsThatNoMemoryHolds) {
  EXPECT_THAT(message_of<UsageError>([] { static_cast<void>(zeros<float>({-1}, cpu)); }),
              HasSubstr("no negative extent"));
  EXPECT_THAT(message_of<UsageError>([] {
                static_cast<void>(
                    zeros<float>({std::int64_t{1} << 40, std::int64_t{1} << 40}, cpu));
              }),
              HasSubstr("1099511627776 x 1099511627776 elements is larger than any memory"));
  EXPECT_EQ((zeros<float>({0, std::int64_t{1} << 62, std::int64_t{1} << 62}, cpu).sync().size()),
            0);
  EXPECT_THAT(message_of<DeviceError>(
                  [] { static_cast<void>(zeros<float>({std::int64_t{1} << 55}, cpu).sync()); }),
              HasSubstr("out of memory: 144115188075855872 bytes"));
  EXPECT_THAT(
      message_of<UsageError>([] { static_cast<void>(from_vector<float>({1, 2, 3}, {2, 2}, cpu)); }),
      HasSubstr("3 elements were given for a tensor of 4"));
}

TEST(Errors, OutputsMustBeCutAlike) {
  static constexpr auto two = kernel<"two">([]<int A, int B>(Out<float, A> x, Out<float, B> y) {
    x.store(zeros<float>(shape<A>));
    y.store(zeros<float>(shape<B>));
  });
  auto x = zeros<float>({64}, cpu).sync(), y = zeros<float>({64}, cpu).sync();
  EXPECT_THAT(
      message_of<UsageError>([&] {
        static_cast<void>(
            two(std::move(x).partition(shape<16>), std::move(y).partition(shape<32>)).sync());
      }),
      HasSubstr("argument 1 is cut into 4 x 1 x 1 pieces, argument 2 into 2 x 1 x 1"));
}

TEST(Errors, GridsHaveLimits) {
  static constexpr auto fill = kernel<"fill">(
      []<int A, int B>(Out<std::uint8_t, A, B> x) { x.store(zeros<std::uint8_t>(shape<A, B>)); });
  auto x = zeros<std::uint8_t>({1, 65536}, cpu).sync();
  EXPECT_THAT(
      message_of<UsageError>(
          [&] { static_cast<void>(fill(std::move(x).partition(shape<1, 1>)).sync()); }),
      HasSubstr(
          "65536 pieces along axis 1 are more than a grid can have (65535); use larger tiles"));
}

TEST(Errors, StaticExtentsAreChecked) {
  static constexpr auto rows =
      kernel<"rows">([](Out<float, 4, 8> y, In<float, dyn, 8> x) { y.store(x.load_like(y)); });
  auto y = zeros<float>({4, 8}, cpu).sync();
  auto good = ones<float>({4, 8}, cpu).sync(), bad = ones<float>({4, 9}, cpu).sync();
  static_cast<void>(rows(y.borrow_mut().partition(shape<4, 8>), good).sync());
  EXPECT_THAT(message_of<UsageError>([&] {
                static_cast<void>(rows(y.borrow_mut().partition(shape<4, 8>), bad).sync());
              }),
              HasSubstr("argument 2 has extent 9 along axis 1; the kernel demands 8"));
}

// Mistakes inside kernels.

TEST(Errors, BreakOutOfATracedLoop) {
  static constexpr auto k = kernel<"k">([](Out<float, 8> y) {
    auto acc = zeros<float>(shape<8>);
    for (auto i : range(10)) {
      acc = acc + cast<float>(i);
      break;
    }
    y.store(acc);
  });
  auto y = zeros<float>({8}, cpu).sync();
  const std::string message = message_of<UsageError>(
      [&] { static_cast<void>(k(std::move(y).partition(shape<8>)).sync()); });
  EXPECT_THAT(message, AllOf(HasSubstr(place_of("for (auto i : range(10))")),
                             HasSubstr("left by a C++ break or return"), HasSubstr("ct::while_")));
}

TEST(Errors, ATraceReportsAllItsErrors) {
  static constexpr auto k = kernel<"k">([](Out<float, 8> y, In<std::int32_t, dyn> x) {
    auto tile = zeros<float>(shape<8>);
    for (auto i : range(0, 10, 0)) tile = tile + cast<float>(i); // the step
    if_(sum(tile) > 0, [&] { break_(); });                       // no loop
    for (auto i : range(3)) {
      static_cast<void>(i);
      if_(sum(tile) > 0, [&] { break_(); }); // a counted loop
    }
    static_cast<void>(x.tiles(shape<8>, {.padding = Padding::neg_inf})); // integers
    y.store(tile);
  });
  auto y = zeros<float>({8}, cpu).sync();
  auto x = zeros<std::int32_t>({8}, cpu).sync();
  const std::string message = message_of<UsageError>(
      [&] { static_cast<void>(k(std::move(y).partition(shape<8>), x).sync()); });
  EXPECT_THAT(message, AllOf(HasSubstr("the step must be positive"),
                             HasSubstr("ct::break_() stands outside a loop"),
                             HasSubstr("would leave a counted loop"),
                             HasSubstr("only a tensor of floats can be padded")));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 3) << message;
}

TEST(Errors, ATileOutsideItsRegion) {
  static constexpr auto k = kernel<"k">([](Out<float, 8> y) {
    std::optional<Tile<float, 8>> kept;
    for (auto i : range(3)) kept.emplace(broadcast(cast<float>(i), shape<8>));
    y.store(*kept);
  });
  auto y = zeros<float>({8}, cpu).sync();
  EXPECT_THAT(message_of<UsageError>(
                  [&] { static_cast<void>(k(std::move(y).partition(shape<8>)).sync()); }),
              HasSubstr("used outside the loop or branch that made it"));
}

TEST(Errors, ATileOutsideAKernel) {
  EXPECT_THAT(message_of<UsageError>([] { static_cast<void>(zeros<float>(shape<8>)); }),
              HasSubstr("a tile was used outside a kernel"));
}

TEST(Errors, ALaunchInsideAKernel) {
  static constexpr auto inner =
      kernel<"inner">([](Out<float, 8> y) { y.store(zeros<float>(shape<8>)); });
  static constexpr auto outer = kernel<"outer">([](Out<float, 8> y) {
    auto z = zeros<float>({8}, cpu).sync();
    static_cast<void>(inner(std::move(z).partition(shape<8>)).sync());
    y.store(zeros<float>(shape<8>));
  });
  auto y = zeros<float>({8}, cpu).sync();
  EXPECT_THAT(message_of<UsageError>(
                  [&] { static_cast<void>(outer(std::move(y).partition(shape<8>)).sync()); }),
              HasSubstr("kernel 'inner' is launched inside another kernel"));
}

TEST(Errors, AnExceptionInAKernelPassesThrough) {
  static constexpr auto k = kernel<"k">([](Out<float, 8> y) {
    for (auto i : range(3)) {
      static_cast<void>(i);
      if_(sum(y.load()) > 0, [&] { throw std::runtime_error("mine"); });
    }
  });
  auto y = zeros<float>({8}, cpu).sync();
  auto op = k(std::move(y).partition(shape<8>));
  EXPECT_THROW(static_cast<void>(std::move(op).sync()), std::runtime_error);
  // and the next kernel is traced as if nothing had been
  auto z = zeros<float>({8}, cpu).sync();
  static_cast<void>(kernels::add(std::move(z).partition(shape<8>), ones<float>({8}, cpu).sync(),
                                 ones<float>({8}, cpu).sync())
                        .sync());
}

TEST(Errors, AnIndexThatDataDecidesIsCheckedInTheKernel) {
  static constexpr auto k =
      kernel<"gather_tile">([](Out<float, 8> y, In<float, dyn> x, Scalar<std::int32_t> which) {
        y.store(x.tiles(shape<8>).load(which));
      });
  auto x = arange<float>(32, cpu).sync();
  auto y = zeros<float>({8}, cpu).sync();
  static_cast<void>(k(y.borrow_mut().partition(shape<8>), x, 3).sync());
  EXPECT_EQ(y.to_vector().front(), 24.0F);
  for (const std::int32_t outside : {4, -1, 1 << 30}) {
    const std::string message = message_of<UsageError>(
        [&] { static_cast<void>(k(y.borrow_mut().partition(shape<8>), x, outside).sync()); });
    EXPECT_THAT(
        message,
        AllOf(HasSubstr(place_of(".load(which)")),
              HasSubstr("load of argument 2: the index along axis 0 is outside the grid of tiles"),
              HasSubstr("tile block 0, 0, 0")));
  }
}

TEST(Errors, IntegerDivisionByZeroIsReported) {
  static constexpr auto k = kernel<"divide">(
      [](Out<std::int32_t, 8> y, In<std::int32_t, dyn> x) { y.store(100 / x.load_like(y)); });
  auto x = arange<std::int32_t>(8, cpu).sync();
  auto y = zeros<std::int32_t>({8}, cpu).sync();
  EXPECT_THAT(
      message_of<UsageError>(
          [&] { static_cast<void>(k(std::move(y).partition(shape<8>), x).sync()); }),
      AllOf(HasSubstr(place_of("100 / x.load_like(y)")), HasSubstr("integer division by zero")));
}

TEST(Errors, DeviceAssertionsFailTheLaunch) {
  static constexpr auto k = kernel<"checked">([](Out<float, 8> y, In<float, dyn> x) {
    auto v = x.load_like(y);
    device_assert(v >= 0, "x must not be negative");
    y.store(sqrt(v));
  });
  auto good = ones<float>({8}, cpu).sync(), bad = full<float>({8}, -1, cpu).sync();
  auto y = zeros<float>({8}, cpu).sync();
  static_cast<void>(k(y.borrow_mut().partition(shape<8>), good).sync());
  EXPECT_THAT(message_of<UsageError>(
                  [&] { static_cast<void>(k(y.borrow_mut().partition(shape<8>), bad).sync()); }),
              HasSubstr("x must not be negative"));
}

TEST(Errors, AWindowMustStartInside) {
  auto x = ones<float>({20, 20}, cpu).sync();
  auto y = zeros<float>({32, 16}, cpu).sync();
  EXPECT_THAT(message_of<UsageError>([&] {
                static_cast<void>(kernels::blur(std::move(y).partition(shape<16, 16>), x).sync());
              }),
              HasSubstr("loads from argument 2 at tile indices up to 20 along axis 0"));
}

} // namespace
} // namespace cutile
