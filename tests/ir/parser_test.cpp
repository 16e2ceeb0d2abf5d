#include "ir/parser.hpp"

#include <gtest/gtest.h>

#include <ostream>

#include "ir/text.hpp"
#include "ir/verifier.hpp"

// What each rule of the text form allows, with blanks and comments at will. That printed texts are
// read again is for tests/bytecode/parser_test.cpp; what is refused for parser_errors_test.cpp.

namespace cutile::ir {
namespace {

struct Rule {
  std::string name, text, printed;
  friend void PrintTo(const Rule& r, std::ostream* out) { *out << r.name; }
};

class Rules : public ::testing::TestWithParam<Rule> {};

// Operations, in an entry with these parameters, which print as %arg0 to %arg8.
constexpr std::string_view parameters =
    "%p: tile<ptr<f32>>, %n: tile<i32>, %c: tile<i1>, %x: tile<f32>, %v: tile<8xf32>, "
    "%i: tile<8xi32>, %b: tile<8xi1>, %q: tile<8xptr<f32>>, %t: token";

std::string printed_body(std::string_view body) {
  const std::string text =
      "entry @k(" + std::string(parameters) + ") {\n" + std::string(body) + "\n}";
  const auto m = parse(text, "k");
  if (!m) return m.failure().message;
  const std::string all = print(*m);
  const std::size_t first = all.find('\n') + 1;
  return all.substr(first, all.size() - first - 2);
}

std::vector<Rule> operations() {
  return {
      {"SameType", "%a=absf%v:tile<8xf32>", "  %0 = absf %arg4 : tile<8xf32>\n"},
      {"Comments",
       "// a comment\n%a // name\n = addf // %b\n %v, // first\n %v : //\n tile<8xf32>//",
       "  %0 = addf %arg4, %arg4 : tile<8xf32>\n"},
      {"Dialect",
       "%a = cuda_tile.addf %v, %v : !cuda_tile.tile<8xf32>\n"
       "%b1 = cuda_tile.broadcast %a : tile<8x f32> -> cuda_tile.tile<8 x f32>",
       "  %0 = addf %arg4, %arg4 : tile<8xf32>\n"
       "  %1 = broadcast %0 : tile<8xf32> -> tile<8xf32>\n"},
      {"Options",
       "%a = fma %v,%v,%v rounding < zero > flush_to_zero : tile<8xf32>\n"
       "%d = fma %v,%v,%v flush_to_zero : tile<8xf32>\n"
       "%e = addi %i, %i overflow<no_wrap> : tile<8xi32>\n"
       "%f = divi %i, %i signed rounding<negative_inf> : tile<8xi32>\n"
       "%g = ftoi %v signed saturating : tile<8xf32> -> tile<8xi8>",
       "  %0 = fma %arg4, %arg4, %arg4 rounding<zero> flush_to_zero : tile<8xf32>\n"
       "  %1 = fma %arg4, %arg4, %arg4 flush_to_zero : tile<8xf32>\n"
       "  %2 = addi %arg5, %arg5 overflow<no_wrap> : tile<8xi32>\n"
       "  %3 = divi %arg5, %arg5 signed rounding<negative_inf> : tile<8xi32>\n"
       "  %4 = ftoi %arg4 signed saturating : tile<8xf32> -> tile<8xi8>\n"},
      {"DefaultsMayBeWritten",
       "%a = addf %v, %v rounding<nearest_even> : tile<8xf32>\n"
       "%d = addi %i, %i overflow<none> : tile<8xi32>",
       "  %0 = addf %arg4, %arg4 : tile<8xf32>\n"
       "  %1 = addi %arg5, %arg5 : tile<8xi32>\n"},
      {"NamesOfAnyForm",
       "%0 = make_token : token\n%cst_-1_i32 = make_token:token\n%a.b$c = make_token : token\n"
       "%7 = join_tokens %0,%cst_-1_i32,%a.b$c:token\n",
       "  %0 = make_token : token\n  %1 = make_token : token\n  %2 = make_token : token\n"
       "  %3 = join_tokens %0, %1, %2 : token\n"},
      {"ResultsWithoutNames", "make_token : token\nget_tile_block_id : tile<i32>",
       "  %0 = make_token : token\n  %1, %2, %3 = get_tile_block_id : tile<i32>\n"},
      {"ResultsInGroups",
       "%a:2, %d = get_tile_block_id : tile<i32>\n%e = addi %a#1, %d : tile<i32>\n"
       "%f = addi %a, %a#0 : tile<i32>",
       "  %0, %1, %2 = get_tile_block_id : tile<i32>\n  %3 = addi %1, %2 : tile<i32>\n"
       "  %4 = addi %0, %0 : tile<i32>\n"},
      {"Constants",
       "%a = constant <i32: 1> : tile<4xi32>\n%d = constant<i8:[-1,0x7F,255,-128]>:tile<4xi8>\n"
       "%e = constant <i1: [true, false]> : tile<2xi1>\n"
       "%f = constant <i16: [ [1,2] , [3,4] ]> : tile<2x2xi16>\n"
       "%g = constant <f32: [1.5, 0x7F800000, -2e1, 3]> : tile<4xf32>\n"
       "%h = constant <i16: \"0x01000200\"> : tile<2xi16>\n"
       "%j = constant <i16: \"0x0100\"> : tile<64xi16>\n"
       "%l = constant <tf32: \"0x00FC01\"> : tile<4xtf32>",
       "  %0 = constant <i32: 1> : tile<4xi32>\n"
       "  %1 = constant <i8: [-1, 127, -1, -128]> : tile<4xi8>\n"
       "  %2 = constant <i1: [true, false]> : tile<2xi1>\n"
       "  %3 = constant <i16: [[1, 2], [3, 4]]> : tile<2x2xi16>\n"
       "  %4 = constant <f32: [1.500000e+00, 0x7F800000, -2.000000e+01, 3.000000e+00]> : "
       "tile<4xf32>\n"
       "  %5 = constant <i16: [1, 2]> : tile<2xi16>\n"
       "  %6 = constant <i16: 1> : tile<64xi16>\n"
       "  %7 = constant <tf32: 1.000000e+00> : tile<4xtf32>\n"},
      {"Comparisons",
       "%a = cmpf greater_than unordered %v, %v : tile<8xf32> -> tile<8xi1>\n"
       "%d = cmpi less_than %i, %i, signed : tile<8xi32> -> tile<8xi1>",
       "  %0 = cmpf greater_than unordered %arg4, %arg4 : tile<8xf32> -> tile<8xi1>\n"
       "  %1 = cmpi less_than %arg5, %arg5, signed : tile<8xi32> -> tile<8xi1>\n"},
      {"ResultTypesThatAreUnderstood",
       "%a = select %b, %v, %v : tile<8xi1>, tile<8xf32>\n"
       "%d = maxf %v, %v flush_to_zero propagate_nan : tile<8xf32>\n"
       "%e = fpowi %v, %i : tile<8xf32>, tile<8xi32>\n"
       "%f = assume div_by<16>, %p : tile<ptr<f32>>\n"
       "%g = memory_fence_alias_tko %t\n"
       "%h = insert %x, %v[%n] : tile<f32>, tile<8xf32>\n"
       "%l = iota : tile<8xi32>",
       "  %0 = select %arg6, %arg4, %arg4 : tile<8xi1>, tile<8xf32>\n"
       "  %1 = maxf %arg4, %arg4 flush_to_zero propagate_nan : tile<8xf32>\n"
       "  %2 = fpowi %arg4, %arg5 : tile<8xf32>, tile<8xi32>\n"
       "  %3 = assume div_by<16>, %arg0 : tile<ptr<f32>>\n"
       "  %4 = memory_fence_alias_tko %arg8\n"
       "  %5 = insert %arg3, %arg4[%arg1] : tile<f32>, tile<8xf32>\n"
       "  %6 = iota : tile<8xi32>\n"},
      {"Predicates",
       "%a = assume div_by < 4 , every 2 along 0 >, %i : tile<8xi32>\n"
       "%d = assume bounded<?,?>, %n : tile<i32>\n%e = assume bounded<-5, 7>, %n : tile<i32>\n"
       "%f = assume same_elements<[2]>, %i : tile<8xi32>",
       "  %0 = assume div_by<4, every 2 along 0>, %arg5 : tile<8xi32>\n"
       "  %1 = assume bounded<?, ?>, %arg1 : tile<i32>\n"
       "  %2 = assume bounded<-5, 7>, %arg1 : tile<i32>\n"
       "  %3 = assume same_elements<[2]>, %arg5 : tile<8xi32>\n"},
      {"OptionalParts",
       "%a, %a1 = load_ptr_tko weak %q : tile<8xptr<f32>> -> tile<8xf32>, token\n"
       "%d, %d1 = load_ptr_tko relaxed device %q, %b token=%t : tile<8xptr<f32>>, tile<8xi1> -> "
       "tile<8xf32>, token\n"
       "%e, %e1 = load_ptr_tko weak %q, %b, %v token = %t optimization_hints=<sm_90={latency=4}, "
       "sm_100 = {}> : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token\n"
       "%f, %f1 = load_ptr_tko weak %q, %v : tile<8xptr<f32>>, tile<8xf32> -> tile<8xf32>, token",
       "  %0, %1 = load_ptr_tko weak %arg7 : tile<8xptr<f32>> -> tile<8xf32>, token\n"
       "  %2, %3 = load_ptr_tko relaxed device %arg7, %arg6 token=%arg8 : tile<8xptr<f32>>, "
       "tile<8xi1> -> tile<8xf32>, token\n"
       "  %4, %5 = load_ptr_tko weak %arg7, %arg6, %arg4 token=%arg8 optimization_hints = "
       "<sm_100 = {}, sm_90 = {latency = 4}> : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> "
       "tile<8xf32>, token\n"
       "  %6, %7 = load_ptr_tko weak %arg7, %arg4 : tile<8xptr<f32>>, tile<8xf32> -> tile<8xf32>, "
       "token\n"},
      {"Strings",
       R"(%a = print_tko "a \"b\" \\ \n\t\41 é"->token)"
       "\nassert %c, \"\" : tile<i1>",
       "  %0 = print_tko \"a \\22b\\22 \\\\ \\0A\\09A \\C3\\A9\" -> token\n"
       "  assert %arg2, \"\" : tile<i1>\n"},
      {"PrintedValues",
       "%a = print_tko \"%d %f\", %n, %x token=%t : tile<i32>, tile<f32> -> token\n"
       "%d = print_tko \"%d\", %n : tile<i32> -> token",
       "  %0 = print_tko \"%d %f\", %arg1, %arg3 token=%arg8 : tile<i32>, tile<f32> -> token\n"
       "  %1 = print_tko \"%d\", %arg1 : tile<i32> -> token\n"},
      {"Lists",
       "%a = extract %v[%n] : tile<8xf32> -> tile<1xf32>\n"
       "%d = permute %v [ 1,0 ] : tile<8xf32> -> tile<8xf32>\n"
       "%e = cat %v, %v dim=0 : tile<8xf32>, tile<8xf32> -> tile<16xf32>",
       "  %0 = extract %arg4[%arg1] : tile<8xf32> -> tile<1xf32>\n"
       "  %1 = permute %arg4 [1, 0] : tile<8xf32> -> tile<8xf32>\n"
       "  %2 = cat %arg4, %arg4 dim = 0 : tile<8xf32>, tile<8xf32> -> tile<16xf32>\n"},
      {"TensorViews",
       "%a = make_tensor_view %p, shape=[], strides=[] : tensor_view<f32>\n"
       "%d = make_tensor_view %p, shape = [8, %n], strides = [%n,1] : tile<i32> -> "
       "tensor_view<8 x ? x f32, strides=[?, 1]>\n"
       "%e:2 = get_tensor_shape %d : tensor_view<8x?xf32, strides=[?,1]> -> tile<i32>\n"
       "get_tensor_shape %a : tensor_view<f32> ->",
       "  %0 = make_tensor_view %arg0, shape = [], strides = [] : tensor_view<f32>\n"
       "  %1 = make_tensor_view %arg0, shape = [8, %arg1], strides = [%arg1, 1] : tile<i32> -> "
       "tensor_view<8x?xf32, strides=[?,1]>\n"
       "  %2:2 = get_tensor_shape %1 : tensor_view<8x?xf32, strides=[?,1]> -> tile<i32>\n"
       "  get_tensor_shape %0 : tensor_view<f32> ->\n"},
      {"Views",
       "%d = make_tensor_view %p, shape = [8,8], strides = [8,1] : tensor_view<8x8xf32, "
       "strides=[8,1]>\n"
       "%a = make_partition_view %d : partition_view<tile=(4 x 2), padding_value=nan, "
       "tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1,0]>\n"
       "%e = make_strided_view %d : strided_view<tile=(4x2), traversal_strides=[3,1], "
       "tensor_view<8x8xf32, strides=[8,1]>>\n"
       "%f = make_gather_scatter_view %d : gather_scatter_view<tile=(4x2), tensor_view<8x8xf32, "
       "strides=[8,1]>, sparse_dim = 0>\n"
       "%r = iota : tile<4xi32>\n"
       "%g, %g1 = load_view_tko weak %f[%r, %n] token = %t inbounds = [true, false] : "
       "gather_scatter_view<tile=(4x2), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, "
       "tile<4xi32>, tile<i32> -> tile<4x2xf32>, token\n",
       "  %0 = make_tensor_view %arg0, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf32, "
       "strides=[8,1]>\n"
       "  %1 = make_partition_view %0 : partition_view<tile=(4x2), padding_value = nan, "
       "tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 0]>\n"
       "  %2 = make_strided_view %0 : strided_view<tile=(4x2), traversal_strides=[3,1], "
       "tensor_view<8x8xf32, strides=[8,1]>>\n"
       "  %3 = make_gather_scatter_view %0 : gather_scatter_view<tile=(4x2), "
       "tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>\n"
       "  %4 = iota : tile<4xi32>\n"
       "  %5, %6 = load_view_tko weak %3[%4, %arg1] token = %arg8 inbounds = [true, false] : "
       "gather_scatter_view<tile=(4x2), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>, "
       "tile<4xi32>, tile<i32> -> tile<4x2xf32>, token\n"},
      {"Reductions",
       "%a = reduce %v dim = 0 identities = [ 0.0 : f32 ] : tile<8xf32> -> tile<f32>\n"
       "(%l: tile<f32>, %r: tile<f32>) { %0 = addf %l, %r : tile<f32> yield %0 : tile<f32> }\n"
       "%d:2 = scan %b, %i dim=0 reverse=true identities=[true, -1 : i32] : tile<8xi1>, "
       "tile<8xi32> "
       "-> tile<8xi1>, tile<8xi32> (%l: tile<i1>, %m: tile<i1>, %o: tile<i32>, %r: tile<i32>) "
       "{ yield %l, %o : tile<i1>, tile<i32> }",
       "  %0 = reduce %arg4 dim=0 identities=[0.000000e+00 : f32] : tile<8xf32> -> tile<f32>\n"
       "  (%1: tile<f32>, %2: tile<f32>) {\n    %3 = addf %1, %2 : tile<f32>\n"
       "    yield %3 : tile<f32>\n  }\n"
       "  %4:2 = scan %arg6, %arg5 dim=0 reverse=true identities=[true, -1 : i32] : tile<8xi1>, "
       "tile<8xi32> -> tile<8xi1>, tile<8xi32>\n"
       "  (%5: tile<i1>, %6: tile<i1>, %7: tile<i32>, %8: tile<i32>) {\n"
       "    yield %5, %7 : tile<i1>, tile<i32>\n  }\n"},
      {"IdentitiesInHex",
       "%d = ftof %v : tile<8xf32> -> tile<8xf64>\n"
       "%a = reduce %d dim=0 identities=[0x7FF0000000000000] : tile<8xf64> -> tile<f64>\n"
       "(%l: tile<f64>, %r: tile<f64>) { yield %l : tile<f64> }",
       "  %0 = ftof %arg4 : tile<8xf32> -> tile<8xf64>\n"
       "  %1 = reduce %0 dim=0 identities=[0x7FF0000000000000] : tile<8xf64> -> tile<f64>\n"
       "  (%2: tile<f64>, %3: tile<f64>) {\n    yield %2 : tile<f64>\n  }\n"},
      {"Loops",
       "for %a in (%n to %n, step %n) : tile<i32> { }\n"
       "for unsigned %a in(%n to %n,step %n):tile<i32>{ continue }\n"
       "%d:2 = for %a in (%n to %n, step %n) : tile<i32> iter_values(%e = %x, %f = %n) -> "
       "(tile<f32>, tile<i32>) { continue %e, %a : tile<f32>, tile<i32> }\n"
       "%g = addi %d#1, %n : tile<i32>\n"
       "loop { break }\n"
       "%h = loop iter_values(%e = %n) : tile<i32> -> tile<f32> { break %x : tile<f32> }\n"
       "%j = loop : tile<f32> { break %x : tile<f32> }\n"
       "loop iter_values(%e = %n, %f = %x) : tile<i32>, tile<f32> { break }",
       "  for %0 in (%arg1 to %arg1, step %arg1) : tile<i32> {\n  }\n"
       "  for unsigned %1 in (%arg1 to %arg1, step %arg1) : tile<i32> {\n  }\n"
       "  %2:2 = for %3 in (%arg1 to %arg1, step %arg1) : tile<i32> iter_values(%4 = %arg3, "
       "%5 = %arg1) -> (tile<f32>, tile<i32>) {\n    continue %4, %3 : tile<f32>, tile<i32>\n  }\n"
       "  %6 = addi %2#1, %arg1 : tile<i32>\n  loop {\n    break\n  }\n"
       "  %7 = loop iter_values(%8 = %arg1) : tile<i32> -> tile<f32> {\n"
       "    break %arg3 : tile<f32>\n  }\n"
       "  %9 = loop : tile<f32> {\n    break %arg3 : tile<f32>\n  }\n"
       "  loop iter_values(%10 = %arg1, %11 = %arg3) : tile<i32>, tile<f32> {\n    break\n  }\n"},
      {"Branches",
       "if %c { } if %c { yield } else { return }\n"
       "%a:2 = if %c -> (tile<f32>, tile<i32>) { yield %x, %n : tile<f32>, tile<i32> } else "
       "{ yield %x, %n : tile<f32>, tile<i32> }",
       "  if %arg2 {\n  }\n  if %arg2 {\n  } else {\n    return\n  }\n"
       "  %0:2 = if %arg2 -> (tile<f32>, tile<i32>) {\n"
       "    yield %arg3, %arg1 : tile<f32>, tile<i32>\n  } else {\n"
       "    yield %arg3, %arg1 : tile<f32>, tile<i32>\n  }\n"},
      {"NamesEndWithTheirRegion",
       "if %c { %a = make_token : token } else { %a = make_token : token }\n"
       "%a = make_token : token",
       "  if %arg2 {\n    %0 = make_token : token\n  } else {\n    %1 = make_token : token\n  }\n"
       "  %2 = make_token : token\n"},
      {"Multicast",
       "%a = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>\n"
       "%d = int_to_ptr %a : tile<i64> -> tile<ptr<f32, #cuda_tile.ptr_attr<multicast>>>\n"
       "%e = make_tensor_view %d, shape = [2], strides = [1] : tile<ptr<f32,<multicast>>> -> "
       "tensor_view<2xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>",
       "  %0 = ptr_to_int %arg0 : tile<ptr<f32>> -> tile<i64>\n"
       "  %1 = int_to_ptr %0 : tile<i64> -> tile<ptr<f32, <multicast>>>\n"
       "  %2 = make_tensor_view %1, shape = [2], strides = [1] : tile<ptr<f32, <multicast>>> -> "
       "tensor_view<2xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>\n"},
  };
}

INSTANTIATE_TEST_SUITE_P(Operations, Rules, ::testing::ValuesIn(operations()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Rules, Hold) { EXPECT_EQ(printed_body(GetParam().text), GetParam().printed); }

// Modules.

std::string printed(std::string_view text) {
  const auto m = parse(text, "k");
  return m ? print(*m) : m.failure().message;
}

TEST(Parser, AModuleMayBeEmpty) {
  EXPECT_EQ(printed(""), "");
  EXPECT_EQ(printed(" // nothing"), "");
  EXPECT_EQ(printed("cuda_tile.module @m { }"), "");
}

TEST(Parser, GlobalsAndEntriesInAModule) {
  const auto m = parse("cuda_tile.module @m {\n"
                       "global private constant @a alignment=16 <i32: [1,2]> : tile<2xi32>\n"
                       "cuda_tile.global @\"b c\" <f16: 1.0> : tile<4xf16>\n"
                       "entry @k() optimization_hints=<default={num_cta_in_cga=2,occupancy=4}> "
                       "{ return }\n"
                       "cuda_tile.entry @\"\\41\"(%a: tile<i32>) { return } }");
  ASSERT_TRUE(m) << m.failure().message;
  EXPECT_EQ(m->name, "m");
  EXPECT_EQ(print(*m), "global private constant @a alignment = 16 <i32: [1, 2]> : tile<2xi32>\n"
                       "global @\"b c\" <f16: 1.000000e+00> : tile<4xf16>\n"
                       "entry @k() optimization_hints=<default = {num_cta_in_cga = 2, "
                       "occupancy = 4}> {\n  return\n}\n"
                       "entry @A(%arg0: tile<i32>) {\n  return\n}\n");
  EXPECT_TRUE(verify(*m).empty());
}

TEST(Parser, EqualConstantsAreOne) {
  const auto m = parse("entry @k() { constant <i32: 1> : tile<i32> constant <i32: 1> : tile<i32> "
                       "constant <i32: 2> : tile<i32> constant <i32: 1> : tile<2xi32> return }");
  EXPECT_EQ(m.value().constants.size(), 3U);
}

TEST(Parser, OperationsAreLocatedInTheText) {
  const auto m = parse("entry @k(%n: tile<i32>) {\n  if %n {\n  }\n  return\n}", "a.mlir");
  const Function& f = m.value().functions[0];
  EXPECT_STREQ(f.loc.file, "a.mlir");
  EXPECT_EQ(f.loc, (SourceLoc{f.loc.file, 1, 1}));
  ASSERT_EQ(f.ops.size(), 3U);
  EXPECT_EQ(f.ops[0].loc, (SourceLoc{f.loc.file, 2, 3}));
  EXPECT_EQ(f.ops[1].loc, (SourceLoc{f.loc.file, 3, 3})); // the yield that is understood
  EXPECT_EQ(f.ops[2].loc, (SourceLoc{f.loc.file, 4, 3}));
}

std::vector<std::string> locations(std::string_view text) {
  const auto m = parse(text, "t");
  if (!m) return {m.failure().message};
  std::vector<std::string> out;
  const auto add = [&](SourceLoc at) {
    out.push_back(std::string(at.file) + ":" + std::to_string(at.line) + ":" +
                  std::to_string(at.column));
  };
  for (const Operation& op : m->functions[0].ops) add(op.loc);
  add(m->functions[0].loc);
  return out;
}

TEST(Parser, LocationsThatAreWritten) {
  using Places = std::vector<std::string>;
  EXPECT_EQ(locations("entry @k(%a: tile<i32> loc(\"f\":1:1)) {\n"
                      "make_token : token loc(\"a b.py\":3:7)\n"
                      "make_token : token loc(unknown)\n"
                      "make_token : token loc(callsite(\"f\":1:2 at \"g\":3:4))\n"
                      "make_token : token loc(fused<\"a>\">[\"f\":5:6, unknown])\n"
                      "make_token : token loc(\"name\"(\"f\":7:8))\n"
                      "make_token : token loc(\"f\":9:10 to :11)\n"
                      "make_token : token loc(\"name\")\n"
                      "return } loc(\"f\":2:0)"),
            (Places{"a b.py:3:7", ":0:0", "f:1:2", "f:5:6", "f:7:8", "f:9:10", ":0:0", "t:9:1",
                    "f:2:0"}));
}

TEST(Parser, AliasesOfLocations) {
  using Places = std::vector<std::string>;
  EXPECT_EQ(locations("#loc2 = loc(\"f\":3:4)\n"
                      "entry @k() {\nmake_token : token loc(#loc1)\n"
                      "return loc(#loc4) } loc(#loc)\n"
                      "#file = #cuda_tile.di_file<\"f\" in \"/\">\n"
                      "#unit = #cuda_tile.di_compile_unit<file = #file>\n"
                      "#sub = #cuda_tile.di_subprogram<file = #file, line = 2, name = \"k\", "
                      "linkageName = \"k\", compileUnit = #unit, scopeLine = 2>\n"
                      "#loc = loc(\"f\":1:2)\n"
                      "#loc1 = #cuda_tile.di_loc<#loc in #sub>\n"
                      "#loc3 = #cuda_tile.di_loc<#loc2 in #cuda_tile.di_subprogram<line = 2>>\n"
                      "#loc4 = loc(callsite(#loc3 at #loc1))"),
            (Places{"f:1:2", "f:3:4", "f:1:2"}));
}

} // namespace
} // namespace cutile::ir
