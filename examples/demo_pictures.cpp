#include <fmt/format.h>

#include "common/png.hpp"
#include "demo.hpp"
#include "kernels/pictures.hpp"

namespace examples {
namespace {

using namespace cutile;

void mandelbrot(Demo& demo) {
  const auto expected = load_npy<std::int32_t, 2>(
                            std::string(CUTILE_ORACLES) + "/mandelbrot_48x64.npy", Device::cpu())
                            .sync();
  auto small = zeros<std::int32_t>({48, 64}, demo.device).sync();
  auto [rounds] = kernels::mandelbrot(std::move(small).partition(shape<16, 32>), -2.2F, -1.2F,
                                      0.05F, 0.05F, 200)
                      .sync();
  const auto ours = std::move(rounds).unpartition().to_vector(), numpy = expected.to_vector();
  std::size_t different = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) different += ours[i] != numpy[i] ? 1 : 0;
  // A compiler may fuse z^2 + c into one rounding; then single pixels at the edge of the set
  // differ.
  Demo::require(different <= (demo.device.is_cuda() ? ours.size() / 50 : 0), "mandelbrot");

  const std::int64_t h = demo.quick ? 60 : 1080, w = demo.quick ? 80 : 1920;
  auto large = zeros<std::int32_t>({h, w}, demo.device).sync();
  const float step = 2.4F / static_cast<float>(h);
  const double seconds = demo.time([&] {
    static_cast<void>(kernels::mandelbrot(large.borrow_mut().partition(shape<16, 32>), -2.2F, -1.2F,
                                          step, step, 200)
                          .sync());
  });
  demo.rows.push_back({"Mandelbrot", fmt::format("{}x{}", h, w), "f32", seconds, 0, "",
                       demo.device.is_cuda() ? "NumPy, 98 % of pixels" : "NumPy, every pixel"});
}

void julia(Demo& demo) {
  const std::int64_t h = demo.quick ? 200 : 1600, w = demo.quick ? 320 : 2560;
  const auto plane = [&] { return zeros<std::uint8_t>({h, w}, demo.device).sync(); };
  auto red = plane(), green = plane(), blue = plane();
  constexpr auto piece = shape<16, 64>;
  const double seconds = demo.time([&] {
    static_cast<void>(kernels::julia(red.borrow_mut().partition(piece),
                                     green.borrow_mut().partition(piece),
                                     blue.borrow_mut().partition(piece), -1.6F, -1.0F,
                                     2.0F / static_cast<float>(h), -0.7269F, 0.1889F, 300)
                          .sync());
  });
  const auto r = red.to_vector(), g = green.to_vector(), b = blue.to_vector();
  Picture picture{static_cast<int>(w), static_cast<int>(h), 3, {}};
  for (std::size_t i = 0; i < r.size(); ++i)
    picture.pixels.insert(picture.pixels.end(), {r[i], g[i], b[i]});
  save_png(demo.output + "/julia.png", picture).value();
  demo.rows.push_back(
      {"Julia", fmt::format("{}x{}", h, w), "u8", seconds, 0, "", "your eyes: julia.png"});
}

void blur(Demo& demo) {
  const Picture photo = load_png(std::string(CUTILE_EXAMPLE_DATA) + "/photo.png").value();
  const auto width = static_cast<std::int64_t>(photo.width),
             height = static_cast<std::int64_t>(photo.height),
             channels = static_cast<std::int64_t>(photo.channels);
  Picture blurred = photo;
  double seconds = 0;
  for (std::int64_t c = 0; c < channels; ++c) { // one plane at a time, with a margin of 2
    std::vector<std::uint8_t> plane(static_cast<std::size_t>((height + 4) * (width + 4)), 0);
    const auto at = [&](std::int64_t i, std::int64_t j) {
      return static_cast<std::size_t>((i * width + j) * channels + c);
    };
    for (std::int64_t i = 0; i < height; ++i) {
      for (std::int64_t j = 0; j < width; ++j)
        plane[static_cast<std::size_t>((i + 2) * (width + 4) + j + 2)] = photo.pixels[at(i, j)];
    }
    auto x = from_vector<std::uint8_t>(plane, {height + 4, width + 4}, demo.device).sync();
    auto y = zeros<std::uint8_t>({height, width}, demo.device).sync();
    seconds += demo.time([&] {
      static_cast<void>(kernels::blur(y.borrow_mut().partition(shape<16, 64>), x).sync());
    });
    const std::vector<std::uint8_t> out = y.to_vector();
    constexpr int weights[] = {1, 4, 6, 4, 1};
    for (std::int64_t i = 0; i < height; ++i) {
      for (std::int64_t j = 0; j < width; ++j) {
        int sum = 128; // rounds to nearest: the weights add up to 256
        for (int k = 0; k < 25; ++k)
          sum += weights[k / 5] * weights[k % 5] *
                 plane[static_cast<std::size_t>((i + k / 5) * (width + 4) + j + k % 5)];
        const std::uint8_t ours = out[static_cast<std::size_t>(i * width + j)];
        Demo::require(ours == static_cast<std::uint8_t>(sum / 256), "blur");
        blurred.pixels[at(i, j)] = ours;
      }
    }
  }
  save_png(demo.output + "/blurred.png", blurred).value();
  demo.rows.push_back({"blur", fmt::format("{}x{}x{}", height, width, channels), "u8", seconds, 0,
                       "", "integer arithmetic, every bit"});
}

} // namespace

void run_pictures(Demo& demo) {
  mandelbrot(demo);
  julia(demo);
  blur(demo);
}

} // namespace examples
