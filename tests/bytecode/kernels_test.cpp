#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "bytecode/writer.hpp"
#include "ir/text.hpp"
#include "ir/verifier.hpp"
#include "kernel.hpp"
#include "tool.hpp"

// Whole kernels, as a trace would emit them, through verifier, writer, disassembler and compiler;
// and many numbers through the printer.

namespace cutile::testing {
namespace {

const Builder::Named weak{"memory_ordering_semantics", std::int64_t{0}};

struct Tensor {
  ValueId pointer, rows, columns, stride;
};

/// A view of tiles over an f16 matrix of unknown extents, rows dense and aligned.
ValueId view_of(Builder& b, const Tensor& t, std::int64_t height, std::int64_t width) {
  const auto assume = [&](ValueId v, Predicate p) {
    return b.value(Op::assume, {v}, b.type(v), {{"predicate", std::move(p)}});
  };
  const DivBy by16{.divisor = 16, .every_along = {}};
  const Bounded positive{.lower = 0, .upper = {}};
  const std::vector<std::int64_t> shape{dynamic, dynamic}, strides{dynamic, 1}, tile{height, width};
  const TypeId element = b.types()[b.types()[b.type(t.pointer)].element].element;
  const TypeId type = b.types().tensor_view(element, shape, strides);
  const OpId tensor =
      b.emit_groups(Op::make_tensor_view,
                    {{assume(t.pointer, by16)},
                     {assume(t.rows, positive), assume(assume(t.columns, positive), by16)},
                     {assume(assume(t.stride, positive), by16)}},
                    std::span(&type, 1));
  const TypeId view = b.types().partition_view(type, tile, Padding::zero);
  return b.value(Op::make_partition_view, {b.function()[tensor].results[0]}, view);
}

/// c = a b, one tile of c a block.
Module gemm(std::int64_t bm, std::int64_t bn, std::int64_t bk) {
  Module m;
  TypeTable& t = m.types;
  const TypeId pointer = t.tile(t.pointer(t.scalar(TypeKind::f16))), i32 = t.tile(TypeKind::i32);
  std::vector<TypeId> params;
  for (int i = 0; i < 3; ++i) params.insert(params.end(), {pointer, i32, i32, i32});
  Builder b = Builder::entry(m, "gemm", params);
  const std::vector<ValueId> p = b.function().params();
  const ValueId a = view_of(b, {p[0], p[1], p[2], p[3]}, bm, bk);
  const ValueId bb = view_of(b, {p[4], p[5], p[6], p[7]}, bk, bn);
  const ValueId c = view_of(b, {p[8], p[9], p[10], p[11]}, bm, bn);
  const TypeId ids[] = {i32, i32, i32}, pair[] = {i32, i32}, token = t.token();
  const std::vector<ValueId> id = b.function()[b.emit(Op::get_tile_block_id, {}, ids)].results;
  const std::vector<ValueId> steps =
      b.function()[b.emit(Op::get_index_space_shape, std::vector{a}, pair)].results;
  const std::vector<std::int64_t> a_tile{bm, bk}, b_tile{bk, bn}, c_tile{bm, bn};
  const TypeId acc = t.tile(TypeKind::f32, c_tile), half = t.tile(TypeKind::f16, c_tile);
  const OpId loop = b.emit_groups(
      Op::for_, {{b.constant_i32(0)}, {steps[1]}, {b.constant_i32(1)}, {b.constant(acc, 0)}},
      std::span(&acc, 1));
  const TypeId args[] = {i32, acc};
  const BlockId body = b.add_region(loop, args);
  {
    const auto in = b.enter(body);
    const std::vector<ValueId> k = b.function()[body].args;
    const auto load = [&](ValueId view, const Builder::Group& index,
                          const std::vector<std::int64_t>& tile) {
      const TypeId out[] = {t.tile(TypeKind::f16, tile), token};
      const OpId op = b.emit_groups(Op::load_view_tko, {{view}, index, {}}, out, {weak});
      return b.function()[op].results[0];
    };
    const ValueId left = load(a, {id[0], k[0]}, a_tile), right = load(bb, {k[0], id[1]}, b_tile);
    const ValueId next = b.value(Op::mmaf, {left, right, k[1]}, acc);
    b.emit_groups(Op::continue_, {{next}}, {});
  }
  const ValueId sum = b.value(Op::ftof, {b.function()[loop].results[0]}, half);
  b.emit_groups(Op::store_view_tko, {{sum}, {c}, {id[0], id[1]}, {}}, std::span(&token, 1), {weak});
  b.emit(Op::return_, {}, {});
  return m;
}

/// y = x / sum(|x|) along rows of 1024 at pointers, masked, through every kind of element-wise
/// step.
Module normalise() {
  Module m;
  Kernel k(m, "normalise");
  const char* row = "tile<1024xf32>";
  const OpId block =
      k.ops(Op::get_tile_block_id, {}, k.ts({"tile<i32>", "tile<i32>", "tile<i32>"}));
  const ValueId lane = k.op(Op::iota, {}, "tile<1024xi32>");
  const auto spread = [&](ValueId v, std::string_view element) {
    const std::string one = "tile<1x" + std::string(element) + ">";
    return k.op(Op::broadcast, {k.op(Op::reshape, {v}, one)},
                "tile<1024x" + std::string(element) + ">");
  };
  const ValueId width = spread(k.n, "i32");
  const ValueId start = k.op(Op::muli, {k.result(block), k.n}, "tile<i32>");
  const ValueId index = k.op(Op::addi, {spread(start, "i32"), lane}, "tile<1024xi32>");
  const ValueId mask =
      k.op(Op::cmpi, {lane, width}, "tile<1024xi1>",
           {{"comparison_predicate", std::int64_t{2}}, {"signedness", std::int64_t{1}}});
  const ValueId p = k.op(Op::offset, {spread(k.floats, "ptr<f32>"), index}, "tile<1024xptr<f32>>");
  const OpId load = k.ops(Op::load_ptr_tko, {{p}, {mask}, {k.c(row, 0)}, {k.token()}},
                          k.ts({row, "token"}), {weak});
  const ValueId x = k.result(load);
  const OpId sum =
      k.ops(Op::reduce, {{k.op(Op::absf, {x}, row)}}, k.ts({"tile<f32>"}),
            {{"dim", std::int64_t{0}}, {"identities", std::vector<Literal>{{k.t("f32"), 0}}}});
  const BlockId body = k.b.add_region(sum, k.ts({"tile<f32>", "tile<f32>"}));
  {
    const auto in = k.b.enter(body);
    k.end(Op::yield, {k.op(Op::addf, {k.arg(body, 0), k.arg(body, 1)}, "tile<f32>")});
  }
  const ValueId y = k.op(Op::divf, {x, spread(k.result(sum), "f32")}, row);
  k.ops(Op::store_ptr_tko, {{p}, {y}, {mask}, {k.result(load, 1)}}, k.ts({"token"}), {weak});
  k.end(Op::return_);
  return m;
}

class Kernels : public ::testing::TestWithParam<int> {
 protected:
  static Module module() {
    return GetParam() == 0 ? gemm(128, 128, 64) : GetParam() == 1 ? gemm(64, 32, 16) : normalise();
  }
};
INSTANTIATE_TEST_SUITE_P(All, Kernels, ::testing::Range(0, 3));

TEST_P(Kernels, GoThroughEveryStage) {
  const Module m = module();
  for (const Diagnostic& d : verify(m)) ADD_FAILURE() << d.message;
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  for (const Version v : {V13_1, V13_3, V13_5}) {
    const auto run = disassemble(*tool, *bytecode::write(m, v));
    ASSERT_TRUE(run.good()) << run.output;
    EXPECT_EQ(normalised(print(m)), normalised(run.output));
  }
  for (const char* arch : {"sm_90", "sm_100"}) {
    const auto run = assemble(*tool, *bytecode::write(m, V13_3), arch);
    EXPECT_TRUE(run.good()) << arch << run.output;
  }
}

TEST(Numbers, PrintAsInTheDisassembler) {
  const auto tool = find_tileiras();
  if (!tool) GTEST_SKIP() << no_tool;
  std::mt19937_64 random(7);
  // Half of the f32 and f64 have few digits, as people write them.
  const auto number = [&](TypeKind kind, bool plain) -> std::uint64_t {
    const std::uint64_t bits = random();
    const double few_digits = static_cast<double>(bits % 20000001) / 1024.0 - 9000.0;
    if (plain && kind == TypeKind::f64) return std::bit_cast<std::uint64_t>(few_digits);
    if (plain && kind == TypeKind::f32)
      return std::bit_cast<std::uint32_t>(static_cast<float>(few_digits));
    if (kind == TypeKind::tf32) return bits & ~std::uint64_t{0x1fff};
    return kind == TypeKind::f4e2m1fn ? bits & 15U : bits;
  };
  for (const TypeKind kind :
       {TypeKind::f32, TypeKind::f64, TypeKind::f16, TypeKind::bf16, TypeKind::tf32,
        TypeKind::f8e4m3fn, TypeKind::f8e5m2, TypeKind::f4e2m1fn, TypeKind::f8e8m0fnu}) {
    Module m;
    Kernel k(m, "numbers");
    for (int list = 0; list < 24; ++list) {
      std::vector<std::uint8_t> bytes;
      for (int i = 0; i < 64; ++i) {
        const std::uint64_t bits = number(kind, i % 2 == 0);
        for (int b = 0; b < storage_bytes(kind); ++b)
          bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * b)));
      }
      k.list("tile<64x" + std::string(spelling(kind)) + ">", bytes);
    }
    k.end(Op::return_);
    const auto run = disassemble(*tool, *bytecode::write(m, V13_5));
    ASSERT_TRUE(run.good());
    EXPECT_EQ(normalised(print(m)), normalised(run.output)) << spelling(kind);
  }
}

} // namespace
} // namespace cutile::testing
