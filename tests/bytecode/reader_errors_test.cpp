#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "bytecode/encoder.hpp"
#include "bytecode/reader.hpp"
#include "bytecode/writer.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"

// Files made by hand, byte by byte: those that must be refused, with the sentence that says why,
// and forms that our writer does not use but others do.

namespace cutile::testing {
namespace {

using namespace ir;
using bytecode::Encoder;
using ::testing::HasSubstr;

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

/// A varint.
std::string number(std::uint64_t value) {
  Encoder e;
  e.varint(value);
  return {reinterpret_cast<const char*>(e.bytes().data()), e.size()};
}

template <class Offset> std::string table(const std::vector<std::string>& items) {
  Encoder e;
  e.varint(items.size());
  e.pad(sizeof(Offset));
  std::size_t offset = 0;
  for (const std::string& item : items) {
    e.fixed(static_cast<Offset>(offset));
    offset += item.size();
  }
  for (const std::string& item : items) e.raw(item);
  return {reinterpret_cast<const char*>(e.bytes().data()), e.size()};
}

/// The parts of a file. At first it holds one entry, `k`, which returns at once.
struct File {
  std::string version = hex("0d 01 00 00");
  std::vector<std::string> strings{"k", "a.cpp"};
  std::vector<std::string> types{hex("03"),       // 0: i32
                                 hex("10 00 00"), // 1: () -> ()
                                 hex("0d 00 00"), // 2: tile<i32>
                                 hex("00"),       // 3: i1
                                 hex("0d 03 00"), // 4: tile<i1>
                                 hex("11")};      // 5: token
  std::vector<std::string> constants;
  std::string body = hex("5c 00 00"); // return
  std::string record = hex("00 01 02 00");
  std::map<unsigned, std::string> sections; ///< others, or instead of those above
  std::string end = hex("00");

