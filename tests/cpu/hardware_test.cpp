#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "cpu/program.hpp"
#include "ir/builder.hpp"
#include "ir/verifier.hpp"

// Element-wise operations with the inputs and the bits that an H200 answered
// (tests/data/hw_elementwise.tsv). NaN equals any NaN; functions that hardware approximates may
// differ by the ulps stated.

namespace cutile::cpu {
namespace {

using ir::Op;
using ir::TypeKind;

std::vector<std::byte> from_hex(const std::string& hex) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return out;
}

struct Case {
  std::string name;
  std::vector<std::pair<TypeKind, std::vector<std::byte>>> inputs;
  TypeKind output;
  std::vector<std::byte> expected;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

TypeKind kind_of(const std::string& dtype) {
  static const std::map<std::string, TypeKind> kinds{
      {"f16", TypeKind::f16}, {"bf16", TypeKind::bf16}, {"f32", TypeKind::f32},
      {"f64", TypeKind::f64}, {"i8", TypeKind::i8},     {"i16", TypeKind::i16},
      {"i32", TypeKind::i32}, {"i64", TypeKind::i64},   {"i1", TypeKind::i1}};
  return kinds.at(dtype);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

std::vector<Case> cases() {
  std::ifstream in(std::string(CUTILE_TEST_DATA) + "/hw_elementwise.tsv");
  std::vector<Case> out;
  std::string line;
  std::getline(in, line); // the header
  while (std::getline(in, line)) {
    const auto columns = split(line, '\t');
    Case c{.name = columns[0],
           .inputs = {},
           .output = kind_of(columns[2]),
           .expected = from_hex(columns[3])};
    for (const std::string& input : split(columns[1], ';')) {
      const auto fields = split(input, ':');
      c.inputs.emplace_back(kind_of(fields[0]), from_hex(fields[2]));
    }
    out.push_back(std::move(c));
  }
  return out;
}

/// The operation that a case's name stands for, its attributes, and how many last places its result
/// may be off.
struct Operation {
  Op op;
  std::vector<std::pair<std::string, std::int64_t>> attributes{};
  bool propagate_nan = false;
  double ulps = 0;
};

Operation operation_of(const Case& c) {
  const auto parts = split(c.name, '.');
  const auto has = [&](const char* word) { return c.name.find(word) != std::string::npos; };
  const std::int64_t is_signed = has("Unsigned") ? 0 : 1;
  static const std::map<std::string, Op> plain{
      {"shli", Op::shli}, {"mulhii", Op::mulhii}, {"absi", Op::absi}, {"negi", Op::negi},
      {"addi", Op::addi}, {"muli", Op::muli},     {"remf", Op::remf}};
  static const std::map<std::string, Op> rounded{{"addf", Op::addf},
                                                 {"subf", Op::subf},
                                                 {"mulf", Op::mulf},
                                                 {"fma", Op::fma},
                                                 {"ftof", Op::ftof}};
  static const std::map<std::string, Op> with_sign{
      {"remi", Op::remi}, {"maxi", Op::maxi}, {"mini", Op::mini}, {"shri", Op::shri}};
  static const std::map<std::string, std::pair<Op, double>> math{
      {"exp", {Op::exp, 2}},     {"exp2", {Op::exp2, 2}}, {"log", {Op::log, 2}},
      {"log2", {Op::log2, 2}},   {"sin", {Op::sin, 2}},   {"cos", {Op::cos, 2}},
      {"tan", {Op::tan, 4}},     {"tanh", {Op::tanh, 2}}, {"sinh", {Op::sinh, 2}},
      {"cosh", {Op::cosh, 2}},   {"ceil", {Op::ceil, 0}}, {"floor", {Op::floor, 0}},
      {"rsqrt", {Op::rsqrt, 2}}, {"absf", {Op::absf, 0}}, {"negf", {Op::negf, 0}}};
  static const std::map<std::string, std::int64_t> predicates{
      {"EQUAL", 0},        {"NOT_EQUAL", 1},
      {"LESS_THAN", 2},    {"LESS_THAN_OR_EQUAL", 3},
      {"GREATER_THAN", 4}, {"GREATER_THAN_OR_EQUAL", 5}};
  const std::string& name = parts[0];
  if (plain.contains(name)) return {plain.at(name)};
  if (rounded.contains(name)) return {rounded.at(name), {{"rounding_mode", 0}}};
  if (name == "divf")
    return {Op::divf, {{"rounding_mode", has("FULL") ? 5 : 0}}, false, has("FULL") ? 2.0 : 0.0};
  if (with_sign.contains(name)) return {with_sign.at(name), {{"signedness", is_signed}}};
  if (name == "divi")
    return {Op::divi,
            {{"signedness", is_signed},
             {"rounding", has("ZERO")       ? 1
                          : has("NEGATIVE") ? 2
                                            : 3}}};
  if (name == "maxf" || name == "minf")
    return {name == "maxf" ? Op::maxf : Op::minf, {}, has("propagate_nan")};
  if (name == "cmpf")
    return {Op::cmpf,
            {{"comparison_predicate", predicates.at(parts[1])},
             {"comparison_ordering", parts[2] == "ORDERED" ? 1 : 0}}};
  if (name == "ftoi") return {Op::ftoi, {{"signedness", is_signed}, {"rounding_mode", 6}}};
  if (name == "itof") return {Op::itof, {{"signedness", is_signed}, {"rounding_mode", 0}}};
  if (name == "atan2") return {Op::atan2, {}, false, 2};
  if (name == "pow") return {Op::pow, {}, false, 2};
  if (parts[1] == "sqrt") return {Op::sqrt, {{"rounding_mode", 0}}};
  return {math.at(parts[1]).first, {}, false, math.at(parts[1]).second};
}

/// An entry that loads each input, applies the operation and stores.
ir::Module module_of(const Case& c) {
  ir::Module m;
  const std::size_t lanes =
      c.inputs[0].second.size() / static_cast<std::size_t>(ir::storage_bytes(c.inputs[0].first));
  const std::int64_t n = static_cast<std::int64_t>(lanes), one = 1;
  std::vector<TypeKind> kinds;
  for (const auto& [kind, bytes] : c.inputs) kinds.push_back(kind);
  kinds.push_back(c.output);
  std::vector<ir::TypeId> params;
  for (const TypeKind k : kinds) params.push_back(m.types.tile(m.types.pointer(m.types.scalar(k))));
  ir::Builder b = ir::Builder::entry(m, "k", params);
  const ir::ValueId zero = b.constant_i32(0);
  const auto view = [&](std::size_t i) {
    const ir::TypeId tensor =
        m.types.tensor_view(m.types.scalar(kinds[i]), std::span(&n, 1), std::span(&one, 1));
    const ir::TypeId partition = m.types.partition_view(tensor, std::span(&n, 1));
    const ir::OpId t = b.emit_groups(Op::make_tensor_view, {{b.function().params()[i]}, {}, {}},
                                     std::span(&tensor, 1));
    return b.value(Op::make_partition_view, {b.function()[t].results[0]}, partition);
  };
  std::vector<ir::ValueId> operands;
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    const ir::TypeId results[] = {m.types.tile(kinds[i], std::span(&n, 1)), m.types.token()};
    const ir::OpId load = b.emit_groups(Op::load_view_tko, {{view(i)}, {zero}, {}}, results,
                                        {{"memory_ordering_semantics", std::int64_t{0}}});
    operands.push_back(b.function()[load].results[0]);
  }
  const Operation operation = operation_of(c);
  const bool comparison = operation.op == Op::cmpf;
  const ir::TypeId result = m.types.tile(comparison ? TypeKind::i1 : c.output, std::span(&n, 1));
  const ir::OpId id = b.emit(operation.op, operands, std::span(&result, 1));
  ir::Operation& op = b.function()[id];
  for (const auto& [name, value] : operation.attributes)
    op.attributes[ir::def(op.op).attribute(name)] = value;
  if (operation.propagate_nan) op.attributes[ir::def(op.op).attribute("propagate_nan")] = true;
  ir::ValueId value = op.results[0];
  if (comparison && c.output != TypeKind::i1) {
    value = b.value(Op::exti, {value}, m.types.tile(c.output, std::span(&n, 1)),
                    {{"signedness", std::int64_t{0}}});
  }
  const ir::TypeId token = m.types.token();
  b.emit_groups(Op::store_view_tko, {{value}, {view(c.inputs.size())}, {zero}, {}},
                std::span(&token, 1), {{"memory_ordering_semantics", std::int64_t{0}}});
  b.emit_groups(Op::return_, {}, {});
  return m;
}

/// Bits of a float as a number on a line where neighbours are 1 apart.
template <class Bits> std::int64_t ordinal(Bits bits) {
  constexpr auto sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  return (bits & sign) != 0 ? -static_cast<std::int64_t>(bits ^ sign)
                            : static_cast<std::int64_t>(bits);
}

template <class Bits> void compare(const std::vector<std::byte>& ours,
                                   const std::vector<std::byte>& expected, std::uint64_t infinity,
                                   double ulps) {
  for (std::size_t i = 0; i + sizeof(Bits) <= expected.size(); i += sizeof(Bits)) {
    Bits x = 0, y = 0;
    std::memcpy(&x, ours.data() + i, sizeof x);
    std::memcpy(&y, expected.data() + i, sizeof y);
    const auto is_nan = [&](Bits b) {
      return infinity != 0 &&
             (b & static_cast<Bits>(~(Bits{1} << (8 * sizeof(Bits) - 1)))) > infinity;
    };
    if (is_nan(y)) {
      EXPECT_TRUE(is_nan(x)) << "lane " << i / sizeof(Bits);
    } else if (infinity != 0) {
      EXPECT_LE(std::abs(static_cast<double>(ordinal(x) - ordinal(y))), ulps)
          << "lane " << i / sizeof(Bits) << ": " << std::hex << std::uint64_t{x} << ", expected "
          << std::uint64_t{y};
    } else {
      EXPECT_EQ(x, y) << "lane " << i / sizeof(Bits);
    }
  }
}

class Hardware : public testing::TestWithParam<Case> {};

TEST_P(Hardware, TheCpuAnswersAsAnH200Does) {
  const Case& c = GetParam();
  const ir::Module m = module_of(c);
  for (const ir::Diagnostic& d : ir::verify(m)) FAIL() << d.message;
  const auto program = Program::compile(m, "k").value();
  std::vector<std::byte> output(c.expected.size());
  std::vector<const void*> pointers;
  for (const auto& [kind, bytes] : c.inputs) pointers.push_back(bytes.data());
  pointers.push_back(output.data());
  std::vector<const void*> params;
  for (const void*& p : pointers) params.push_back(&p);
  program->run({1, 1, 1}, params).value();
  const double ulps = operation_of(c).ulps;
  switch (c.output) {
  case TypeKind::f16: compare<std::uint16_t>(output, c.expected, 0x7c00, ulps); break;
  case TypeKind::bf16: compare<std::uint16_t>(output, c.expected, 0x7f80, ulps); break;
  case TypeKind::f32: compare<std::uint32_t>(output, c.expected, 0x7f800000, ulps); break;
  case TypeKind::f64: compare<std::uint64_t>(output, c.expected, 0x7ff0000000000000, ulps); break;
  case TypeKind::i64: compare<std::uint64_t>(output, c.expected, 0, 0); break;
  case TypeKind::i32: compare<std::uint32_t>(output, c.expected, 0, 0); break;
  default: compare<std::uint8_t>(output, c.expected, 0, 0); break;
  }
}

INSTANTIATE_TEST_SUITE_P(H200, Hardware, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

} // namespace
} // namespace cutile::cpu
