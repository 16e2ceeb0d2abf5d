#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

// tests/data/hw_cases.tsv: modules with the inputs and the bits that an H200 answered.

namespace cutile::testing {

struct HardwareCase {
  struct Buffer {
    std::string dtype;
    std::vector<std::byte> bytes;
  };
  std::string name;
  std::array<std::int64_t, 3> grid{};
  std::vector<Buffer> inputs; ///< each is a parameter
  Buffer before, after;       ///< of the last parameter
  std::vector<std::byte> bytecode;

  friend void PrintTo(const HardwareCase& c, std::ostream* out) { *out << c.name; }
};

inline std::vector<std::byte> from_hex(const std::string& hex) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return out;
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

inline std::vector<HardwareCase> hardware_cases() {
  std::ifstream in(std::string(CUTILE_TEST_DATA) + "/hw_cases.tsv");
  std::vector<HardwareCase> out;
  std::string line;
  std::getline(in, line); // the header
  while (std::getline(in, line)) {
    const auto columns = split(line, '\t');
    HardwareCase c;
    c.name = columns[0];
    const auto grid = split(columns[1], 'x');
    for (std::size_t a = 0; a < 3; ++a) c.grid[a] = std::stoll(grid[a]);
    for (const std::string& input : split(columns[2], ';')) {
      const auto fields = split(input, ':');
      c.inputs.push_back({fields[0], from_hex(fields[2])});
    }
    c.after = {columns[3], from_hex(columns[5])};
    c.before = {columns[3], from_hex(columns[4])};
    c.before.bytes.resize(c.after.bytes.size());
    c.bytecode = from_hex(columns[6]);
    out.push_back(std::move(c));
  }
  return out;
}

/// Test names: a number keeps those apart that differ in signs alone.
inline std::string test_name(const ::testing::TestParamInfo<HardwareCase>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name + "_" + std::to_string(info.index);
}

} // namespace cutile::testing
