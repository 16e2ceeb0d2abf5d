#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.hpp"
#include "trace/trace_kernel.hpp"

// What the trace makes of kernels: no more than what is needed, and the checks where they belong.

namespace cutile::test {
namespace {

using testing::HasSubstr;
using trace::Bound;

/// Operations with this opcode in the whole function.
int count(const trace::TracedKernel& kernel, ir::Op op) {
  const ir::Function& f = kernel.module.functions.front();
  int n = 0;
  for (const ir::Block& b : f.blocks) {
    for (const ir::OpId id : b.ops) n += f[id].op == op ? 1 : 0;
  }
  return n;
}

/// The only operation with this opcode.
const ir::Operation& only(const trace::TracedKernel& kernel, ir::Op op) {
  const ir::Function& f = kernel.module.functions.front();
  const ir::Operation* found = nullptr;
  for (const ir::Block& b : f.blocks) {
    for (const ir::OpId id : b.ops) {
      if (f[id].op == op) found = &f[id];
    }
  }
  EXPECT_EQ(count(kernel, op), 1);
  return *found;
}

using Matrix = In<bf16, dyn, dyn>;

TEST(Trace, TheLoopOfAMatrixProductHasFourOperations) {
  const auto kernel = trace_with<Out<bf16, 128, 256>, Matrix, Matrix>([](auto c, auto a, auto b) {
                        detail::trace_body(kernels::gemm, c, a, b, constant<32>);
                      }).value();
  const ir::Function& f = kernel.module.functions.front();
  const ir::Operation& loop = only(kernel, ir::Op::for_);
  const std::vector<ir::OpId>& body = f[loop.regions[0]].ops;
  ASSERT_EQ(body.size(), 4U) << ir::print(kernel.module);
  EXPECT_EQ(f[body[0]].op, ir::Op::load_view_tko);
  EXPECT_EQ(f[body[1]].op, ir::Op::load_view_tko);
  EXPECT_EQ(f[body[2]].op, ir::Op::mmaf);
  EXPECT_EQ(f[body[3]].op, ir::Op::continue_);
  EXPECT_EQ(loop.results.size(), 1U) << "only the accumulator is carried";
  EXPECT_EQ(count(kernel, ir::Op::assert_), 0) << "no check is left in the kernel";
}

TEST(Trace, TheWalkOfAPersistentProductCarriesOneToken) {
  const auto kernel =
      trace_with<MappedOut<bf16, 128, 256>, Matrix, Matrix>([](auto c, auto a, auto b) {
        detail::trace_body(kernels::gemm_persistent, c, a, b, constant<32>, constant<8>);
      }).value();
  EXPECT_EQ(count(kernel, ir::Op::for_), 2);
  EXPECT_EQ(count(kernel, ir::Op::assert_), 0);
  EXPECT_THAT(ir::print(kernel.module), HasSubstr("-> (token) {"));
}

TEST(Trace, WhatALoopDoesNotChangeIsNotCarried) {
  const auto kernel = trace_with<Out<float, 8>>([](auto y) {
                        auto constant_tile = y.load();
                        auto sum = zeros<float>(shape<8>);
                        auto swapped = ones<float>(shape<8>);
                        for (auto i : range(10)) {
                          auto local = constant_tile * cast<float>(i);
                          sum += local;
                          auto same = swapped;
                          swapped = same;
                        }
                        y.store(sum + swapped);
                      }).value();
  EXPECT_EQ(only(kernel, ir::Op::for_).results.size(), 1U) << ir::print(kernel.module);
}

TEST(Trace, ABranchGivesOnlyWhatItAssigns) {
  const auto kernel = trace_with<Out<float, 8>, Tile<float>>([](auto y, auto limit) {
                        auto a = zeros<float>(shape<8>), b = ones<float>(shape<8>), c = a;
                        if_(limit > 0, [&] { a = b * 2; }, [&] { c = Tile<float, 8>(c); });
                        y.store(a + b + c);
                      }).value();
  EXPECT_EQ(only(kernel, ir::Op::if_).results.size(), 1U) << ir::print(kernel.module);
}

TEST(Trace, UnusedWorkIsDropped) {
  const auto kernel = trace_with<Out<float, 8>>([](auto y) {
                        static_cast<void>(exp(y.load()) * 2);
                        static_cast<void>(sum(ones<float>(shape<8>)));
                        y.store(zeros<float>(shape<8>));
                      }).value();
  EXPECT_EQ(count(kernel, ir::Op::exp), 0);
  EXPECT_EQ(count(kernel, ir::Op::reduce), 0);
}

TEST(Trace, InputsNeedNoTokensAndOutputsAreOrdered) {
  const auto kernel = trace_with<Out<float, 8>, In<float, dyn>>([](auto y, auto x) {
                        y.store(y.load() + x.load_like(y));
                        y.store(y.load() * 2);
                      }).value();
  const std::string text = ir::print(kernel.module);
  EXPECT_EQ(count(kernel, ir::Op::make_token), 1);
  const ir::Function& f = kernel.module.functions.front();
  int ordered = 0, free = 0;
  ir::ValueId last{};
  for (const ir::OpId id : f[f.body].ops) {
    const ir::Operation& op = f[id];
    const bool load = op.op == ir::Op::load_view_tko, store = op.op == ir::Op::store_view_tko;
    if (!load && !store) continue;
    const ir::ValueId token = ir::operand(op, load ? 2 : 3);
    if (!token.valid()) {
      ++free;
      continue;
    }
    if (ordered++ > 0) {
      EXPECT_EQ(token, last) << text;
    }
    last = op.results.back();
  }
  EXPECT_EQ(free, 1);
  EXPECT_EQ(ordered, 4);
}

TEST(Checks, EachIndexIsDecidedByTheFirstRungThatHolds) {
  const auto kernel =
      trace_with<Out<float, 8>, In<float, dyn>, In<float, dyn>, Tile<std::int32_t>>([](auto y,
                                                                                       auto x,
                                                                                       auto z,
                                                                                       auto n) {
        auto tiles = x.tiles(shape<8>);
        auto others = z.tiles(shape<16>);
        auto acc = zeros<float>(shape<8>);
        for (auto i : tiles.indices(axis<0>)) acc += tiles.load(i);       // its own axis: nothing
        for (auto i : tiles.indices(axis<0>)) acc += sum(others.load(i)); // another's: launch
        acc += tiles.load(3);                                             // a constant: launch
        acc += tiles.load(y.index(0));                                    // the grid: launch
        for (auto i : range(n)) acc += tiles.load(i);                     // an argument: launch
        for (auto i : range(-1, n)) acc += tiles.load(i);                 // may be negative: kernel
        acc += tiles.load(n);                                             // unknown: kernel
        y.store(acc);
      }).value();
  EXPECT_EQ(count(kernel, ir::Op::assert_), 2) << ir::print(kernel.module);
  std::vector<Bound::Kind> kinds;
  for (const trace::LaunchCheck& check : kernel.checks) {
    kinds.push_back(check.bound.kind);
    EXPECT_EQ(check.limit, check.bound.kind == Bound::Kind::tiles
                               ? (trace::TileCount{.arg = 2, .axis = 0, .tile = 16})
                               : (trace::TileCount{.arg = 1, .axis = 0, .tile = 8}));
    if (check.bound.kind == Bound::Kind::constant) {
      EXPECT_EQ(check.bound.value, 4);
    }
  }
  EXPECT_THAT(kinds, testing::UnorderedElementsAre(Bound::Kind::tiles, Bound::Kind::constant,
                                                   Bound::Kind::grid, Bound::Kind::scalar));
}

TEST(Trace, PlacesReachTheOperations) {
  const auto kernel = trace_with<Out<float, 8>>([](auto y) { y.store(y.load() * 3.0F); }).value();
  const ir::Operation& product = only(kernel, ir::Op::mulf);
  EXPECT_THAT(product.loc.file, HasSubstr("trace_test.cpp"));
  EXPECT_EQ(product.loc.line, static_cast<std::uint32_t>(__LINE__ - 3));
}

TEST(Trace, WideTensorsTakeTheirExtentsAs64Bits) {
  std::vector<trace::ArgSpec> specs{
      Spec<Out<float, 8>>::make({.aligned16 = 1, .wide = 1, .unit_strides = 1})};
  trace::Trace t("wide", SourceLoc::current(), specs, {});
  Out<float, 8>(t.tensor(0)).store(zeros<float>(shape<8>));
  const auto kernel = t.finish().value();
  ASSERT_EQ(kernel.params.size(), 2U);
  EXPECT_EQ(kernel.params[1].bytes, 8);
  EXPECT_THAT(ir::print(kernel.module), HasSubstr("%arg1: tile<i64>"));
}

} // namespace
} // namespace cutile::test