  [[nodiscard]] std::string bytes() const {
    std::map<unsigned, std::string> all = sections;
    all.try_emplace(2, hex("01") + record + number(body.size()) + body);
    all.try_emplace(5, table<std::uint32_t>(types));
    all.try_emplace(4, table<std::uint64_t>(constants));
    all.try_emplace(1, table<std::uint32_t>(strings));
    std::string out = std::string("\x7fTileIR\0", 8) + version;
    for (const auto& [id, payload] : all) {
      if (payload != "none") out += static_cast<char>(id) + number(payload.size()) + payload;
    }
    return out + end;
  }
  [[nodiscard]] Result<Module> read() const { return read(bytes()); }
  static Result<Module> read(const std::string& bytes) {
    return bytecode::read(std::as_bytes(std::span(bytes)));
  }
};

std::string message(const Result<Module>& read) {
  return read ? "it could be read" : read.failure().message;
}
/// What the reader says of an entry with this body.
std::string message_for(std::string_view body) {
  File file;
  file.body = hex(body);
  return message(file.read());
}

TEST(ReaderErrors, TheFileIsGoodAsItIs) {
  const auto read = File{}.read();
  ASSERT_TRUE(read) << message(read);
  EXPECT_TRUE(verify(*read).empty());
  EXPECT_EQ(print(*read), "entry @k() {\n  return\n}\n");
}

TEST(ReaderErrors, Header) {
  EXPECT_EQ(
      message(File::read("\x7f"
                         "ELF, not ours at all")),
      "Tile IR bytecode, byte 0: this is no Tile IR bytecode: the first 8 bytes are not those "
      "of one");
  EXPECT_EQ(message(File::read("")),
            "Tile IR bytecode, byte 0: expected the start of Tile IR bytecode, but the data ends "
            "here");
  File file;
  for (const auto& [version, text] : std::map<std::string, std::string>{
           {"0d 00 00 00", "13.0"}, {"0d 06 00 00", "13.6"}, {"0e 01 00 00", "14.1"}}) {
    file.version = hex(version);
    const std::string expected = "byte 8: the file is of version " + text + "; 13.1 to 13.5 can be";
    EXPECT_THAT(message(file.read()), HasSubstr(expected));
    const std::string bytes = file.bytes();
    const auto stated = bytecode::version_of(std::as_bytes(std::span(bytes)));
    EXPECT_THAT(stated.failure().message, HasSubstr(expected));
  }
}

TEST(ReaderErrors, PreviewFeatures) {
  File file;
  file.version = hex("0d 05 01 00");
  EXPECT_THAT(message(file.read()),
              HasSubstr("byte 10: the file uses preview features, which have no fixed meaning"));
}

TEST(ReaderErrors, Sections) {
  File file;
  file.sections = {{9, "whatever this is"}, {100, ""}};
  EXPECT_TRUE(file.read()) << "unknown sections are skipped";
  file.sections = {{1, "none"}};
  EXPECT_THAT(message(file.read()), HasSubstr("expected a section of strings in the file"));
  file.sections = {{2, "none"}};
  EXPECT_THAT(message(file.read()), HasSubstr("expected a section of functions in the file"));
  file.sections = {};
  file.end = hex("01 00 00");
  EXPECT_THAT(message(file.read()), HasSubstr("section 1 is given twice"));
  file.end = hex("00 00");
  EXPECT_THAT(message(file.read()), HasSubstr("1 bytes are left over after the end of the file"));
  file.end = "";
  EXPECT_THAT(message(file.read()), HasSubstr("expected a section, or the end of the file"));
  file.end = hex("09 05 00");
  EXPECT_THAT(message(file.read()), HasSubstr("a section of 5 bytes does not fit in the 1 bytes"));
  file.end = hex("89 00 00 00");
  EXPECT_THAT(message(file.read()), HasSubstr("a section cannot have alignment 0"));
  file.end = hex("89 00 ff ff ff ff ff ff ff ff ff 01 00");
  EXPECT_THAT(message(file.read()), HasSubstr("expected filler, but the data ends here"));
  file.end = hex("09 ff ff ff ff ff ff ff ff ff 02 00");
  EXPECT_THAT(message(file.read()),
              HasSubstr("expected the size of a section, but a number here does not fit in 64 "));
}

TEST(ReaderErrors, Tables) {
  File file;
  file.sections = {{1, hex("05 00 00 00")}};
  EXPECT_THAT(message(file.read()), HasSubstr("5 strings cannot stand in the 3 bytes left"));
  file.sections = {{1, hex("02 00 00 00  00 00 00 00  03 00 00 00  6b 6b")}};
  EXPECT_THAT(message(file.read()), HasSubstr("expected an offset from 0 to 2, not 3"));
  file.sections = {{1, hex("01 00 00 00  01 00 00 00  6b 6b")}};
  EXPECT_THAT(message(file.read()), HasSubstr("expected the first offset to be 0"));
}

TEST(ReaderErrors, Types) {
  const auto with = [](std::string_view type) {
    File file;
    file.types.push_back(hex(type));
    return message(file.read());
  };
  EXPECT_THAT(with("17"), HasSubstr("no type has tag 23"));
  EXPECT_THAT(with("12"), HasSubstr("type f8E8M0FNU needs version 13.2"));
  EXPECT_THAT(with("0d 09 00"), HasSubstr("type 9 does not exist: there are 7"));
  EXPECT_THAT(with("0d 06 00"), HasSubstr("a tile cannot be made of a tile"));
  EXPECT_THAT(with("10 01 01 00"), HasSubstr("a function cannot be made of a function"));
  EXPECT_THAT(with("03 00"), HasSubstr("1 bytes are left over after a type"));
  EXPECT_THAT(with("0d 00 03 00"), HasSubstr("3 axes cannot stand in the 1 bytes left"));
  EXPECT_THAT(with("0d 00 41" + std::string(1040, '0')), HasSubstr("has 65 axes; at most 64"));
  EXPECT_THAT(with("0f 00 00 00 00"), HasSubstr("a partition_view cannot be made of a i32"));
}

TEST(ReaderErrors, TypesMayReferToLaterOnes) {
  File file;
  file.types = {hex("0d 02 00"), hex("10 01 00 00"), hex("03")};
  const auto read = file.read();
  ASSERT_TRUE(read) << message(read);
  const Function& f = read->functions[0];
  EXPECT_EQ(read->types.text(f[f.params()[0]].type), "tile<i32>");
}

TEST(ReaderErrors, Constants) {
  const auto with = [](std::string_view constant, std::string_view body = "10 02 00 5c 00 00") {
    File file;
    file.constants.push_back(hex(constant));
    file.body = hex(body);
    return message(file.read());
  };
  EXPECT_EQ(with("04 01 00 00 00"), "it could be read");
  EXPECT_THAT(with("03 01 00 00"),
              HasSubstr("entry 'k', constant: the 3 bytes of constant 0 are neither one element of "
                        "tile<i32> nor all"));
  EXPECT_THAT(with("04 01 00"), HasSubstr("a constant of 4 bytes does not fit in the 2 bytes"));
  EXPECT_THAT(with("04 01 00 00 00", "10 02 01"), HasSubstr("constant 1 does not exist: there "));
  EXPECT_THAT(with("01 01", "10 05 00"), HasSubstr("no constant can have type token"));
}

TEST(ReaderErrors, Functions) {
  File file;
  file.record = hex("00 02 02 00");
  EXPECT_THAT(message(file.read()), HasSubstr("expected the type of a function, not a tile"));
  file.record = hex("00 01 00 00");
  EXPECT_THAT(message(file.read()), HasSubstr("function 'k' is no entry; others cannot be read"));
  file.record = hex("00 01 0a 00");
  EXPECT_THAT(message(file.read()), HasSubstr("function 'k' has unknown flags 0xa"));
  file.record = hex("00 01 06 00 0a");
  EXPECT_THAT(message(file.read()), HasSubstr("expected hints, which has tag 11, not tag 10"));
  file.record = hex("00 01 02 00");
  file.sections = {{2, hex("01 00 01 02 00 03 5c 00 00") + std::string(8, '\xcb')}};
  EXPECT_THAT(message(file.read()), HasSubstr("8 bytes are left over after the functions"));
  file.sections = {{2, hex("7f 00")}};
  EXPECT_THAT(message(file.read()), HasSubstr("127 functions cannot stand in the 1 bytes left"));
  file.sections = {{2, hex("01 00 01 02 00 04 5c 00 00")}};
  EXPECT_THAT(message(file.read()), HasSubstr("a function of 4 bytes does not fit in the 3 bytes"));
}

TEST(ReaderErrors, Operations) {
  EXPECT_THAT(message_for("19"), HasSubstr("entry 'k': no operation has opcode 0x19"));
  EXPECT_THAT(message_for("80 80 01"), HasSubstr("no operation has opcode 0x4000"));
  EXPECT_THAT(message_for("16"), HasSubstr("entry cannot stand in an entry"));
  EXPECT_THAT(message_for("76"),
              HasSubstr("operation insert needs version 13.4, but the file states 13.1"));
  EXPECT_THAT(message_for("03 02 00 00 00"),
              HasSubstr("entry 'k', addi: value 0 does not exist: there are 0"));
  EXPECT_THAT(message_for("03 09"), HasSubstr("type 9 does not exist: there are 6"));
  EXPECT_THAT(message_for("03 01"), HasSubstr("expected the type of a value, not that of a fun"));
  EXPECT_THAT(message_for("03 02 07"), HasSubstr("overflow has no value 7"));
  EXPECT_THAT(message_for("5c 01 02 00"), HasSubstr("expected 0 results, not 1"));
  EXPECT_THAT(message_for("02 02 06"), HasSubstr("flags 0x6 have bits set beyond the 1 known"));
  EXPECT_THAT(message_for("29 00 02 00 00"),
              HasSubstr("entry 'k', for: expected at least 3 operands, not 2"));
  EXPECT_THAT(message_for("06 02 01"),
              HasSubstr("expected a predicate, not an attribute of tag 1"));
}

TEST(ReaderErrors, Regions) {
  const std::string condition = "10 04 00"; // a constant of type tile<i1>
  const auto with = [&](const std::string& body) {
    File file;
    file.constants.push_back(hex("01 ff"));
    file.body = hex(condition + body);
    return message(file.read());
  };
  EXPECT_THAT(with("32 00 00 01"), HasSubstr("entry 'k', if: expected 2 regions, not 1"));
  EXPECT_THAT(with("32 00 00 02 00"), HasSubstr("expected a region of one block, not 0"));
  EXPECT_THAT(with("32 00 00 02 02"), HasSubstr("expected a region of one block, not 2"));
  // A value of a region cannot be used after it.
  EXPECT_THAT(with("32 00 00 02  01 00 02 10 04 00 6d 00 00  00  05 00 01"),
              HasSubstr("entry 'k', assert: value 1 does not exist: there are 1"));
}

TEST(ReaderErrors, AMissingElseHasNoBlockOrOneThatYields) {
  for (const char* otherwise : {"00", "01 00 01 6d 00 00"}) {
    File file;
    file.constants.push_back(hex("01 ff"));
    file.body =
        hex("10 04 00  32 00 00 02  01 00 01 6d 00 00 " + std::string(otherwise) + " 5c 00 00");
    const auto read = file.read();
    ASSERT_TRUE(read) << message(read);
    EXPECT_TRUE(verify(*read).empty());
  }
}

TEST(ReaderErrors, NestingIsBounded) {
  for (const int depth : {120, 200, 100000}) {
    std::string body;
    for (int i = 0; i < depth; ++i) body += hex("41 00 00 01  01 00 01"); // a loop in a loop
    File file;
    file.body = body + hex("5c 00 00");
    const auto read = file.read();
    EXPECT_EQ(message(read).ends_with("more than 128 regions are nested"), depth != 120)
        << message(read);
  }
  for (const int depth : {100, 200, 100000}) {
    std::string attributes;
    for (int i = 0; i < depth; ++i) attributes += hex("06 01");
    File file;
    file.version = hex("0d 05 00 00");
    file.record = hex("00 01 02 00 0b 00") + attributes + hex("03 01");
    const auto read = file.read();
    EXPECT_EQ(message(read).ends_with("more than 128 attributes are nested"), depth != 100)
        << message(read);
  }
}

TEST(ReaderErrors, AFileCannotStandForMuchMoreThanItsSize) {
  File file; // a message of 1 MB in each of many assertions of four bytes
  file.constants.push_back(hex("01 ff"));
  file.strings.push_back(std::string(1 << 20, 'x'));
  file.body = hex("10 04 00");
  for (int i = 0; i < 100000; ++i) file.body += hex("05 02 00");
  file.body += hex("5c 00 00");
  EXPECT_THAT(message(file.read()), HasSubstr("stands for far more than its size"));
}

TEST(ReaderErrors, AttributesOfArgumentsAreSkipped) {
  File file;
  file.version = hex("0d 05 00 00");
  // No hints; for each argument a dictionary: here one of several kinds of attribute.
  file.record = hex("00 01 02 00  0b 00  06 01  0a 06"
                    "00 01 00 07  00 03 01  00 04 02  00 05 00  00 08 04 00  00 0c 01 03");
  const auto read = file.read();
  ASSERT_TRUE(read) << message(read);
  file.record = hex("00 01 02 00  0b 00  0d");
  EXPECT_THAT(message(file.read()), HasSubstr("no attribute has tag 13"));
}

TEST(ReaderErrors, Places) {
  const auto with = [](const std::string& attributes, const std::string& indices = "") {
    File file;
    file.body = hex("44 05 5c 00 00"); // make_token, return
    file.record = hex("00 01 02 01");
    file.sections[3] = hex("01 cb cb cb 00 00 00 00  03 cb cb cb cb cb cb cb") +
                       hex(indices.empty() ? "01 00 00 00 00 00 00 00  02 00 00 00 00 00 00 00"
                                             "00 00 00 00 00 00 00 00"
                                           : indices) +
                       hex(attributes);
    return file.read();
  };
  // Two places: a.cpp:7:3 and a call of what stands there.
  const auto read = with("02 cb cb cb 00 00 00 00 05 00 00 00  04 00 01 07 03  06 01 00");
  ASSERT_TRUE(read) << message(read);
  const Function& f = read->functions[0];
  EXPECT_STREQ(f.loc.file, "a.cpp");
  EXPECT_EQ(f.loc.line, 7U);
  EXPECT_EQ(f.loc.column, 3U);
  EXPECT_EQ(f.ops[0].loc, f.loc);
  EXPECT_EQ(f.ops[1].loc.line, 0U);

  EXPECT_THAT(message(with("01 cb cb cb 00 00 00 00  00")),
              HasSubstr("debug attribute 2 does not exist: there are 1"));
  EXPECT_THAT(message(with("02 cb cb cb 00 00 00 00 03 00 00 00  02 00 00  00")),
              HasSubstr("expected a place, which has tag 4 or 6, not tag 2"));
  EXPECT_THAT(message(with("02 cb cb cb 00 00 00 00 03 00 00 00  06 02 00  06 01 00")),
              HasSubstr("more than 128 calls are nested"));
  File file;
  file.record = hex("00 01 02 02");
  file.sections[3] = hex("01 cb cb cb 00 00 00 00  00 cb cb cb cb cb cb cb  00 cb cb cb");
  EXPECT_THAT(message(file.read()),
              HasSubstr("function 1 of the debug section does not exist: there are 1"));
  file.record = hex("00 01 02 01");
  EXPECT_THAT(message(file.read()), HasSubstr("has no place 0 for this: there are 0"));
  file.sections.clear();
  EXPECT_TRUE(file.read()) << "the section may have been stripped";
}

} // namespace
} // namespace cutile::testing
