#include "bytecode/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bytecode/writer.hpp"
#include "cases.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"
#include "tests/common/hardware_cases.hpp"

// Files that other writers wrote, and damaged ones. Those of our own writer: cases_test.cpp.

namespace cutile::testing {
namespace {

using ::testing::HasSubstr;
using Bytes = std::vector<std::byte>;

class ReadHardware : public ::testing::TestWithParam<HardwareCase> {};
INSTANTIATE_TEST_SUITE_P(H200, ReadHardware, ::testing::ValuesIn(hardware_cases()), test_name);

TEST_P(ReadHardware, IsWrittenAgainByteForByte) {
  const Bytes& file = GetParam().bytecode;
  const Module m = bytecode::read(file).value();
  for (const Diagnostic& d : verify(m)) ADD_FAILURE() << d.message;
  EXPECT_EQ(bytecode::version_of(file).value(), V13_4);
  EXPECT_EQ(bytecode::write(m, V13_4, bytecode::Layout::as_read).value(), file);
}

TEST(Reader, AllHardwareCases) { EXPECT_EQ(hardware_cases().size(), 194U); }

/// Files to damage: a group of cases, one with places in the source, some of another writer.
struct Sample {
  std::string name;
  Bytes file;

  friend void PrintTo(const Sample& s, std::ostream* out) { *out << s.name; }
};

std::vector<Sample> samples() {
  std::vector<Sample> out;
  for (const Group& group : all_groups()) {
    if (group.name == "control")
      out.push_back(
          {group.name, *bytecode::write(module_of(group, [](auto&) { return true; }), V13_5)});
  }
  Module m;
  const TypeId number = m.types.tile(TypeKind::i32);
  Builder b = Builder::entry(m, "placed", std::span(&number, 1), {"a/b.cpp", 3, 7});
  const ValueId p = b.function().params()[0];
  b.emit(Op::addi, std::vector{p, p}, std::span(&number, 1), {}, {"c.hpp", 90});
  b.emit(Op::return_, {}, {});
  out.push_back({"placed", *bytecode::write(m, V13_1)});
  const std::vector<HardwareCase> cases = hardware_cases();
  for (std::size_t i = 0; i < cases.size(); i += 20)
    out.push_back({"hardware" + std::to_string(i), cases[i].bytecode});
  return out;
}

class ReadDamaged : public ::testing::TestWithParam<Sample> {};
INSTANTIATE_TEST_SUITE_P(All, ReadDamaged, ::testing::ValuesIn(samples()),
                         [](const auto& info) { return info.param.name; });

TEST_P(ReadDamaged, CutAnywhereItIsRefused) {
  const Bytes& file = GetParam().file;
  for (std::size_t size = 0; size < file.size(); ++size) {
    const auto read = bytecode::read(std::span(file).first(size));
    ASSERT_FALSE(read) << size << " of " << file.size() << " bytes";
    EXPECT_THAT(read.failure().message, HasSubstr("Tile IR bytecode, byte "));
  }
}

TEST_P(ReadDamaged, WithAWrongBitItIsRefusedOrSound) {
  Bytes file = GetParam().file;
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const std::byte flip = std::byte{1} << (bit % 8);
    file[bit / 8] ^= flip;
    if (const auto read = bytecode::read(file)) {
      // Whether it verifies or not, it can be printed and written.
      static_cast<void>(verify(*read));
      static_cast<void>(print(*read));
      static_cast<void>(bytecode::write(*read, V13_5, bytecode::Layout::as_read));
    }
    file[bit / 8] ^= flip;
  }
}

} // namespace
} // namespace cutile::testing
