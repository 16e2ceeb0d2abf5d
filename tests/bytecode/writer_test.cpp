#include "bytecode/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.hpp"
#include "kernel.hpp"
#include "tool.hpp"

namespace cutile::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// entry inc(p): *p = *p + 1
Module inc(SourceLoc function = {}, SourceLoc load = {}, SourceLoc store = {}) {
  Module m;
  const TypeId f32 = m.types.scalar(TypeKind::f32);
  const TypeId pointer = m.types.tile(m.types.pointer(f32)), number = m.types.tile(f32),
               token = m.types.token();
  Builder b = Builder::entry(m, "inc", std::span(&pointer, 1), function);
  const ValueId p = b.function().params()[0];
  const Builder::Named weak{"memory_ordering_semantics", std::int64_t{0}};
  const ValueId one = b.constant(number, 0x3f800000);
  const TypeId loaded[] = {number, token};
  const OpId l = b.emit_groups(Op::load_ptr_tko, {{p}}, loaded, {weak}, load);
  const std::vector<ValueId> old = b.function()[l].results;
  const ValueId sum = b.value(Op::addf, {old[0], one}, number);
  b.emit_groups(Op::store_ptr_tko, {{p}, {sum}, {}, {old[1]}}, std::span(&token, 1), {weak}, store);
  b.emit(Op::return_, {}, {});
  return m;
}

/// Bytes from hexadecimal digits; blanks are skipped.
std::string hex(std::string_view digits) {
  std::string out, pair;
  for (const char c : digits) {
    if (c != ' ') pair += c;
    if (pair.size() < 2) continue;
    out += static_cast<char>(std::stoi(pair, nullptr, 16));
    pair.clear();
  }
  return out;
}

std::string file_of(const Module& m, Version version) {
  const std::vector<std::byte> file = bytecode::write(m, version).value();
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

TEST(Writer, TheBytesOfASmallKernel) {
  // Worked out by hand from the format; tileiras takes it.
  const std::string expected =
      hex("7f 54 69 6c 65 49 52 00  0d 01 00 00" // magic, 13.1
          "82 20 08 cb"                          // functions: 32 bytes
          "01  00 03 02 00 19"                   // name, type, kernel, no loc
          "10 04 00"                             // constant
          "3d 04 05 00 00 00"                    // load_ptr_tko, weak
          "02 04 00 00 02 01"                    // addf, nearest_even
          "65 05 08 00 00 04 03"                 // store_ptr_tko with token
          "5c 00 00  cb"                         // return, padding
          "84 15 08 cb cb cb cb cb"              // constants: 21 bytes
          "01 cb cb cb cb cb cb cb 00 00 00 00 00 00 00 00 04 00 00 80 3f" //
          "85 2a 04"                                                       // types: 42 bytes
          "06 cb cb cb 00 00 00 00 01 00 00 00 03 00 00 00"                // their offsets
          "06 00 00 00 0a 00 00 00 0d 00 00 00"                            //
          "07"                                                             // f32
          "0c 00"                                                          // pointer to it
          "0d 01 00"                                                       // tile of that
          "10 01 02 00"                                                    // function
          "0d 00 00"                                                       // tile of f32
          "11"                                                             // token
          "81 0b 04 cb cb cb  01 cb cb cb 00 00 00 00 69 6e 63"            // strings
          "00");
  EXPECT_EQ(expected.size(), 140U);
  EXPECT_EQ(file_of(inc(), V13_1), expected);
}

TEST(Writer, LaterVersionsAddFields) {
  const std::string plain_pointer = hex("07 0c 00 0d 01 00"),
                    flagged_pointer = hex("07 0c 00 00 0d 01 00");
  EXPECT_THAT(file_of(inc(), V13_3), HasSubstr(plain_pointer));
  EXPECT_THAT(file_of(inc(), V13_4), HasSubstr(flagged_pointer));
  // From 13.5 an entry always has hints and attributes of its arguments, here none of either.
  EXPECT_THAT(file_of(inc(), V13_4), HasSubstr(hex("01 00 03 02 00 19 10")));
  EXPECT_THAT(file_of(inc(), V13_5), HasSubstr(hex("01 00 03 02 00 0b 00 06 00 19 10")));
}

TEST(Writer, RefusalsSayWhereAndWhatToDo) {
  Module m;
  Kernel k(m, "k");
  k.b.emit(Op::atan2, std::vector{k.x, k.x}, k.ts({"tile<f32>"}), {}, SourceLoc{"kernel.cpp", 41});
  k.end(Op::return_);
  const auto written = bytecode::write(m, V13_1);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.failure().fault, Fault::usage);
  EXPECT_EQ(written.failure().message,
            "kernel.cpp:41: operation atan2 needs Tile IR bytecode 13.2, but 13.1 was asked for. "
            "Do without it, or use a compiler that reads 13.2.");
}

