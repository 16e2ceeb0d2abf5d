#include "ir/literals.hpp"

#include <gtest/gtest.h>

namespace cutile::ir {
namespace {

using K = TypeKind;
constexpr std::nullopt_t no = std::nullopt;
using Bits = std::optional<std::uint64_t>;

// Bit patterns from the definitions of the formats.

TEST(Literals, Integers) {
  EXPECT_EQ(literal_bits(K::i1, "true"), Bits(1));
  EXPECT_EQ(literal_bits(K::i1, "false"), Bits(0));
  EXPECT_EQ(literal_bits(K::i1, "2"), no);
  EXPECT_EQ(literal_bits(K::i8, "-128"), Bits(0x80));
  EXPECT_EQ(literal_bits(K::i8, "-129"), no);
  EXPECT_EQ(literal_bits(K::i8, "255"), Bits(0xff));
  EXPECT_EQ(literal_bits(K::i8, "256"), no);
  EXPECT_EQ(literal_bits(K::i8, "0xFF"), Bits(0xff));
  EXPECT_EQ(literal_bits(K::i8, "0x100"), no);
  EXPECT_EQ(literal_bits(K::i8, "1.0"), no);
  EXPECT_EQ(literal_bits(K::i8, "true"), no);
  EXPECT_EQ(literal_bits(K::i64, "-9223372036854775808"), Bits(0x8000000000000000));
  EXPECT_EQ(literal_bits(K::i64, "-9223372036854775809"), no);
  EXPECT_EQ(literal_bits(K::i64, "18446744073709551615"), Bits(0xffffffffffffffff));
  EXPECT_EQ(literal_bits(K::i64, "18446744073709551616"), no);
  EXPECT_EQ(literal_bits(K::token, "1"), no);
}

TEST(Literals, Floats) {
  EXPECT_EQ(literal_bits(K::f32, "1"), Bits(0x3f800000));
  EXPECT_EQ(literal_bits(K::f32, "0.1"), Bits(0x3dcccccd));
  EXPECT_EQ(literal_bits(K::f32, "-0.0"), Bits(0x80000000));
  EXPECT_EQ(literal_bits(K::f32, "1.401300e-45"), Bits(1));
  EXPECT_EQ(literal_bits(K::f32, "3.40282347E+38"), Bits(0x7f7fffff));
  EXPECT_EQ(literal_bits(K::f32, "3.5e38"), no);
  EXPECT_EQ(literal_bits(K::f32, "0x7F800000"), Bits(0x7f800000));
  EXPECT_EQ(literal_bits(K::f32, "0x17F800000"), no);
  EXPECT_EQ(literal_bits(K::f32, "inf"), no);
  EXPECT_EQ(literal_bits(K::f32, "1.0x"), no);
  EXPECT_EQ(literal_bits(K::f64, "0.1"), Bits(0x3fb999999999999a));
  EXPECT_EQ(literal_bits(K::f64, "4.940660e-324"), Bits(1));
  EXPECT_EQ(literal_bits(K::f64, "1e-400"), Bits(0));
  EXPECT_EQ(literal_bits(K::f64, "-0." + std::string(400, '0') + "1"), Bits(0x8000000000000000));
  EXPECT_EQ(literal_bits(K::f64, "1" + std::string(400, '0') + ".0e-10"), no);
  EXPECT_EQ(literal_bits(K::f64, "1e400"), no);
  EXPECT_EQ(literal_bits(K::f64, "1e99999999999999999999"), no);
}

TEST(Literals, SmallFloatsRoundToNearestEven) {
  EXPECT_EQ(literal_bits(K::f16, "65504"), Bits(0x7bff));
  EXPECT_EQ(literal_bits(K::f16, "65519.9"), Bits(0x7bff));
  EXPECT_EQ(literal_bits(K::f16, "65520"), no);
  EXPECT_EQ(literal_bits(K::f16, "5.960460e-08"), Bits(1));
  EXPECT_EQ(literal_bits(K::f16, "2.9802322e-08"), Bits(0)); // half of the smallest
  EXPECT_EQ(literal_bits(K::f16, "6.097555e-05"), Bits(0x3ff));
  EXPECT_EQ(literal_bits(K::f16, "1.00048828125"), Bits(0x3c00)); // ties
  EXPECT_EQ(literal_bits(K::f16, "1.00146484375"), Bits(0x3c02));
  EXPECT_EQ(literal_bits(K::f16, "1.9999999"), Bits(0x4000));
  EXPECT_EQ(literal_bits(K::bf16, "3.14"), Bits(0x4049));
  EXPECT_EQ(literal_bits(K::tf32, "1.0009765625"), Bits(0x3f802000));
  EXPECT_EQ(literal_bits(K::tf32, "0x7FFFF"), Bits(0xffffe000));
  EXPECT_EQ(literal_bits(K::tf32, "0x80000"), no);
  EXPECT_EQ(literal_bits(K::f8e4m3fn, "448"), Bits(0x7e));
  EXPECT_EQ(literal_bits(K::f8e4m3fn, "480"), no);
  EXPECT_EQ(literal_bits(K::f8e5m2, "57344"), Bits(0x7b));
  EXPECT_EQ(literal_bits(K::f8e5m2, "65536"), no);
  EXPECT_EQ(literal_bits(K::f8e8m0fnu, "1"), Bits(127));
  EXPECT_EQ(literal_bits(K::f8e8m0fnu, "5.877470e-39"), Bits(0));
  EXPECT_EQ(literal_bits(K::f8e8m0fnu, "0.0"), no);
  EXPECT_EQ(literal_bits(K::f8e8m0fnu, "1e-45"), no);
  EXPECT_EQ(literal_bits(K::f8e8m0fnu, "-1"), no);
  EXPECT_EQ(literal_bits(K::f8e5m3fnu, "-0.0"), no);
  EXPECT_EQ(literal_bits(K::f4e2m1fn, "-0.5"), Bits(9));
  EXPECT_EQ(literal_bits(K::f4e2m1fn, "6.9"), Bits(7));
  EXPECT_EQ(literal_bits(K::f4e2m1fn, "7"), no);
}

TEST(Literals, WhatIsPrintedIsReadAgain) {
  for (const K kind : {K::f16, K::bf16, K::tf32, K::f8e4m3fn, K::f8e5m2, K::f8e8m0fnu, K::f8e5m3fnu,
                       K::f4e2m1fn}) {
    const unsigned unused = kind == K::tf32 ? 13 : 0;
    const std::uint64_t step = kind == K::tf32 ? 61 : 1; // of half a million
    for (std::uint64_t i = 0; i >> static_cast<unsigned>(bit_width(kind)) == 0; i += step) {
      const std::uint64_t bits = i << unused;
      ASSERT_EQ(literal_bits(kind, literal_text(kind, bits)), Bits(bits)) << spelling(kind);
    }
  }
}

} // namespace
} // namespace cutile::ir
