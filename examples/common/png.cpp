#include "png.hpp"

#include <png.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace examples {

namespace {

using cutile::device_failure;
using cutile::Result;
using cutile::usage_failure;

// A damaged header can claim any size; this many pixels are far above a photograph's.
constexpr std::uint64_t max_pixels = 1U << 27U;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Frees what libpng holds for the image, on every path.
struct PngImage : png_image {
  PngImage() : png_image{} { version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

} // namespace

Result<Picture> load_png(const std::string& path) {
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    return device_failure(path + ": cannot be opened: " + std::strerror(errno) +
                          ". Check the path of the picture");
  }
  const auto broken = [&](const png_image& image) {
    return device_failure(path + ": is no PNG picture that can be read: " + image.message +
                          ". Save it again as PNG");
  };
  PngImage image;
  if (png_image_begin_read_from_stdio(&image, file.get()) == 0) return broken(image);
  if (std::uint64_t{image.width} * image.height > max_pixels) {
    return usage_failure(path + ": says that it has " + std::to_string(image.width) + " x " +
                         std::to_string(image.height) + " pixels, more than the " +
                         std::to_string(max_pixels) + " allowed. Make the picture smaller");
  }
  const bool colour = (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  image.format = colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Picture picture{
      static_cast<int>(image.width), static_cast<int>(image.height), colour ? 3 : 1, {}};
  picture.pixels.resize(PNG_IMAGE_SIZE(image));
  const png_color white{255, 255, 255};
  if (png_image_finish_read(&image, &white, picture.pixels.data(), 0, nullptr) == 0)
    return broken(image);
  return picture;
}

Result<void> save_png(const std::string& path, const Picture& picture) {
  const bool sized =
      picture.width > 0 && picture.height > 0 && (picture.channels == 1 || picture.channels == 3);
  const auto expected = static_cast<std::size_t>(picture.width) *
                        static_cast<std::size_t>(picture.height) *
                        static_cast<std::size_t>(picture.channels);
  if (!sized || picture.pixels.size() != expected) {
    return usage_failure(
        path + ": not written: a picture of " + std::to_string(picture.width) + " x " +
        std::to_string(picture.height) + " with " + std::to_string(picture.channels) +
        " channels has " + std::to_string(picture.pixels.size()) +
        " bytes of pixels. Give it 1 or 3 channels and width * height * channels bytes");
  }
  PngImage image;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = picture.channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr) == 0) {
    return device_failure(path + ": cannot be written: " + image.message +
                          ". Check that its folder exists and has space");
  }
  return {};
}

} // namespace examples