TEST(Writer, NewAttributesMustHoldTheirDefaultInOldVersions) {
  const auto with = [](IntegerOverflow overflow) {
    Module m;
    Kernel k(m, "k");
    k.op(Op::negi, {k.n}, "tile<i32>", {{"overflow", static_cast<std::int64_t>(overflow)}});
    k.end(Op::return_);
    return bytecode::write(m, V13_1);
  };
  EXPECT_TRUE(with(IntegerOverflow::none));
  const auto refused = with(IntegerOverflow::no_signed_wrap);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.failure().message,
              HasSubstr("attribute overflow of negi needs Tile IR bytecode 13.2"));
}

TEST(Writer, GlobalsThatOlderVersionsCannotHold) {
  Module m = inc();
  const TypeId type = m.types.tile(TypeKind::i8, std::vector<std::int64_t>{2});
  m.globals.push_back({.name = "g",
                       .value = m.intern({.type = type, .data = std::vector<std::byte>(2)}),
                       .constant = true});
  const auto refused = bytecode::write(m, V13_2);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.failure().message,
              HasSubstr("global 'g', which is constant, needs Tile IR bytecode 13.3"));
  EXPECT_TRUE(bytecode::write(m, V13_3));
}

TEST(Writer, NoLocationsNoDebugSection) {
  EXPECT_THAT(file_of(inc({"src/k.cpp", 3}), V13_4), HasSubstr("k.cpp"));
  EXPECT_THAT(file_of(inc({}, {"src/k.cpp", 3}), V13_4), Not(HasSubstr("k.cpp")));
}

TEST(Writer, LocationsReachTheDisassemblerAndTheCompiler) {
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  for (const Version v : {V13_1, V13_2, V13_3, V13_4, V13_5}) {
    const auto file =
        *bytecode::write(inc({"src/k.cpp", 3}, {"src/k.cpp", 7}, {"include/tile.hpp", 90}), v);
    const auto shown = disassemble(*tool, file, {"-g"});
    ASSERT_TRUE(shown.good()) << v << shown.output;
    // The text names the file of the entry in two parts.
    EXPECT_THAT(shown.output, HasSubstr("\"k.cpp\" in \"src\"")) << v;
    EXPECT_THAT(shown.output, HasSubstr("\"src/k.cpp\":3:")) << v;
    EXPECT_THAT(shown.output, HasSubstr("\"src/k.cpp\":7:")) << v;
    EXPECT_THAT(shown.output, HasSubstr("\"include/tile.hpp\":90:")) << v;
    const ScratchFile in(".tilebc", file), out(".cubin", {});
    const auto compiled =
        support::run_process(*tool,
                             {"--gpu-name", "sm_90", "--lineinfo", "-o", out.path(), in.path()},
                             std::chrono::minutes(5))
            .value();
    EXPECT_TRUE(compiled.good()) << v << compiled.output;
  }
}

TEST(Writer, PrintingGivesATokenFrom13_2) {
  const auto with = [](bool used) {
    Module m;
    Kernel k(m, "k");
    const OpId print =
        k.ops(Op::print_tko, {{k.n}, {}}, k.ts({"token"}), {{"str", std::string("%d")}});
    k.op(Op::addi, {k.op(Op::addi, {k.n, k.n}, "tile<i32>"), k.n}, "tile<i32>");
    if (used) k.op(Op::join_tokens, {k.result(print), k.token()}, "token");
    k.end(Op::return_);
    return m;
  };
  const auto refused = bytecode::write(with(true), V13_1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.failure().message,
              HasSubstr("result_token of print_tko needs Tile IR bytecode 13.2"));
  EXPECT_TRUE(bytecode::write(with(true), V13_2));
  const auto file = bytecode::write(with(false), V13_1);
  ASSERT_TRUE(file);
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  const auto shown = disassemble(*tool, *file);
  ASSERT_TRUE(shown.good()) << shown.output;
  EXPECT_EQ(normalised(print(with(false))), normalised(shown.output));
}

TEST(Writer, ProducerFrom13_3) {
  Module m = inc();
  m.producer = "a test";
  EXPECT_THAT(file_of(m, V13_3), HasSubstr("a test"));
  EXPECT_THAT(file_of(m, V13_2), Not(HasSubstr("a test")));
}

} // namespace
} // namespace cutile::testing
