#include "support/npy.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "support/files.hpp"

namespace cutile::support {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::byte> sample(const std::string& name) {
  return read_file(CUTILE_TEST_DATA "/npy/" + name + ".npy").value();
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// A version 1.0 file of this dictionary, without elements.
std::vector<std::byte> file_of(std::string dict) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(dict.size() & 0xffU);
  text += static_cast<char>(dict.size() >> 8U);
  return bytes_of(text + dict);
}

std::string failure_of(std::span<const std::byte> file) {
  const Result<NpyHeader> header = parse_npy_header(file);
  return header ? "no failure" : header.failure().message;
}

struct Sample {
  std::string name;
  DType type;
};
void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

/// Every sample of two rows of three holds 0, 1, ... 5.
class NpySample : public testing::TestWithParam<Sample> {
 protected:
  template <class T> static void expect_counts(const std::byte* data) {
    for (int i = 0; i < 6; ++i) {
      T value;
      std::memcpy(&value, data + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
      EXPECT_EQ(static_cast<float>(value), static_cast<float>(i));
    }
  }
};

TEST_P(NpySample, IsReadAsNumpyWroteIt) {
  const std::vector<std::byte> file = sample(GetParam().name);
  const NpyHeader header = parse_npy_header(file).value();
  EXPECT_TRUE(npy_holds(header.descr, GetParam().type)) << header.descr;
  EXPECT_FALSE(header.fortran_order);
  EXPECT_THAT(header.shape, ElementsAre(2, 3));
  EXPECT_EQ(header.data_offset % 64, 0U);
  EXPECT_EQ(header.data_bytes, 6U * static_cast<std::size_t>(size_of(GetParam().type)));
  EXPECT_EQ(header.data_offset + header.data_bytes, file.size());
  const std::byte* data = file.data() + header.data_offset;
  switch (GetParam().type) {
  case DType::b1:
    EXPECT_THAT(std::vector(data, data + 6),
                testing::ElementsAreArray(bytes_of({"\0\1\0\1\0\1", 6})));
    break;
  case DType::i8: expect_counts<std::int8_t>(data); break;
  case DType::i16: expect_counts<std::int16_t>(data); break;
  case DType::i32: expect_counts<std::int32_t>(data); break;
  case DType::i64: expect_counts<std::int64_t>(data); break;
  case DType::u8: expect_counts<std::uint8_t>(data); break;
  case DType::u16: expect_counts<std::uint16_t>(data); break;
  case DType::u32: expect_counts<std::uint32_t>(data); break;
  case DType::u64: expect_counts<std::uint64_t>(data); break;
  case DType::f16: expect_counts<f16>(data); break;
  case DType::bf16: expect_counts<bf16>(data); break;
  case DType::f32: expect_counts<float>(data); break;
  case DType::f64: expect_counts<double>(data); break;
  default: FAIL() << "NumPy has no such type"; // tf32 and smaller ones are kept as their bits
  }
}

INSTANTIATE_TEST_SUITE_P(All, NpySample,
                         testing::Values(Sample{"b1", DType::b1}, Sample{"i1", DType::i8},
                                         Sample{"i2", DType::i16}, Sample{"i4", DType::i32},
                                         Sample{"i8", DType::i64}, Sample{"u1", DType::u8},
                                         Sample{"u2", DType::u16}, Sample{"u4", DType::u32},
                                         Sample{"u8", DType::u64}, Sample{"f2", DType::f16},
                                         Sample{"bf16", DType::bf16}, Sample{"f4", DType::f32},
                                         Sample{"f8", DType::f64}, Sample{"version2", DType::f32},
                                         Sample{"version3", DType::f32}),
                         [](const auto& info) { return info.param.name; });

TEST(Npy, ReadsOtherShapes) {
  EXPECT_THAT(parse_npy_header(sample("rank0")).value().shape, IsEmpty());
  EXPECT_THAT(parse_npy_header(sample("rank1")).value().shape, ElementsAre(5));
  EXPECT_THAT(parse_npy_header(sample("rank3")).value().shape, ElementsAre(2, 3, 4));
  const NpyHeader empty = parse_npy_header(sample("empty")).value();
  EXPECT_THAT(empty.shape, ElementsAre(3, 0, 2));
  EXPECT_EQ(empty.data_bytes, 0U);
  const NpyHeader fortran = parse_npy_header(sample("fortran")).value();
  EXPECT_TRUE(fortran.fortran_order);
  EXPECT_THAT(fortran.shape, ElementsAre(2, 3, 4));
}

TEST(Npy, WritesWhatNumpyWrites) {
  const std::vector<std::pair<std::string, DType>> types = {
      {"b1", DType::b1},  {"i1", DType::i8},  {"i2", DType::i16}, {"i4", DType::i32},
      {"i8", DType::i64}, {"u1", DType::u8},  {"u2", DType::u16}, {"u4", DType::u32},
      {"u8", DType::u64}, {"f2", DType::f16}, {"f4", DType::f32}, {"f8", DType::f64}};
  for (const auto& [name, type] : types) {
    const std::vector<std::byte> file = sample(name);
    const std::size_t offset = parse_npy_header(file).value().data_offset;
    const std::vector<std::int64_t> shape{2, 3};
    EXPECT_THAT(npy_header(npy_descr(type), shape),
                testing::ElementsAreArray(std::span(file).first(offset)))
        << name;
  }
  for (const std::string name : {"rank0", "rank1", "rank3", "empty"}) {
    const std::vector<std::byte> file = sample(name);
    const NpyHeader header = parse_npy_header(file).value();
    EXPECT_THAT(npy_header(header.descr, header.shape),
                testing::ElementsAreArray(std::span(file).first(header.data_offset)))
        << name;
  }
}

TEST(Npy, KnowsWhichFilesHoldAType) {
  EXPECT_TRUE(npy_holds("<V2", DType::bf16));
  EXPECT_TRUE(npy_holds("<u2", DType::bf16));
  EXPECT_FALSE(npy_holds("<V2", DType::f16));
  EXPECT_FALSE(npy_holds("<f2", DType::bf16));
  EXPECT_FALSE(npy_holds("<i4", DType::u32));
  EXPECT_TRUE(npy_holds("<i1", DType::i8));
  EXPECT_FALSE(npy_holds("|u1", DType::i8));
}

TEST(Npy, RefusesFilesOfOtherTypes) {
  EXPECT_THAT(failure_of(sample("big_endian")), HasSubstr("big-endian"));
  EXPECT_THAT(failure_of(sample("record")), HasSubstr("several fields"));
  EXPECT_THAT(failure_of(sample("complex")), HasSubstr("'<c8'"));
  EXPECT_EQ(parse_npy_header(sample("complex")).failure().fault, Fault::usage);
}

TEST(Npy, RefusesDamagedHeaders) {
  const auto with_shape = [](std::string_view shape) {
    return failure_of(
        file_of(fmt::format("{{'descr': '|u1', 'fortran_order': False, 'shape': {}, }}\n", shape)));
  };
  EXPECT_EQ(with_shape("(0,)"), "no failure");
  EXPECT_EQ(with_shape("(0L, 3L)"), "no failure");
  EXPECT_THAT(with_shape("(-1,)"), HasSubstr("negative extent -1"));
  EXPECT_THAT(with_shape("(99999999999999999999,)"), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(with_shape("(4294967296, 4294967296)"), HasSubstr("exceed 2^63 bytes"));
  EXPECT_THAT(with_shape("(0, 4294967296, 4294967296)"), HasSubstr("exceed 2^63 bytes"));
  EXPECT_THAT(with_shape("(9223372036854775807,)"),
              HasSubstr("needs 9223372036854775807 bytes of elements, the file has 0"));
  EXPECT_THAT(with_shape("(3)"), HasSubstr("shape is garbled"));
  EXPECT_THAT(with_shape("(3 4)"), HasSubstr("shape is garbled"));
  EXPECT_THAT(with_shape("[3]"), HasSubstr("no tuple"));
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  EXPECT_THAT(with_shape(many + ")"), HasSubstr("more than 64 axes"));

  EXPECT_THAT(failure_of(bytes_of("PK\x03\x04 no array")), HasSubstr("does not start with"));
  EXPECT_THAT(failure_of({}), HasSubstr("only 0 bytes"));
  EXPECT_THAT(failure_of(file_of("[1, 2]")), HasSubstr("no dictionary"));
  EXPECT_THAT(failure_of(file_of("{'descr': '<f4', 'shape': (1,), }")), HasSubstr("lacks"));
  EXPECT_THAT(failure_of(file_of("{'descr': '<f4', 'descr': '<f4', 'shape': (1,), }")),
              HasSubstr("descr twice"));
  EXPECT_THAT(failure_of(file_of("{'descr': '<f4', 'order': 'C', 'shape': (1,), }")),
              HasSubstr("a key that"));
  EXPECT_THAT(failure_of(file_of("{'descr': '|u1', 'fortran_order': None, 'shape': (0,), }")),
              HasSubstr("neither True nor False"));
  EXPECT_THAT(failure_of(file_of("{'descr': '|u1', 'fortran_order': False, 'shape': (0,), } + 1")),
              HasSubstr("goes on after"));
  std::vector<std::byte> future = sample("f4");
  future[6] = std::byte{4};
  EXPECT_THAT(failure_of(future), HasSubstr("version is 4.0"));
}

TEST(Npy, RefusesAFileCutAnywhere) {
  for (const std::string name : {"f4", "version2", "version3", "rank3"}) {
    const std::vector<std::byte> file = sample(name);
    for (std::size_t n = 0; n < file.size(); ++n) {
      // A copy of that very size, so that a sanitizer sees any read past its end.
      const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n));
      const Result<NpyHeader> header = parse_npy_header(cut);
      ASSERT_FALSE(header.has_value()) << name << " cut to " << n;
      EXPECT_EQ(header.failure().fault, Fault::device);
    }
  }
}

TEST(Npy, SurvivesFlippedBytes) {
  std::mt19937 random(1);
  for (const std::string name : {"f4", "version2", "rank3", "bf16"}) {
    const std::vector<std::byte> file = sample(name);
    for (std::size_t at = 0; at < file.size(); ++at) {
      for (int i = 0; i < 32; ++i) {
        std::vector<std::byte> flipped = file;
        flipped[at] = static_cast<std::byte>(random());
        if (const Result<NpyHeader> header = parse_npy_header(flipped)) {
          ASSERT_LE(header->data_offset, file.size());
          ASSERT_LE(header->data_bytes, file.size() - header->data_offset);
        } else {
          ASSERT_THAT(header.failure().message, HasSubstr(".npy file"));
        }
      }
    }
  }
}

} // namespace
} // namespace cutile::support
