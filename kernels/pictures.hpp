#pragma once

#include <cutile/cutile.hpp>

namespace cutile::kernels {

namespace detail {

/// Coordinates of this block's pixels: first + step * (column or row number).
template <int Axis, class T, int H, int W> Tile<float, H, W>
coordinate(const Out<T, H, W>& picture, const Scalar<float>& first, const Scalar<float>& step) {
  constexpr int extent = Axis == 0 ? H : W;
  constexpr auto line = std::conditional_t<Axis == 0, Shape<H, 1>, Shape<1, W>>{};
  auto number = iota<std::int32_t>(shape<extent>) + picture.index(Axis) * extent;
  return broadcast(reshape(first + step * cast<float>(number), line), shape<H, W>);
}

} // namespace detail

/// For each pixel c = (x0 + column * dx) + i (y0 + row * dy): the number of rounds of z = z^2 + c,
/// from z = 0, before |z| exceeds 2, at most `limit`. Each block stops when its last pixel has
/// escaped.
inline constexpr auto mandelbrot = kernel<"mandelbrot">(
    []<int H, int W>(Out<std::int32_t, H, W> rounds, Scalar<float> x0, Scalar<float> y0,
                     Scalar<float> dx, Scalar<float> dy, Scalar<std::int32_t> limit) {
      const auto cr = detail::coordinate<1>(rounds, x0, dx);
      const auto ci = detail::coordinate<0>(rounds, y0, dy);
      auto zr = zeros<float>(rounds.shape());
      auto zi = zeros<float>(rounds.shape());
      auto count = zeros<std::int32_t>(rounds.shape());
      auto inside = full<bool>(rounds.shape(), true);
      Index round = 0;
      while_([&] { return (round < limit) & any(inside); },
             [&] {
               auto next = zr * zr - zi * zi + cr;
               zi = 2 * zr * zi + ci;
               zr = next;
               inside = inside & (zr * zr + zi * zi <= 4);
               count += cast<std::int32_t>(inside);
               round += 1;
             });
      rounds.store(count);
    });

/// Colours of a Julia set, z = z^2 + (cr + i ci): three planes of 8 bits. The shade is smooth in
/// the escape time.
inline constexpr auto julia =
    kernel<"julia">([]<int H, int W>(Out<std::uint8_t, H, W> red, Out<std::uint8_t, H, W> green,
                                     Out<std::uint8_t, H, W> blue, Scalar<float> x0,
                                     Scalar<float> y0, Scalar<float> step, Scalar<float> cr,
                                     Scalar<float> ci, Scalar<std::int32_t> limit) {
      auto zr = detail::coordinate<1>(red, x0, step);
      auto zi = detail::coordinate<0>(red, y0, step);
      auto size = zeros<float>(red.shape()); // |z|^2 when the pixel escaped
      auto count = zeros<std::int32_t>(red.shape());
      auto inside = full<bool>(red.shape(), true);
      Index round = 0;
      while_([&] { return (round < limit) & any(inside); },
             [&] {
               auto next = zr * zr - zi * zi + cr;
               zi = select(inside, 2 * zr * zi + ci, zi);
               zr = select(inside, next, zr);
               size = zr * zr + zi * zi;
               inside = inside & (size <= 256);
               count += cast<std::int32_t>(inside);
               round += 1;
             });
      // Rounds to escape, made smooth: n + 1 - log2(log2 |z|^2 / 2).
      auto shade = cast<float>(count) + (1 - log2(log2(max(size, 2)) / 2));
      auto t = sqrt(max(shade, 0) / cast<float>(limit));
      auto channel = [&](float phase) {
        auto wave = 0.5F + 0.5F * cos(6.2831853F * (t + phase));
        return cast<std::uint8_t>(select(inside, 0, wave * 255));
      };
      red.store(channel(0.55F));
      green.store(channel(0.62F));
      blue.store(channel(0.75F));
    });

/// A binomial blur with the weights [1 4 6 4 1] / 16 along both axes. `x` is the picture with two
/// more elements on each side of each axis, so (H + 4) x (W + 4) for an H x W output.
inline constexpr auto blur =
    kernel<"blur">([]<class T, int H, int W>(Out<T, H, W> y, In<T, dyn, dyn> x) {
      constexpr float weights[] = {1.0F / 16, 4.0F / 16, 6.0F / 16, 4.0F / 16, 1.0F / 16};
      auto acc = zeros<float>(y.shape());
      for (int i = 0; i < 5; ++i) { // host loops: unrolled in the trace
        auto row = zeros<float>(y.shape());
        for (int j = 0; j < 5; ++j) row += weights[j] * cast<float>(x.load_window(y, {i, j}));
        acc += weights[i] * row;
      }
      if constexpr (std::is_integral_v<T>) acc = floor(acc + 0.5F);
      y.store(cast<T>(acc));
    });

} // namespace cutile::kernels
