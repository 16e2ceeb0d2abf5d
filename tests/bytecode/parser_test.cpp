#include "ir/parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bytecode/reader.hpp"
#include "bytecode/writer.hpp"
#include "cases.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"
#include "tests/common/hardware_cases.hpp"
#include "tool.hpp"

// What is printed, here or by NVIDIA's disassembler, is read as the same module.

namespace cutile::testing {
namespace {

Module module_of(const Case& c) {
  Module m;
  Kernel k(m, c.name);
  c.build(k);
  k.end(Op::return_);
  return m;
}

/// Without what a text does not tell: where operations come from, the order of hints, and whether
/// equal elements were a splat.
Module as_text_tells(Module m) {
  for (Function& f : m.functions) {
    f.loc = {};
    std::ranges::sort(f.hints.entries, {}, &Hints::Entry::arch);
    for (Hints::Entry& hints : f.hints.entries) std::ranges::sort(hints.values);
    for (Operation& op : f.ops) op.loc = {};
  }
  for (Constant& c : m.constants) {
    const auto size = static_cast<std::size_t>(storage_bytes(m.types.element_kind(c.type)));
    const bool splat = std::equal(c.data.begin() + static_cast<std::ptrdiff_t>(size), c.data.end(),
                                  c.data.begin());
    if (splat) c.data.resize(size);
  }
  return m;
}

std::string errors(const Module& m) {
  std::string out;
  for (const Diagnostic& d : verify(m)) out += d.message + "\n";
  return out;
}

class Texts : public ::testing::TestWithParam<Group> {};
INSTANTIATE_TEST_SUITE_P(All, Texts, ::testing::ValuesIn(all_groups()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Texts, AreReadAsTheyWerePrinted) {
  for (const Case& c : GetParam().cases) {
    const Module m = module_of(c);
    const std::string text = print(m);
    const auto again = parse(text, c.name);
    ASSERT_TRUE(again) << again.failure().message << "\n" << text;
    EXPECT_EQ(errors(*again), "") << c.name;
    EXPECT_EQ(print(*again), text);
    EXPECT_EQ(bytecode::write(as_text_tells(*again), V13_5).value(),
              bytecode::write(as_text_tells(m), V13_5).value())
        << text;
  }
}

TEST_P(Texts, OfTheDisassemblerAreRead) {
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  for (const Case& c : GetParam().cases) {
    const Module m = module_of(c);
    for (const auto& options : {std::vector<std::string>{}, {"-g"}}) {
      const auto run = disassemble(*tool, bytecode::write(m, V13_5).value(), options);
      ASSERT_TRUE(run.good()) << run.output;
      const auto read = parse(run.output, c.name);
      ASSERT_TRUE(read) << read.failure().message << "\n" << run.output;
      EXPECT_EQ(print(*read), print(m));
    }
  }
}

std::string place(SourceLoc at) {
  return std::string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

TEST(Parser, LocationsOfTheDisassembler) {
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  Module m;
  Kernel k(m, "k");
  k.b.function().loc = {"src/k.cpp", 3, 1};
  const ValueId sum = k.b.value(Op::addf, {k.x, k.x}, k.t("tile<f32>"), {}, {"src/k.cpp", 7, 12});
  k.b.value(Op::mulf, {sum, sum}, k.t("tile<f32>"), {}, {"include/tile.hpp", 90, 4});
  k.end(Op::return_);
  for (const Version v : {V13_1, V13_3, V13_5}) {
    const auto run = disassemble(*tool, bytecode::write(m, v).value(), {"-g"});
    ASSERT_TRUE(run.good()) << run.output;
    const Module read = parse(run.output).value();
    const Function &f = read.functions[0], &from = m.functions[0];
    EXPECT_EQ(place(f.loc), place(from.loc)) << run.output;
    for (std::size_t i = 0; i < 2; ++i)
      EXPECT_EQ(place(f.ops[i].loc), place(from.ops[i].loc)) << run.output;
  }
}

class HardwareTexts : public ::testing::TestWithParam<HardwareCase> {};
INSTANTIATE_TEST_SUITE_P(H200, HardwareTexts, ::testing::ValuesIn(hardware_cases()), test_name);

TEST_P(HardwareTexts, AreReadAsTheyWerePrinted) {
  const Module m = bytecode::read(GetParam().bytecode).value();
  const Module again = parse(print(m)).value();
  EXPECT_EQ(errors(again), "");
  EXPECT_EQ(print(again), print(m));
  EXPECT_EQ(bytecode::write(as_text_tells(again), V13_4).value(),
            bytecode::write(as_text_tells(m), V13_4).value());
}

} // namespace
} // namespace cutile::testing
