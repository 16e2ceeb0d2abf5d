#pragma once

#include "cases.hpp"

namespace cutile::testing {

/// Little-endian bytes of `values`.
template <class Int> std::vector<std::uint8_t> bytes_of(const std::vector<Int>& values) {
  std::vector<std::uint8_t> out;
  for (const Int v : values) {
    for (std::size_t i = 0; i < sizeof(Int); ++i)
      out.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(v) >> (8 * i)));
  }
  return out;
}

inline Group constant_cases() {
  return {"constant",
          {
              {"splats", V13_1,
               [](Kernel& k) {
                 for (const char* t : {"tile<i1>", "tile<8xi1>", "tile<i8>", "tile<4xi16>",
                                       "tile<i32>", "tile<2x2xi64>"}) {
                   k.c(t, 0);
                   k.c(t, 1);
                 }
                 k.c("tile<i8>", 0xff);
                 k.c("tile<i32>", 0x80000000);
                 k.c("tile<4xi64>", ~std::uint64_t{0});
                 k.c("tile<4xf16>", 0x3c00);
                 k.c("tile<4xbf16>", 0xbf80);
                 k.c("tile<f64>", 0x400921fb54442d18);
                 k.c("tile<4xtf32>", 0x3f802000);
                 k.c("tile<4xf8E4M3FN>", 0x38);
                 k.c("tile<4xf8E5M2>", 0xbc);
               }},
              {"lists", V13_1,
               [](Kernel& k) {
                 std::vector<std::uint8_t> many;
                 for (int i = 0; i < 128; ++i) many.push_back(static_cast<std::uint8_t>(3 * i));
                 k.list("tile<128xi8>", many);
                 k.list("tile<2x1xi8>", {7, 7});
                 k.list("tile<2xi1>", {1, 1});
                 k.list("tile<16xi1>", std::vector<std::uint8_t>(16, 0));
                 k.list("tile<4x32xi1>", std::vector<std::uint8_t>(128, 1));
                 std::vector<std::uint8_t> bits;
                 std::vector<std::uint32_t> tf32;
                 for (unsigned i = 0; i < 128; ++i) {
                   bits.push_back(i % 3 == 0 ? 1 : 0);
                   tf32.push_back(0x3f800000U + (i << 13U));
                 }
                 k.list("tile<128xi1>", bits);
                 k.list("tile<128xtf32>", bytes_of(tf32));
                 k.list("tile<128xf32>", bytes_of(tf32));
                 k.list("tile<2xi1>", {1, 0});
                 k.list("tile<16xi1>", {1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1});
                 k.list("tile<4xi8>", {1, 2, 0xff, 0x80});
                 k.list("tile<2x2xi32>", bytes_of<std::uint32_t>({1, 2, 3, 0xffffffff}));
                 k.list("tile<2x1x2xi16>", bytes_of<std::uint16_t>({1, 2, 3, 4}));
                 k.list("tile<2xtf32>", bytes_of<std::uint32_t>({0x3f800000, 0xc0002000}));
                 k.list("tile<2xf64>",
                        bytes_of<std::uint64_t>({0x3ff0000000000000, 0x7ff0000000000000}));
                 k.list("tile<4xf8E4M3FN>", {0x38, 0x01, 0x7e, 0x7f});
               }},
              {"f32_numbers", V13_1,
               [](Kernel& k) { // 0.1, pi, -0, smallest, largest, inf, -inf, NaN, 2^24-1, 1e10,
                               // 1234567, 1.015625, 2^-20, 123456.75
                 k.list("tile<16xf32>",
                        bytes_of<std::uint32_t>({0x3dcccccd, 0x40490fdb, 0x80000000, 0x00000001,
                                                 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                                 0x4b7fffff, 0x501502f9, 0x4996b438, 0x3f820000,
                                                 0x35800000, 0x47f12060, 0x3a83126f, 0xbeaaaaab}));
                 k.list("tile<4xf16>", bytes_of<std::uint16_t>({0x3c10, 0x7c00, 0x2e66, 0x7bff}));
                 k.list("tile<4xbf16>", bytes_of<std::uint16_t>({0x3dcc, 0x7f80, 0xffc0, 0x4049}));
                 k.list("tile<4xf64>",
                        bytes_of<std::uint64_t>({0x3fb999999999999a, 0x400921fb54442d18,
                                                 0x7fefffffffffffff, 0xfff8000000000000}));
               }},
              {"scale_numbers", V13_2,
               [](Kernel& k) { k.list("tile<4xf8E8M0FNU>", {0, 127, 128, 0xff}); }, true},
              {"four_bit_numbers", V13_3,
               [](Kernel& k) {
                 k.list("tile<16xf4E2M1FN>",
                        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
               },
               true},
          }};
}

inline Group shape_cases() {
  return {"shape",
          {
              {"iota", V13_1,
               [](Kernel& k) {
                 k.op(Op::iota, {}, "tile<16xi32>");
                 k.op(Op::iota, {}, "tile<256xi8>");
               }},
              {"moves", V13_1,
               [](Kernel& k) {
                 const ValueId v = k.c("tile<2x4x8xf32>");
                 k.op(Op::reshape, {v}, "tile<64xf32>");
                 k.op(Op::reshape, {k.x}, "tile<1x1xf32>");
                 k.op(Op::broadcast, {k.c("tile<1x4x1xf32>")}, "tile<2x4x8xf32>");
                 k.op(Op::permute, {v}, "tile<8x2x4xf32>",
                      {{"permutation", std::vector<std::int32_t>{2, 0, 1}}});
                 k.op(Op::cat, {v, v}, "tile<2x8x8xf32>", {{"dim", std::int64_t{1}}});
                 const ValueId zero = k.c("tile<i32>", 0);
                 k.result(k.ops(Op::extract, {{v}, {zero, k.n, zero}}, k.ts({"tile<1x2x8xf32>"})));
               }},
              {"insert", V13_4,
               [](Kernel& k) {
                 const ValueId zero = k.c("tile<i32>", 0);
                 k.ops(Op::insert, {{k.c("tile<2x2xf32>")}, {k.c("tile<4x8xf32>")}, {zero, k.n}},
                       k.ts({"tile<4x8xf32>"}));
               }},
              {"grid", V13_1,
               [](Kernel& k) {
                 k.ops(Op::get_tile_block_id, {}, k.ts({"tile<i32>", "tile<i32>", "tile<i32>"}));
                 k.ops(Op::get_num_tile_blocks, {}, k.ts({"tile<i32>", "tile<i32>", "tile<i32>"}));
               }},
              {"assume", V13_1,
               [](Kernel& k) {
                 const auto assume = [&](ValueId v, std::string_view type, Predicate p) {
                   k.op(Op::assume, {v}, type, {{"predicate", p}});
                 };
                 assume(k.floats, "tile<ptr<f32>>", DivBy{.divisor = 16, .every_along = {}});
                 assume(k.n, "tile<i32>", DivBy{.divisor = 1, .every_along = {}});
                 assume(k.c("tile<8x8xi32>"), "tile<8x8xi32>",
                        DivBy{.divisor = 4,
                              .every_along = std::pair{std::int64_t{2}, std::int64_t{1}}});
                 assume(k.n, "tile<i32>", Bounded{.lower = 0, .upper = {}});
                 assume(k.n, "tile<i32>", Bounded{.lower = {}, .upper = 100});
                 assume(k.n, "tile<i32>", Bounded{.lower = -5, .upper = 7});
                 assume(k.c("tile<8x8xi32>"), "tile<8x8xi32>", SameElements{.group = {2, 4}});
               }},
              {"assertion", V13_1,
               [](Kernel& k) {
                 k.ops(Op::assert_, {{k.c("tile<i1>")}}, {},
                       {{"message", std::string("a \"quote\", a \\ and an \xc3\xa9\n")}});
                 k.ops(Op::assert_, {{k.c("tile<4xi1>")}}, {},
                       {{"message", std::string("in bounds")}});
               }},
          }};
}

inline Group matrix_cases() {
  const auto mma = [](Kernel& k, const std::string& a, const std::string& b, const char* c) {
    const std::uint64_t bits = a.ends_with("tf32>") ? 0x3f800000 : 1;
    k.op(Op::mmaf, {k.c(a, bits), k.c(b, bits), k.c(c)}, c);
  };
  return {"matrix",
          {
              {"mmaf", V13_1,
               [mma](Kernel& k) {
                 mma(k, "tile<16x16xf16>", "tile<16x32xf16>", "tile<16x32xf32>");
                 mma(k, "tile<16x16xf16>", "tile<16x32xf16>", "tile<16x32xf16>");
                 mma(k, "tile<2x16x16xbf16>", "tile<2x16x32xbf16>", "tile<2x16x32xf32>");
                 mma(k, "tile<16x16xtf32>", "tile<16x32xtf32>", "tile<16x32xf32>");
                 mma(k, "tile<16x16xf64>", "tile<16x32xf64>", "tile<16x32xf64>");
                 mma(k, "tile<16x32xf8E4M3FN>", "tile<32x32xf8E4M3FN>", "tile<16x32xf32>");
               }},
              {"mmai", V13_1,
               [](Kernel& k) {
                 const auto mmai = [&](std::int64_t l, std::int64_t r) {
                   k.op(Op::mmai,
                        {k.c("tile<16x32xi8>"), k.c("tile<32x16xi8>"), k.c("tile<16x16xi32>")},
                        "tile<16x16xi32>", {{"signedness_lhs", l}, {"signedness_rhs", r}});
                 };
                 mmai(0, 1);
                 mmai(1, 1);
               }},
              {"fast_acc", V13_3,
               [](Kernel& k) {
                 k.op(
                     Op::mmaf,
                     {k.c("tile<16x32xf8E5M2>"), k.c("tile<32x16xf8E5M2>"), k.c("tile<16x16xf32>")},
                     "tile<16x16xf32>", {{"fast_acc", true}});
               }},
              {"mmaf_scaled", V13_3,
               [](Kernel& k) {
                 k.op(Op::mmaf_scaled,
                      {k.c("tile<128x64xf8E4M3FN>"), k.c("tile<64x128xf8E4M3FN>"),
                       k.c("tile<128x128xf32>"), k.c("tile<128x2xf8E8M0FNU>", 127),
                       k.c("tile<2x128xf8E8M0FNU>", 127)},
                      "tile<128x128xf32>");
               },
               true},
          }};
}

inline Group control_cases() {
  const auto adder = [](Kernel& k, BlockId body, std::initializer_list<std::string_view> types) {
    const auto in = k.b.enter(body);
    Builder::Group out;
    std::size_t i = 0;
    for (const std::string_view t : types) {
      out.push_back(k.op(t.find('f') != std::string_view::npos ? Op::addf : Op::addi,
                         {k.arg(body, 2 * i), k.arg(body, 2 * i + 1)}, t));
      ++i;
    }
    k.end(Op::yield, out);
  };
  const auto zero = [](Kernel& k, TypeKind kind) { return Literal{k.m.types.scalar(kind), 0}; };
  const auto if_op = [](Kernel& k, ValueId c, const Types& results) {
    return k.ops(Op::if_, {{c}}, results);
  };
  const auto no_else = [](Kernel& k, OpId op) { k.b.function()[op].regions.push_back({}); };

  const auto for_op = [](Kernel& k, std::vector<ValueId> inits, const Types& types,
                         bool is_unsigned = false) {
    const ValueId lo = k.c("tile<i32>", 0), step = k.c("tile<i32>", 1);
    return is_unsigned
               ? k.ops(Op::for_, {{lo}, {k.n}, {step}, inits}, types, {{"unsignedCmp", true}})
               : k.ops(Op::for_, {{lo}, {k.n}, {step}, inits}, types);
  };
  return {
      "control",
      {
          {"reduce", V13_1,
           [=](Kernel& k) {
             const OpId one = k.ops(Op::reduce, {{k.c("tile<4x8xf32>")}}, k.ts({"tile<4xf32>"}),
                                    {{"dim", std::int64_t{1}},
                                     {"identities", std::vector<Literal>{zero(k, TypeKind::f32)}}});
             adder(k, k.b.add_region(one, k.ts({"tile<f32>", "tile<f32>"})), {"tile<f32>"});
             const Literal minus_one{k.m.types.scalar(TypeKind::i8), 0xff},
                 least{k.m.types.scalar(TypeKind::i32), 0x80000000};
             const OpId two = k.ops(Op::reduce, {{k.c("tile<8xi8>"), k.c("tile<8xi32>")}},
                                    k.ts({"tile<i8>", "tile<i32>"}),
                                    {{"dim", std::int64_t{0}},
                                     {"identities", std::vector<Literal>{minus_one, least}}});
             adder(k, k.b.add_region(two, k.ts({"tile<i8>", "tile<i8>", "tile<i32>", "tile<i32>"})),
                   {"tile<i8>", "tile<i32>"});
           }},
          {"identities", V13_1,
           [=](Kernel& k) {
             for (const auto& [kind, bits] : std::vector<std::pair<TypeKind, std::uint64_t>>{
                      {TypeKind::f16, 0xfc00},
                      {TypeKind::bf16, 0x7f80},
                      {TypeKind::f64, 0x3ff0000000000000},
                      {TypeKind::f32, 0x3dcccccd},
                      {TypeKind::i64, ~std::uint64_t{0}},
                      {TypeKind::i16, 0x8000}}) {
               const std::string element(spelling(kind)), scalar = "tile<" + element + ">";
               const OpId op =
                   k.ops(Op::reduce, {{k.c("tile<8x" + element + ">")}}, k.ts({scalar}),
                         {{"dim", std::int64_t{0}},
                          {"identities", std::vector<Literal>{{k.m.types.scalar(kind), bits}}}});
               adder(k, k.b.add_region(op, k.ts({scalar, scalar})), {scalar});
             }
             const OpId all =
                 k.ops(Op::reduce, {{k.c("tile<8xi1>")}}, k.ts({"tile<i1>"}),
                       {{"dim", std::int64_t{0}},
                        {"identities", std::vector<Literal>{{k.m.types.scalar(TypeKind::i1), 1}}}});
             adder(k, k.b.add_region(all, k.ts({"tile<i1>", "tile<i1>"})), {"tile<i1>"});
           }},
          {"scan", V13_1,
           [=](Kernel& k) {
             for (const bool reverse : {false, true}) {
               const OpId op =
                   k.ops(Op::scan, {{k.c("tile<4x8xf32>")}}, k.ts({"tile<4x8xf32>"}),
                         {{"dim", std::int64_t{1}},
                          {"reverse", reverse},
                          {"identities", std::vector<Literal>{zero(k, TypeKind::f32)}}});
               adder(k, k.b.add_region(op, k.ts({"tile<f32>", "tile<f32>"})), {"tile<f32>"});
             }
           }},
          {"scan_of_two", V13_2,
           [=](Kernel& k) {
             const OpId op = k.ops(Op::scan, {{k.c("tile<8xf32>"), k.c("tile<8xi32>")}},
                                   k.ts({"tile<8xf32>", "tile<8xi32>"}),
                                   {{"dim", std::int64_t{0}},
                                    {"identities", std::vector<Literal>{zero(k, TypeKind::f32),
                                                                        zero(k, TypeKind::i32)}}});
             adder(k,
                   k.b.add_region(op, k.ts({"tile<f32>", "tile<f32>", "tile<i32>", "tile<i32>"})),
                   {"tile<f32>", "tile<i32>"});
           }},
          {"for_loops", V13_1,
           [=](Kernel& k) {
             const OpId plain = for_op(k, {}, {});
             {
               const auto in = k.b.enter(k.b.add_region(plain, k.ts({"tile<i32>"})));
               k.end(Op::continue_);
             }
             const OpId carried = for_op(k, {k.x, k.n}, k.ts({"tile<f32>", "tile<i32>"}));
             {
               const BlockId body =
                   k.b.add_region(carried, k.ts({"tile<i32>", "tile<f32>", "tile<i32>"}));
               const auto in = k.b.enter(body);
               const ValueId sum = k.op(Op::addi, {k.arg(body, 0), k.arg(body, 2)}, "tile<i32>");
               k.end(Op::continue_, {k.arg(body, 1), sum});
             }
             k.op(Op::addi, {k.result(carried, 1), k.n}, "tile<i32>");
             k.op(Op::addf, {k.result(carried), k.x}, "tile<f32>");
           }},
          {"unsigned_for", V13_2,
           [=](Kernel& k) {
             const OpId op = for_op(k, {k.x}, k.ts({"tile<f32>"}), true);
             const BlockId body = k.b.add_region(op, k.ts({"tile<i32>", "tile<f32>"}));
             const auto in = k.b.enter(body);
             k.end(Op::continue_, {k.arg(body, 1)});
           }},
          {"ifs", V13_1,
           [=](Kernel& k) {
             const ValueId c = k.op(Op::trunci, {k.n}, "tile<i1>");
             const OpId empty = if_op(k, c, {});
             {
               const auto in = k.b.enter(k.b.add_region(empty));
               k.end(Op::yield);
             }
             no_else(k, empty);
             const OpId both = if_op(k, c, k.ts({"tile<f32>", "tile<i32>"}));
             for (int i = 0; i < 2; ++i) {
               const auto in = k.b.enter(k.b.add_region(both));
               k.end(Op::yield, {k.x, k.n});
             }
             k.op(Op::addi, {k.result(both, 1), k.n}, "tile<i32>");
             const OpId leave = if_op(k, c, {});
             {
               const auto in = k.b.enter(k.b.add_region(leave));
               k.end(Op::return_);
             }
             no_else(k, leave);
           }},
          {"loops", V13_1,
           [=](Kernel& k) {
             const OpId bare = k.ops(Op::loop, {{}}, {});
             {
               const auto in = k.b.enter(k.b.add_region(bare));
               k.end(Op::break_);
             }
             // Carries an i32, gives an f32 and an i1.
             const OpId op = k.ops(Op::loop, {{k.n}}, k.ts({"tile<f32>", "tile<i1>"}));
             {
               const BlockId body = k.b.add_region(op, k.ts({"tile<i32>"}));
               const auto in = k.b.enter(body);
               const ValueId c = k.op(Op::trunci, {k.arg(body, 0)}, "tile<i1>");
               const OpId done = if_op(k, c, {});
               {
                 const auto then = k.b.enter(k.b.add_region(done));
                 k.end(Op::break_, {k.x, c});
               }
               no_else(k, done);
               const ValueId next = k.op(Op::addi, {k.arg(body, 0), k.n}, "tile<i32>");
               k.end(Op::continue_, {next});
             }
             const OpId results_only = k.ops(Op::loop, {{}}, k.ts({"tile<f32>"}));
             {
               const auto in = k.b.enter(k.b.add_region(results_only));
               k.end(Op::break_, {k.x});
             }
             const OpId carried_only = k.ops(Op::loop, {{k.n, k.x}}, {});
             {
               const auto in =
                   k.b.enter(k.b.add_region(carried_only, k.ts({"tile<i32>", "tile<f32>"})));
               k.end(Op::break_);
             }
           }},
          {"continue_in_if", V13_1,
           [=](Kernel& k) {
             const OpId op = for_op(k, {k.x}, k.ts({"tile<f32>"}));
             const BlockId body = k.b.add_region(op, k.ts({"tile<i32>", "tile<f32>"}));
             const auto in = k.b.enter(body);
             const ValueId c = k.op(Op::trunci, {k.arg(body, 0)}, "tile<i1>");
             const OpId skip = if_op(k, c, {});
             {
               const auto then = k.b.enter(k.b.add_region(skip));
               k.end(Op::continue_, {k.arg(body, 1)});
             }
             {
               const auto otherwise = k.b.enter(k.b.add_region(skip));
               k.end(Op::yield);
             }
             k.end(Op::continue_, {k.arg(body, 1)});
           }},
          {"bare_continue_in_if", V13_1,
           [=](Kernel& k) {
             const OpId op = for_op(k, {}, {});
             const auto in = k.b.enter(k.b.add_region(op, k.ts({"tile<i32>"})));
             const OpId skip = if_op(k, k.op(Op::trunci, {k.n}, "tile<i1>"), {});
             for (const Op end : {Op::continue_, Op::yield}) {
               const auto branch = k.b.enter(k.b.add_region(skip));
               k.end(end);
             }
             k.end(Op::continue_);
           }},
          {"return_in_loop", V13_4,
           [=](Kernel& k) {
             const OpId op = k.ops(Op::loop, {{}}, {});
             const BlockId body = k.b.add_region(op);
             const auto in = k.b.enter(body);
             const ValueId c = k.op(Op::trunci, {k.n}, "tile<i1>");
             const OpId leave = if_op(k, c, {});
             {
               const auto then = k.b.enter(k.b.add_region(leave));
               k.end(Op::return_);
             }
             no_else(k, leave);
             k.end(Op::continue_);
           }},
      }};
}

} // namespace cutile::testing
