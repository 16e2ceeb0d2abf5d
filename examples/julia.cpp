#include <cstdio>
#include <string>

#include "common/png.hpp"
#include "kernels/pictures.hpp"

// A kernel with three outputs and a loop that ends when the data says so; writes a picture: julia
// [FILE.png].

namespace ct = cutile;

int main(int argc, char** argv) try {
  constexpr int width = 1280, height = 800;
  const std::string path = argc > 1 ? argv[1] : "julia.png";
  const auto plane = [&] { return ct::zeros<std::uint8_t>({height, width}).sync(); };
  auto red = plane(), green = plane(), blue = plane();
  constexpr auto piece = ct::shape<16, 64>;
  auto [r, g, b] =
      ct::kernels::julia(std::move(red).partition(piece), std::move(green).partition(piece),
                         std::move(blue).partition(piece), -1.6F, -1.0F, 2.0F / height, -0.7269F,
                         0.1889F, 300)
          .sync();
  const auto reds = std::move(r).unpartition().to_vector(),
             greens = std::move(g).unpartition().to_vector(),
             blues = std::move(b).unpartition().to_vector();
  examples::Picture picture{width, height, 3, {}};
  for (std::size_t i = 0; i < reds.size(); ++i)
    picture.pixels.insert(picture.pixels.end(), {reds[i], greens[i], blues[i]});
  examples::save_png(path, picture).value();
  std::printf("%s: a Julia set, %d x %d, computed on %s\n", path.c_str(), width, height,
              ct::Device::default_device().name().c_str());
} catch (const ct::Error& e) {
  std::fprintf(stderr, "julia: %s\n", e.what());
  return 1;
}
