#include <gtest/gtest.h>

#include <ostream>

#include "ir/parser.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"

// What the parser refuses, with the place and the message; and texts cut and changed at every
// character.

namespace cutile::ir {
namespace {

std::string problem(std::string_view text) {
  const auto m = parse(text, "k");
  return m ? "none" : m.failure().message;
}

struct Mistake {
  std::string name, text, message;
  friend void PrintTo(const Mistake& m, std::ostream* out) { *out << m.name; }
};

class Mistakes : public ::testing::TestWithParam<Mistake> {};
std::string name_of(const ::testing::TestParamInfo<Mistake>& info) { return info.param.name; }

TEST_P(Mistakes, AreNamed) { EXPECT_EQ(problem(GetParam().text), GetParam().message); }

INSTANTIATE_TEST_SUITE_P(
    Modules, Mistakes,
    ::testing::ValuesIn(std::vector<Mistake>{
        {"NoItem", "enty @k() {}",
         "k:1:1: expected entry or global, but found 'enty'; did you mean 'entry'?"},
        {"NoItemInModule", "module @m { %a }",
         "k:1:13: expected entry, global or '}', but found '%a'"},
        {"TwoModules", "module @m { } module @n { }",
         "k:1:15: expected entry or global, but found 'module'"},
        {"ModuleInModule", "module @m { module @n { } }",
         "k:1:13: expected entry, global or '}', but found 'module'"},
        {"ModuleWithoutName", "module { }", "k:1:8: expected the module's @name, but found '{'"},
        {"ModuleNotClosed", "module @m {",
         "k:1:12: expected entry, global or '}', but found the end of the text"},
        {"EntryWithoutName", "entry k() { }", "k:1:7: expected the entry's @name, but found 'k'"},
        {"NameMissing", "entry @() { }", "k:1:7: expected a name after '@'"},
        {"ArgumentWithoutName", "entry @k(tile<i32>) { }",
         "k:1:10: expected an argument, but found 'tile'"},
        {"ArgumentsWithoutComma", "entry @k(%a: tile<i32> %b: tile<i32>) { }",
         "k:1:24: expected ',' or ')', but found '%b'"},
        {"ArgumentTwice", "entry @k(%a: tile<i32>,\n %a: tile<i32>) { }",
         "k:2:2: %a is defined twice, first on line 1"},
        {"NoBody", "entry @k() return", "k:1:12: expected '{', but found 'return'"},
        {"BodyNotClosed", "entry @k() {\n  return\n",
         "k:3:1: expected an operation or '}', but found the end of the text"},
        {"HintTwice", "entry @k() optimization_hints=<sm_90={occupancy=1, occupancy=2}> { }",
         "k:1:52: hint occupancy is given twice"},
        {"HintTooLarge", "entry @k() optimization_hints=<sm_90={occupancy=3000000000}> { }",
         "k:1:49: '3000000000' is too large for a hint's value, a number, true or false"},
        {"HintOfWord", "entry @k() optimization_hints=<sm_90={occupancy=yes}> { }",
         "k:1:49: expected a hint's value, a number, true or false, but found 'yes'"},
        {"HintsWithoutArch", "entry @k() optimization_hints=<{occupancy=1}> { }",
         "k:1:32: expected an architecture, but found '{'"},
        {"GlobalWithoutValue", "global @g : tile<2xi32>",
         "k:1:11: global: expected '<', but found ':'"},
        {"GlobalOfAnotherType", "global @g <i32: [1, 2]> : tile<2xi8>",
         "k:1:11: global: a value of i32 for a tile<2xi8>"},
        {"NegativeAlignment", "global @g alignment = -1 <i32: 1> : tile<2xi32>",
         "k:1:23: global: expected an alignment, but found '-1'"},
        {"StrangeCharacter", "entry @k() { $ }", "k:1:14: the character '$' has no meaning here"},
        {"StrangeByte", "entry @k() { \x01 }", "k:1:14: the byte 0x01 has no meaning here"},
        {"OpenString", "global @\"a\nb\" <i32: 1> : tile<2xi32>",
         "k:1:8: a string is not closed on its line"},
        {"AliasTwice", "#a = loc(unknown)\n#a = loc(unknown)", "k:2:1: #a is defined twice"},
        {"AliasOfNothing", "#a = 7", "k:1:6: expected loc(...) or an attribute, but found '7'"},
        {"AliasNotClosed", "#a = #b<(",
         "k:1:10: expected a closing bracket, but found the end of "
         "the text"},
    }),
    name_of);

/// `body` in an entry, on line 2.
std::string entry(std::string_view body) {
  return "entry @k(%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>, %x: tile<f32>, %v: "
         "tile<8xf32>, %t: token) {\n" +
         std::string(body) + "\n}\n";
}
std::vector<Mistake> in_entry(std::vector<Mistake> list) {
  for (Mistake& m : list) m.text = entry(m.text);
  return list;
}

INSTANTIATE_TEST_SUITE_P(
    Operations, Mistakes,
    ::testing::ValuesIn(in_entry({
        {"UnknownOperation", "%a = adf %x, %x : tile<f32>",
         "k:2:6: there is no operation 'adf'; did you mean 'addf'?"},
        {"UnlikeAnyOperation", "frobnicate", "k:2:1: there is no operation 'frobnicate'"},
        {"EntryInEntry", "entry @l() { }", "k:2:1: there is no operation 'entry'"},
        {"ResultsAlone", "%a =", "k:3:1: expected an operation, but found '}'"},
        {"NoEqualSign", "%a addf", "k:2:4: expected '=', but found 'addf'"},
        {"NoResults", "%a:0 = make_token : token", "k:2:4: a name stands for at least one result"},
        {"TooManyResults", "%a, %b = make_token : token",
         "k:2:10: make_token: gives 1 result, not 2"},
        {"ManyResults", "%a:4000000000 = get_tile_block_id : tile<i32>",
         "k:2:17: get_tile_block_id: gives 3 results, not 4000000000"},
        {"TooFewResults", "%a = get_tile_block_id : tile<i32>",
         "k:2:6: get_tile_block_id: gives 3 results, not 1"},
        {"UndefinedValue", "%long = negf %x : tile<f32>\n%b = addf %lang, %x : tile<f32>",
         "k:3:11: addf: %lang is not defined before this use; did you mean '%long'?"},
        {"UsedBeforeItsDefinition", "%a = negf %b : tile<f32>\n%b = negf %x : tile<f32>",
         "k:2:11: negf: %b is not defined before this use"},
        {"UsedByItself", "%long = negf %long : tile<f32>",
         "k:2:14: negf: %long is not defined before this use"},
        {"DefinedTwice", "%a = negf %x : tile<f32>\n%a = negf %x : tile<f32>",
         "k:3:1: negf: %a is defined twice, first on line 2"},
        {"ShadowsAnOuterValue", "if %c {\n  %x = make_token : token\n}",
         "k:3:3: make_token: %x is defined twice, first on line 1"},
        {"OfAClosedRegion",
         "if %c {\n  %y = make_token : token\n}\n%z = join_tokens %y, %y : token",
         "k:5:18: join_tokens: %y is defined on line 3, in a region that has ended"},
        {"NoSuchResult", "%a = negf %x#1 : tile<f32>",
         "k:2:13: negf: %x#1 does not exist: %x stands for 1 value"},
        {"NoNumberOfAResult", "%a = negf %x#b : tile<f32>",
         "k:2:13: negf: %x#b does not exist: %x stands for 1 value"},
        {"NoOperand", "%a = negf : tile<f32>", "k:2:11: negf: expected a value, but found ':'"},
        {"NoComma", "%a = addf %x %x : tile<f32>", "k:2:14: addf: expected ',', but found '%x'"},
        {"UnknownOption", "%a = addf %x, %x roundig<zero> : tile<f32>",
         "k:2:18: addf: expected ':', but found 'roundig'; did you mean 'rounding'?"},
        {"UnknownChoice", "%a = addf %x, %x rounding<zeros> : tile<f32>",
         "k:2:27: addf: expected rounding_mode (nearest_even, zero, negative_inf, positive_inf, "
         "approx, full, nearest_int_to_zero, nearest_away), but found 'zeros'; did you mean "
         "'zero'?"},
        {"NoChoice", "%a = exti %n : tile<i32> -> tile<i64>",
         "k:2:14: exti: expected signedness (unsigned, signed), but found ':'"},
        {"AnotherType", "%a = addf %x, %x : tile<f16>",
         "k:2:20: addf: lhs is a tile<f32>, not a tile<f16>"},
        {"AnotherOperandType", "%a = offset %p, %n : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>",
         "k:2:38: offset: offset is a tile<i32>, not a tile<i64>"},
        {"NoArrow", "%a = reshape %x : tile<f32>, tile<1xf32>",
         "k:2:28: reshape: expected '->', but found ','"},
        {"NoType", "%a = negf %x : tle<f32>",
         "k:2:16: negf: expected a type, but found 'tle'; did you mean 'tile'?"},
        {"ElementInsteadOfType", "%a = negf %x : f32",
         "k:2:16: negf: expected a type, but found 'f32'"},
        {"UnknownElement", "%a = iota : tile<8xi33>",
         "k:2:20: iota: expected an element type, a number or ptr, but found 'i33'; did you mean "
         "'i32'?"},
        {"TileOfTokens", "%a = iota : tile<8xtoken>",
         "k:2:20: iota: expected an element type, a number or ptr, but found 'token'"},
        {"PointerToPointer", "%a = iota : tile<ptr<ptr<f32>>>",
         "k:2:22: iota: expected a number's type, but found 'ptr'"},
        {"ExtentWithoutX", "%a = iota : tile<8 i32>",
         "k:2:20: iota: expected 'x' after an extent, but found 'i32'"},
        {"DynamicTile", "%a = iota : tile<?xi32>",
         "k:2:18: iota: expected an element type, a number or ptr, but found '?'"},
        {"NegativeExtent", "%a = iota : tile<-8xi32>",
         "k:2:18: iota: expected an extent, but found '-8'"},
        {"LargeExtent", "%a = iota : tile<9223372036854775808xi32>",
         "k:2:18: iota: the extent 9223372036854775808 is too large"},
        {"ManyElements", "%a = iota : tile<4294967296x4294967296xi32>",
         "k:2:18: iota: a tile has too many elements to count"},
        {"TypeNotClosed", "%a = iota : tile<8xi32", "k:3:1: iota: expected '>', but found '}'"},
        {"MissingTerminatorTypes", "yield %x", "k:3:1: yield: expected ':', but found '}'"},
        {"ConstantOfAnotherType", "%a = constant <i32: 1> : tile<f32>",
         "k:2:15: constant: a value of i32 for a tile<f32>"},
        {"ConstantOfAToken", "%a = constant <i32: 1> : token",
         "k:2:15: constant: a value of i32 for a token"},
        {"ConstantTooLarge", "%a = constant <i8: [1, 256]> : tile<2xi8>",
         "k:2:24: constant: expected a value of type i8, but found '256'"},
        {"ConstantOfWord", "%a = constant <f32: nan> : tile<2xf32>",
         "k:2:21: constant: expected a value of type f32, but found 'nan'"},
        {"ListTooShort", "%a = constant <i8: [1]> : tile<2xi8>",
         "k:2:15: constant: a list of shape 1 for a tile<2xi8>"},
        {"ListOfAnotherShape", "%a = constant <i8: [[1, 2]]> : tile<2xi8>",
         "k:2:15: constant: a list of shape 1x2 for a tile<2xi8>"},
        {"ListsThatDiffer", "%a = constant <i8: [[1, 2], [1]]> : tile<2x2xi8>",
         "k:2:29: constant: a list of 1 where those before it have 2"},
        {"NumberAmongLists", "%a = constant <i8: [[1, 2], 3]> : tile<2x2xi8>",
         "k:2:29: constant: expected a list of numbers, as before, but found '3'"},
        {"ListAmongNumbers", "%a = constant <i8: [1, [2]]> : tile<2x2xi8>",
         "k:2:24: constant: expected a number, as before, but found '['"},
        {"EmptyList", "%a = constant <i8: []> : tile<2xi8>",
         "k:2:20: constant: a list of numbers is empty"},
        {"ListNotClosed", "%a = constant <i8: [1> : tile<2xi8>",
         "k:2:22: constant: expected ',' or ']', but found '>'"},
        {"HexOfOddLength", "%a = constant <i8: \"0x012\"> : tile<2xi8>",
         "k:2:20: constant: a string of numbers is 0x and two hexadecimal digits for each byte"},
        {"HexOfAnotherSize", "%a = constant <i8: \"0x010203\"> : tile<2xi8>",
         "k:2:15: constant: 3 bytes are neither one nor all elements of a tile<2xi8>"},
        {"HexOfHalfElements", "%a = constant <i16: \"0x010203\"> : tile<2xi16>",
         "k:2:15: constant: 3 bytes are neither one nor all elements of a tile<2xi16>"},
        {"HexOfNoBits", "%a = constant <i1: \"0x0102\"> : tile<2xi1>",
         "k:2:15: constant: 2 bytes are neither one nor all elements of a tile<2xi1>"},
        {"BadEscape", "assert %c, \"\\q\" : tile<i1>",
         "k:2:12: assert: a \\ in a string is followed by \\, \", n, t or two hexadecimal digits"},
        {"NoString", "assert %c, yes : tile<i1>",
         "k:2:12: assert: expected a string, but found 'yes'"},
        {"UnknownPredicate", "%a = assume div_bi<4>, %n : tile<i32>",
         "k:2:13: assume: expected div_by, same_elements or bounded, but found 'div_bi'; did you "
         "mean 'div_by'?"},
        {"DivisorTooLarge", "%a = assume div_by<18446744073709551616>, %n : tile<i32>",
         "k:2:20: assume: '18446744073709551616' is too large for a divisor"},
        {"DivisorOfNoInteger", "%a = assume div_by<1.5>, %n : tile<i32>",
         "k:2:20: assume: expected a divisor, but found '1.5'"},
        {"IdentityOfAnotherType",
         "%a = reduce %v dim=0 identities=[1.0 : i32] : tile<8xf32> -> tile<f32>",
         "k:2:34: reduce: '1.0' is no value of type i32"},
        {"NoBodyOfReduction",
         "%a = reduce %v dim=0 identities=[1.0 : f32] : tile<8xf32> -> tile<f32>",
         "k:3:1: reduce: expected '(', but found '}'"},
        {"ViewWithoutStrides",
         "%a = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32>",
         "k:2:73: make_tensor_view: expected ', strides=[', but found '>'"},
        {"StridesThatLack",
         "%a = make_tensor_view %p, shape = [8], strides = [1] : "
         "tensor_view<8xf32, strides=[8,1]>",
         "k:2:83: make_tensor_view: 2 strides for 1 extents"},
        {"NegativeStride",
         "%a = make_tensor_view %p, shape = [8], strides = [1] : "
         "tensor_view<8xf32, strides=[-1]>",
         "k:2:84: make_tensor_view: expected an extent, but found '-1'"},
        {"AnotherShape",
         "%a = make_tensor_view %p, shape = [4], strides = [1] : "
         "tensor_view<8xf32, strides=[1]>",
         "k:2:35: make_tensor_view: this shape is not that of tensor_view<8xf32, "
         "strides=[1]>"},
        {"DynamicForStatic",
         "%a = make_tensor_view %p, shape = [8], strides = [%n] : tile<i32> -> "
         "tensor_view<8xf32, strides=[1]>",
         "k:2:50: make_tensor_view: these strides are not those of tensor_view<8xf32, "
         "strides=[1]>"},
        {"AnotherExtentType",
         "%a = make_tensor_view %p, shape = [%n], strides = [1] : tile<i64> -> "
         "tensor_view<?xf32, strides=[1]>",
         "k:2:57: make_tensor_view: dynamicShape is a tile<i32>, not a tile<i64>"},
        {"ViewOfNoTensor", "%a = make_tensor_view %p, shape = [], strides = [] : tile<f32>",
         "k:2:54: make_tensor_view: gives a tensor_view"},
        {"UnknownPadding",
         "%a = make_partition_view %p : partition_view<tile=(2), padding_value = "
         "zeros, tensor_view<8xf32, strides=[1]>>",
         "k:2:72: make_partition_view: expected a padding: zero, neg_zero, nan, pos_inf or "
         "neg_inf, but found 'zeros'; did you mean 'zero'?"},
        {"ViewWithoutTensor", "%a = make_partition_view %p : partition_view<tile=(2)>",
         "k:2:54: make_partition_view: expected ',', but found '>'"},
        {"ViewOfTile", "%a = make_partition_view %p : partition_view<tile=(2), tile<2xf32>>",
         "k:2:56: make_partition_view: expected a tensor_view, but found 'tile'"},
        {"NoMulticast", "%a = int_to_ptr %n : tile<i32> -> tile<ptr<f32, <unicast>>>",
         "k:2:50: int_to_ptr: expected 'multicast', but found 'unicast'"},
        {"MaskOfAnotherType",
         "%a, %b = load_ptr_tko weak %p, %n : tile<ptr<f32>>, tile<i1> -> "
         "tile<f32>, token",
         "k:2:53: load_ptr_tko: paddingValue is a tile<i32>, not a tile<i1>"},
        {"NoOrdering", "%a, %b = load_ptr_tko %p : tile<ptr<f32>> -> tile<f32>, token",
         "k:2:23: load_ptr_tko: expected memory_ordering_semantics (weak, relaxed, acquire, "
         "release, acq_rel), but found '%p'"},
        {"UnknownScope",
         "%a, %b = load_ptr_tko relaxed devise %p : tile<ptr<f32>> -> tile<f32>, "
         "token",
         "k:2:31: load_ptr_tko: expected memory_scope (tl_blk, device, sys), but found 'devise'; "
         "did you mean 'device'?"},
        {"AxisTooLarge",
         "%a = cat %v, %v dim = 9223372036854775808 : tile<8xf32>, tile<8xf32> -> "
         "tile<16xf32>",
         "k:2:23: cat: '9223372036854775808' is too large for dim"},
        {"PermutationTooLarge", "%a = permute %v [2147483648] : tile<8xf32> -> tile<8xf32>",
         "k:2:18: permute: '2147483648' is too large for a number"},
        {"NoSymbol", "%a = get_global g : tile<ptr<f32>>",
         "k:2:17: get_global: expected a @name, but found 'g'"},
        {"ForWithoutIndex", "for in (%n to %n, step %n) : tile<i32> { }",
         "k:2:5: for: expected the name of the index, but found 'in'"},
        {"ForOfAnotherType", "for %i in (%n to %n, step %n) : tile<i64> { }",
         "k:2:33: for: lowerBound is a tile<i32>, not a tile<i64>"},
        {"CarriedTypesThatLack",
         "%r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = "
         "%x) -> () { }",
         "k:2:72: for: needs a type for each value that it carries, 1 and not 0"},
        {"CarriedOfAnotherType",
         "%r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = "
         "%x) -> (tile<f16>) { }",
         "k:2:72: for: %a is a tile<f32>, not a tile<f16>"},
        {"LoopWithoutTypes", "loop iter_values(%a = %n) { }",
         "k:2:27: loop: expected ':', but found '{'"},
        {"IndexAfterTheLoop",
         "for %i in (%n to %n, step %n) : tile<i32> { }\n%a = addi %i, %i : "
         "tile<i32>",
         "k:3:11: addi: %i is defined on line 2, in a region that has ended"},
        {"InnerMistake", "loop {\n  if %c { brek }\n}",
         "k:3:11: if: there is no operation 'brek'; did you mean 'break'?"},
        {"AfterARegion", "loop { break } loc(unknwn)",
         "k:2:20: loop: expected a location: unknown, \"file\":line:column, callsite, fused or an "
         "alias, but found 'unknwn'"},
        {"LineTooLarge", "return loc(\"f\":4294967296:1)",
         "k:2:16: return: '4294967296' is too large for a line"},
        {"UndefinedAlias", "return loc(#loc)\n}\n#loc1 = loc(unknown)\nentry @l() {",
         "k:2:12: #loc is not defined; did you mean '#loc1'?"},
        {"AliasOfItself", "return loc(#loc)\n}\n#loc = loc(#loc)\nentry @l() {",
         "k:2:12: #loc stands for a location that stands for another, more than 128 deep"},
    })),
    name_of);

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST(Parser, NestsNoDeeperThan128) {
  const auto loops = [](int n) { return entry(repeated("loop {", n) + repeated("}", n)); };
  EXPECT_EQ(problem(loops(128)), "none");
  EXPECT_EQ(problem(loops(129)), "k:2:774: loop: regions are nested deeper than 128");
  EXPECT_EQ(problem(loops(100000)), "k:2:774: loop: regions are nested deeper than 128");
  const std::string lists = "%a = constant <i8: " + repeated("[", 100000);
  EXPECT_EQ(problem(entry(lists)), "k:2:148: constant: lists are nested deeper than 128");
  const std::string places = "return loc(" + repeated("callsite(", 100000);
  EXPECT_EQ(problem(entry(places)), "k:2:1173: return: locations are nested deeper than 128");
  EXPECT_EQ(problem("#a = #b" + repeated("<", 100000)),
            "k:1:100008: expected a closing bracket, but found the end of the text");
}

TEST(Parser, ManyNamesTakeLinearTime) {
  std::string body;
  for (int i = 0; i < 100000; ++i)
    body += "%a" + std::to_string(i) + "=constant<i32:1>:tile<i32>\n";
  EXPECT_EQ(problem(entry(body)), "none");
  EXPECT_EQ(problem(entry(body + "return loc(#b)")), "k:100002:12: #b is not defined");
}

/// Reads a damaged text; what can be read can be verified and printed.
void survive(const std::string& text) {
  const auto m = parse(text);
  if (!m) return;
  static_cast<void>(verify(*m));
  static_cast<void>(print(*m));
}

const std::string damaged[] = {
    entry("%a = fma %v, %v, %v rounding<zero> flush_to_zero : tile<8xf32> loc(\"f\":1:2)\n"
          "%b:2 = if %c -> (tile<f32>, tile<i32>) { yield %x, %n : tile<f32>, tile<i32> } else {\n"
          "  yield %x, %n : tile<f32>, tile<i32>\n}\n"
          "%d = loop iter_values(%e = %b#1) : tile<i32> -> tile<f32> { break %x : tile<f32> }\n"
          "for %i in (%n to %n, step %n) : tile<i32> { continue } // comment\nreturn"),
    "global private @g alignment = 16 <i32: [[1, -2], [0x3, 4]]> : tile<2x2xi32>\n"
    "entry @\"k\"(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90={occupancy=2}> {\n"
    "%v = make_tensor_view %p, shape = [%n, 8], strides = [8, 1] : tile<i32> -> "
    "tensor_view<?x8xf32, strides=[8,1]>\n"
    "%w = make_partition_view %v : partition_view<tile=(4x2), padding_value = zero, "
    "tensor_view<?x8xf32, strides=[8,1]>, dim_map=[1, 0]>\n"
    "%t, %u = load_view_tko weak %w[%n, %n] inbounds = [true, false] : partition_view<tile=(4x2), "
    "padding_value = zero, tensor_view<?x8xf32, strides=[8,1]>, dim_map=[1, 0]>, tile<i32> -> "
    "tile<4x2xf32>, token loc(#a)\nreturn }\n#a = loc(callsite(#b at \"f\":1:2))\n#b = "
    "#cuda_tile.di_loc<\"g\":3:4 in #c<d = 1>>",
    entry("%a = constant <i8: \"0x0102\"> : tile<2xi8>\n%b = constant <f32: 1.5e-3> : tile<f32>\n"
          "%r = reduce %v dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>\n"
          "(%l: tile<f32>, %m: tile<f32>) { yield %l : tile<f32> }\n"
          "%q = assume div_by<4, every 2 along 0>, %n : tile<i32>\n"
          "%d = print_tko \"%d\\0A\", %n token=%t : tile<i32> -> token\n"
          "%e:2 = scan %v, %v dim=0 reverse=true identities=[0.0:f32, 0x0:f32] : tile<8xf32>, "
          "tile<8xf32> -> tile<8xf32>, tile<8xf32> (%l: tile<f32>, %m: tile<f32>, %o: tile<f32>, "
          "%y: tile<f32>) { yield %l, %o : tile<f32>, tile<f32> }\nreturn"),
};

TEST(Parser, SurvivesEveryCut) {
  for (const std::string& text : damaged) {
    EXPECT_EQ(problem(text), "none");
    for (std::size_t n = 0; n < text.size(); ++n) survive(text.substr(0, n));
  }
}

TEST(Parser, SurvivesEveryChange) {
  constexpr std::string_view others = " \"%#0-x:>({\xff";
  for (const std::string& text : damaged) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string changed = text;
      changed.erase(i, 1);
      survive(changed);
      for (const char c : others) {
        changed = text;
        changed[i] = c;
        survive(changed);
        survive(changed.insert(i, 1, text[i]));
      }
    }
  }
}

} // namespace
} // namespace cutile::ir
