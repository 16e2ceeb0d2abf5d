#include "common/png.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace examples {
namespace {

using testing::HasSubstr;

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Png : public testing::Test {
 protected:
  /// A path that no other test uses; removed afterwards.
  std::string path() const {
    return testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() +
           ".png";
  }
  std::string write(std::string_view bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
    return path();
  }
  void TearDown() override { std::filesystem::remove(path()); }
};

TEST_F(Png, ReadsThePhotoAsPillowDoes) {
  const Picture photo = load_png(CUTILE_EXAMPLE_DATA "/photo.png").value();
  ASSERT_EQ(photo.width, 451);
  ASSERT_EQ(photo.height, 300);
  ASSERT_EQ(photo.channels, 3);
  // The grey version was made from Pillow's pixels, with these weights.
  const std::string npy = read(CUTILE_TEST_DATA "/oracles/photo_grey.npy");
  const std::size_t pixels = 451 * 300;
  ASSERT_GT(npy.size(), pixels);
  const std::string_view grey = std::string_view(npy).substr(npy.size() - pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const int luma = (77 * photo.pixels[3 * i] + 150 * photo.pixels[3 * i + 1] +
                      29 * photo.pixels[3 * i + 2] + 128) >>
                     8;
    ASSERT_EQ(luma, static_cast<unsigned char>(grey[i])) << "pixel " << i;
  }
}

TEST_F(Png, GivesBackWhatWasSaved) {
  for (const int channels : {1, 3}) {
    Picture picture{5, 3, channels, {}};
    for (int i = 0; i < 15 * channels; ++i)
      picture.pixels.push_back(static_cast<std::uint8_t>(i * 37));
    save_png(path(), picture).value();
    const Picture back = load_png(path()).value();
    EXPECT_EQ(back.width, 5);
    EXPECT_EQ(back.height, 3);
    EXPECT_EQ(back.channels, channels);
    EXPECT_EQ(back.pixels, picture.pixels);
  }
}

TEST_F(Png, NamesTheFileThatIsMissing) {
  const cutile::Result<Picture> none = load_png("/nowhere/cat.png");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.failure().message,
              HasSubstr("/nowhere/cat.png: cannot be opened: No such file"));
}

TEST_F(Png, RefusesWhatCannotBeWritten) {
  const Picture wrong{4, 4, 3, std::vector<std::uint8_t>(16)};
  EXPECT_THAT(save_png(path(), wrong).failure().message,
              HasSubstr("4 x 4 with 3 channels has 16 bytes"));
  EXPECT_FALSE(save_png(path(), {-1, -1, 1, {0}}));
  EXPECT_FALSE(save_png(path(), {1, 1, 2, {0, 0}}));
  const Picture dot{1, 1, 1, {0}};
  EXPECT_THAT(save_png("/nowhere/dot.png", dot).failure().message,
              HasSubstr("/nowhere/dot.png: cannot be written"));
}

TEST_F(Png, RefusesOtherFiles) {
  EXPECT_THAT(load_png(write("")).failure().message, HasSubstr("no PNG picture"));
  EXPECT_THAT(load_png(write("GIF89a")).failure().message, HasSubstr("no PNG picture"));
}

TEST_F(Png, RefusesAFileCutAnywhere) {
  const std::string photo = read(CUTILE_EXAMPLE_DATA "/photo.png");
  for (std::size_t n = 0; n < photo.size() / 2; n += n < 200 ? 1 : 4999) {
    EXPECT_FALSE(load_png(write(photo.substr(0, n)))) << "cut to " << n;
  }
}

TEST_F(Png, SurvivesFlippedBytes) {
  Picture picture{16, 16, 3, {}};
  for (int i = 0; i < 16 * 16 * 3; ++i) picture.pixels.push_back(static_cast<std::uint8_t>(i * i));
  save_png(path(), picture).value();
  const std::string good = read(path());
  std::mt19937 random(2);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(random());
    const cutile::Result<Picture> result = load_png(write(bad));
    if (result) {
      EXPECT_EQ(result.value().pixels.size(),
                static_cast<std::size_t>(result.value().width) *
                    static_cast<std::size_t>(result.value().height) *
                    static_cast<std::size_t>(result.value().channels));
    } else {
      EXPECT_THAT(result.failure().message, HasSubstr(path()));
    }
  }
}

} // namespace
} // namespace examples
