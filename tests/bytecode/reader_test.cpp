#include "bytecode/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bytecode/writer.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"
#include "tests/common/hardware_cases.hpp"

namespace cutile::testing {
namespace {

using ::testing::HasSubstr;

class ReadHardware : public ::testing::TestWithParam<HardwareCase> {};
INSTANTIATE_TEST_SUITE_P(H200, ReadHardware, ::testing::ValuesIn(hardware_cases()), test_name);

TEST_P(ReadHardware, IsWrittenAgainByteForByte) {
  const auto& file = GetParam().bytecode;
  const ir::Module m = bytecode::read(file).value();
  for (const ir::Diagnostic& d : ir::verify(m)) ADD_FAILURE() << d.message;
  EXPECT_EQ(bytecode::version_of(file).value(), ir::V13_4);
  EXPECT_EQ(bytecode::write(m, ir::V13_4, bytecode::Layout::as_read).value(), file);
}

std::vector<HardwareCase> some_cases() {
  std::vector<HardwareCase> all = hardware_cases(), some;
  for (std::size_t i = 0; i < all.size(); i += 9) some.push_back(std::move(all[i]));
  return some;
}
class ReadDamaged : public ::testing::TestWithParam<HardwareCase> {};
INSTANTIATE_TEST_SUITE_P(H200, ReadDamaged, ::testing::ValuesIn(some_cases()), test_name);

TEST_P(ReadDamaged, SurvivesEveryCutAndEveryFlippedBit) {
  const std::vector<std::byte>& file = GetParam().bytecode;
  for (std::size_t n = 0; n < file.size(); ++n)
    EXPECT_FALSE(bytecode::read(std::span(file).first(n)).has_value()) << n << " bytes";
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::vector<std::byte> flipped = file;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    const auto m = bytecode::read(flipped);
    if (!m) continue;
    // What can be read is sound: it can be verified and printed, and written where it verifies.
    static_cast<void>(ir::print(*m));
    if (ir::verify(*m).empty()) static_cast<void>(bytecode::write(*m, ir::V13_5).has_value());
  }
}

/// A small file, to damage: addf of the first hardware case.
std::vector<std::byte> file() { return hardware_cases().front().bytecode; }
std::string problem(std::span<const std::byte> bytes) {
  return bytecode::read(bytes).failure().message;
}
std::string problem_with(std::size_t offset, std::uint8_t value) {
  auto bytes = file();
  bytes[offset] = std::byte{value};
  return problem(bytes);
}

TEST(Reader, NamesOffsetAndFault) {
  EXPECT_EQ(problem({}), "Tile IR bytecode, byte 0: this is no Tile IR bytecode: it does not start "
                         "with 7F 'TileIR' 00");
  EXPECT_EQ(problem_with(0, 0),
            "Tile IR bytecode, byte 0: this is no Tile IR bytecode: it does not "
            "start with 7F 'TileIR' 00");
  EXPECT_EQ(problem_with(9, 6),
            "Tile IR bytecode, byte 8: bytecode version 13.6, where 13.1 to 13.5 can be read");
  EXPECT_EQ(problem_with(8, 12),
            "Tile IR bytecode, byte 8: bytecode version 12.4, where 13.1 to 13.5 can be read");
  EXPECT_EQ(problem_with(10, 1), "Tile IR bytecode, byte 8: the file uses preview features, which "
                                 "have no fixed meaning");
  EXPECT_EQ(problem_with(12, 0x89), "Tile IR bytecode, byte 12: there is no section 9");
  EXPECT_EQ(problem_with(14, 3), "Tile IR bytecode, byte 12: a section aligned to 3 bytes");
  EXPECT_EQ(problem_with(16 + 5, 0x40),
            "Tile IR bytecode, byte 22: a body of 64 bytes, but only 63 follow");
  EXPECT_EQ(problem_with(16 + 6, 0x20),
            "Tile IR bytecode, byte 22: no operation has the opcode 0x20");
  EXPECT_EQ(
      problem_with(16 + 6, 0x7b),
      "Tile IR bytecode, byte 22: operation multimem_load_reduce_view_tko, which bytecode has "
      "from 13.5 on, in a file of 13.4");
  EXPECT_EQ(problem_with(16 + 8, 9), "Tile IR bytecode, byte 24: number of an operand is 9, of 3");
  auto longer = file();
  longer.push_back(std::byte{0});
  EXPECT_EQ(problem(longer), "Tile IR bytecode, byte " + std::to_string(longer.size() - 1) +
                                 ": 1 bytes after the end");
  longer = file();
  longer.pop_back();
  EXPECT_EQ(problem(longer), "Tile IR bytecode, byte " + std::to_string(longer.size()) +
                                 ": the file ends in the list of sections: its end is missing");
}

} // namespace
} // namespace cutile::testing
