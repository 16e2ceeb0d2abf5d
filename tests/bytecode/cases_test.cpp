#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "arithmetic_cases.hpp"
#include "bytecode/reader.hpp"
#include "bytecode/writer.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"
#include "memory_cases.hpp"
#include "structure_cases.hpp"
#include "tool.hpp"

// Every operation, in modules by subject. What the printer and the writer make of them is held
// against NVIDIA's disassembler: here and now where it is installed, else against the text that it
// printed once (tests/data/bytecode).

namespace cutile::testing {

std::vector<Group> all_groups() {
  return {float_cases(),  integer_cases(), conversion_cases(), constant_cases(), shape_cases(),
          matrix_cases(), control_cases(), pointer_cases(),    view_cases(),     entry_cases()};
}

void add_entry(Module& module, const Case& c) {
  Kernel k(module, c.name);
  c.build(k);
  k.end(Op::return_);
}

Module module_of(const Group& group, const std::function<bool(const Case&)>& wanted) {
  Module m;
  for (const Case& c : group.cases) {
    if (wanted(c)) add_entry(m, c);
  }
  return m;
}

namespace {

std::string errors(const Module& m) {
  std::string out;
  for (const Diagnostic& d : verify(m)) out += d.message + "\n";
  return out;
}

std::filesystem::path golden(const Group& group) {
  return std::filesystem::path(CUTILE_TEST_DATA) / "bytecode" / (group.name + ".mlir");
}

class Groups : public ::testing::TestWithParam<Group> {};
INSTANTIATE_TEST_SUITE_P(All, Groups, ::testing::ValuesIn(all_groups()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Groups, Verify) {
  for (const Case& c : GetParam().cases) {
    Module m;
    add_entry(m, c);
    EXPECT_EQ(errors(m), "") << c.name;
  }
}

TEST_P(Groups, PrintAsTheDisassemblerDid) {
  std::ifstream file(golden(GetParam()));
  ASSERT_TRUE(file) << golden(GetParam());
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(normalised(print(module_of(GetParam(), [](const Case&) { return true; }))),
            normalised(text.str()));
}

/// With CUTILE_SEEDS, the folder of a fuzzer's seeds, the files go there.
void keep_as_seed(const std::string& name, const std::vector<std::byte>& file) {
  if (const char* folder = std::getenv("CUTILE_SEEDS"))
    std::ofstream(std::string(folder) + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()),
               static_cast<std::streamsize>(file.size()));
}

void expect_same(const Module& m, const std::string& name, Version v) {
  using enum bytecode::Layout;
  for (const bytecode::Layout layout : {compact, as_read}) {
    const auto file = bytecode::write(m, v, layout).value();
    keep_as_seed(name + std::to_string(v), file);
    const Module again = bytecode::read(file).value();
    EXPECT_EQ(errors(again), "") << v;
    EXPECT_EQ(print(again), print(m)) << v;
    EXPECT_EQ(bytecode::write(again, v, layout).value(), file) << v;
  }
}

TEST_P(Groups, AreReadAsTheyWereWritten) {
  for (const Version v : versions) {
    expect_same(module_of(GetParam(), [&](const Case& c) { return c.since <= v; }), GetParam().name,
                v);
    for (const Case& c : GetParam().cases) {
      SCOPED_TRACE(c.name);
      Module m;
      add_entry(m, c);
      if (v >= c.since) expect_same(m, c.name, v);
    }
  }
}

TEST_P(Groups, OlderVersionsAreRefused) {
  for (const Case& c : GetParam().cases) {
    Module m;
    add_entry(m, c);
    for (const Version v : versions) {
      const auto written = bytecode::write(m, v);
      EXPECT_EQ(written.has_value(), v >= c.since) << c.name << " " << v;
      if (!written && v + 1 == c.since) {
        const std::string needed =
            std::to_string(c.since / 100) + "." + std::to_string(c.since % 100);
        EXPECT_NE(written.failure().message.find("needs Tile IR bytecode " + needed),
                  std::string::npos)
            << written.failure().message;
      }
    }
  }
}

TEST_P(Groups, DisassembleToTheSameText) {
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  for (const Version v : versions) {
    const Module m = module_of(GetParam(), [&](const Case& c) { return c.since <= v; });
    if (m.functions.empty()) continue;
    const auto written = bytecode::write(m, v);
    ASSERT_TRUE(written) << written.failure().message;
    const auto run = disassemble(*tool, *written);
    ASSERT_TRUE(run.good()) << v << ": " << run.output;
    EXPECT_EQ(normalised(print(m)), normalised(run.output)) << v;
    if (v == V13_5 && std::getenv("CUTILE_UPDATE_GOLDEN") != nullptr)
      std::ofstream(golden(GetParam())) << run.output;
  }
}

TEST_P(Groups, Compile) {
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  for (const bool blackwell : {false, true}) {
    const Module m = module_of(GetParam(), [&](const Case& c) {
      return !c.disassembles_only && (blackwell || !c.blackwell);
    });
    const auto run = assemble(*tool, *bytecode::write(m, V13_5), blackwell ? "sm_100" : "sm_90");
    EXPECT_TRUE(run.good()) << (blackwell ? "sm_100: " : "sm_90: ") << run.exit_code << "\n"
                            << run.output;
  }
}

TEST(Cases, CoverEveryOperation) {
  std::set<Op> used;
  for (const Group& g : all_groups()) {
    const Module m = module_of(g, [](const Case&) { return true; });
    for (const Function& f : m.functions) {
      for (const Operation& op : f.ops) used.insert(op.op);
    }
  }
  for (const OpDef& d : all_ops()) {
    EXPECT_TRUE(d.has(container) || used.contains(d.op)) << d.name;
  }
}

} // namespace
} // namespace cutile::testing
