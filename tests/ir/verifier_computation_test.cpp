#include "rejection.hpp"

namespace cutile::testing {
namespace {

std::vector<Rejection> computation_rules() {
  const auto i32s = [](std::string_view t) { return t; };
  return {
      {"widening_trunci", "must be narrower",
       [](Kernel& k) { k.op(Op::trunci, {k.n}, "tile<i64>"); }},
      {"narrowing_exti", "must be wider",
       [](Kernel& k) { k.op(Op::exti, {k.n}, "tile<i32>", {as_signed}); }},
      {"ftof_to_itself", "element types must differ",
       [](Kernel& k) { k.op(Op::ftof, {k.x}, "tile<f32>"); }},
      {"ftof_rounding", "nearest_even but for",
       [](Kernel& k) { k.op(Op::ftof, {k.x}, "tile<f16>", {rounding(RoundingMode::zero)}); }, true},
      {"ftof_rounding_of_scales", "zero or positive_inf",
       [](Kernel& k) { k.op(Op::ftof, {k.x}, "tile<f8E8M0FNU>"); }},
      {"itof_to_scales", "cannot become f8E8M0FNU",
       [](Kernel& k) { k.op(Op::itof, {k.n}, "tile<f8E8M0FNU>", {as_signed}); }},
      {"bitcast_width", "same width", [](Kernel& k) { k.op(Op::bitcast, {k.n}, "tile<f16>"); }},
      {"fpowi_exponent", "at most 32 bits",
       [](Kernel& k) { k.op(Op::fpowi, {k.x, k.c("tile<i64>")}, "tile<f32>"); }},
      {"fpowi_result", "source and result",
       [](Kernel& k) { k.op(Op::fpowi, {k.x, k.n}, "tile<f16>"); }},
      {"pack_rank", "must have rank 1",
       [](Kernel& k) { k.op(Op::pack, {k.c("tile<2x2xf32>")}, "tile<16xi8>"); }},
      {"pack_size", "same size in bytes",
       [](Kernel& k) { k.op(Op::pack, {k.c("tile<4xf32>")}, "tile<8xi8>"); }},
      {"pack_width", "differ in width",
       [](Kernel& k) { k.op(Op::pack, {k.c("tile<4xf8E5M2>")}, "tile<4xi8>"); }},
      {"iota_rank", "rank 1", [](Kernel& k) { k.op(Op::iota, {}, "tile<4x4xi32>"); }},
      {"iota_limit", "do not fit", [](Kernel& k) { k.op(Op::iota, {}, "tile<512xi8>"); }},
      {"constant_type", "another type than the result",
       [](Kernel& k) {
         const ConstantId c =
             k.m.intern({.type = k.t("tile<i32>"), .data = std::vector<std::byte>(4)});
         k.op(Op::constant, {}, "tile<2xi32>", {{"value", c}});
       },
       true},
      {"reshape_count", "4 elements cannot become 8",
       [](Kernel& k) { k.op(Op::reshape, {k.c("tile<4xi32>")}, "tile<8xi32>"); }},
      {"reshape_element", "element type must stay",
       [](Kernel& k) { k.op(Op::reshape, {k.c("tile<4xi32>")}, "tile<4xf32>"); }},
      {"broadcast_rank", "rank must stay",
       [](Kernel& k) { k.op(Op::broadcast, {k.n}, "tile<4xi32>"); }},
      {"broadcast_extent", "only axes of extent 1",
       [](Kernel& k) { k.op(Op::broadcast, {k.c("tile<2xi32>")}, "tile<4xi32>"); }},
      {"permute_rank", "rank must be at least 2",
       [](Kernel& k) {
         k.op(Op::permute, {k.c("tile<2xi32>")}, "tile<2xi32>",
              {{"permutation", std::vector<std::int32_t>{0}}});
       }},
      {"permute_repeats", "every axis once",
       [](Kernel& k) {
         k.op(Op::permute, {k.c("tile<2x2xi32>")}, "tile<2x2xi32>",
              {{"permutation", std::vector<std::int32_t>{0, 0}}});
       }},
      {"permute_shape", "wrong shape",
       [](Kernel& k) {
         k.op(Op::permute, {k.c("tile<2x4xi32>")}, "tile<2x4xi32>",
              {{"permutation", std::vector<std::int32_t>{1, 0}}});
       }},
      {"cat_axis", "axis does not exist",
       [](Kernel& k) {
         k.op(Op::cat, {k.c("tile<2xi32>"), k.c("tile<2xi32>")}, "tile<4xi32>",
              {{"dim", std::int64_t{1}}});
       }},
      {"cat_sum", "must be the sum",
       [](Kernel& k) {
         k.op(Op::cat, {k.c("tile<2xi32>"), k.c("tile<2xi32>")}, "tile<2xi32>",
              {{"dim", std::int64_t{0}}});
       }},
      {"extract_indices", "one index for each axis",
       [](Kernel& k) {
         k.ops(Op::extract, {{k.c("tile<4x4xi32>")}, {k.n}}, k.ts({"tile<2x2xi32>"}));
       }},
      {"extract_rank", "same rank",
       [](Kernel& k) {
         k.ops(Op::extract, {{k.c("tile<4x4xi32>")}, {k.n}}, k.ts({"tile<2xi32>"}));
       }},
      {"extract_extents", "must divide",
       [](Kernel& k) { k.ops(Op::extract, {{k.c("tile<4xi32>")}, {k.n}}, k.ts({"tile<8xi32>"})); }},
      {"insert_result", "destination's type",
       [](Kernel& k) {
         k.ops(Op::insert, {{k.c("tile<2xi32>")}, {k.c("tile<4xi32>")}, {k.n}},
               k.ts({"tile<8xi32>"}));
       }},
      {"select_types", "one type",
       [](Kernel& k) { k.op(Op::select, {k.c("tile<i1>"), k.n, k.c("tile<i64>")}, "tile<i32>"); },
       true},
      {"select_shapes", "one shape",
       [](Kernel& k) {
         k.op(Op::select, {k.c("tile<i1>"), k.c("tile<4xi32>"), k.c("tile<4xi32>")}, "tile<4xi32>");
       }},
      {"select_f4", "f4E2M1FN cannot",
       [](Kernel& k) {
         k.op(Op::select, {k.c("tile<2xi1>"), k.c("tile<2xf4E2M1FN>"), k.c("tile<2xf4E2M1FN>")},
              "tile<2xf4E2M1FN>");
       }},
      {"compare_types", "one type",
       [](Kernel& k) {
         k.op(Op::cmpi, {k.n, k.c("tile<i64>")}, "tile<i1>",
              {named("comparison_predicate", Comparison::equal), as_signed});
       }},
      {"mma_shapes", "M x K, K x N",
       [](Kernel& k) {
         k.op(Op::mmaf, {k.c("tile<16x16xf16>"), k.c("tile<8x16xf16>"), k.c("tile<16x16xf32>")},
              "tile<16x16xf32>");
       }},
      {"mma_rank", "must have rank 2",
       [](Kernel& k) {
         k.op(Op::mmaf, {k.c("tile<16xf16>"), k.c("tile<16xf16>"), k.c("tile<16xf32>")},
              "tile<16xf32>");
       }},
      {"mma_factors", "both factors",
       [](Kernel& k) {
         k.op(Op::mmaf, {k.c("tile<16x16xf16>"), k.c("tile<16x16xbf16>"), k.c("tile<16x16xf32>")},
              "tile<16x16xf32>");
       }},
      {"mma_accumulator", "bf16 does not accumulate in f16",
       [](Kernel& k) {
         k.op(Op::mmaf, {k.c("tile<16x16xbf16>"), k.c("tile<16x16xbf16>"), k.c("tile<16x16xf16>")},
              "tile<16x16xf16>");
       }},
      {"mma_result", "accumulator's type",
       [](Kernel& k) {
         k.op(Op::mmaf, {k.c("tile<16x16xf16>"), k.c("tile<16x16xf16>"), k.c("tile<16x16xf16>")},
              "tile<16x16xf32>");
       },
       true},
      {"scaled_block", "one scale is for 32",
       [](Kernel& k) {
         k.op(Op::mmaf_scaled,
              {k.c("tile<16x64xf8E5M2>"), k.c("tile<64x16xf8E5M2>"), k.c("tile<16x16xf32>"),
               k.c("tile<16x4xf8E8M0FNU>"), k.c("tile<4x16xf8E8M0FNU>")},
              "tile<16x16xf32>");
       }},
      {"scaled_shapes", "scales must be M x K/block",
       [](Kernel& k) {
         k.op(Op::mmaf_scaled,
              {k.c("tile<16x64xf8E5M2>"), k.c("tile<64x16xf8E5M2>"), k.c("tile<16x16xf32>"),
               k.c("tile<8x2xf8E8M0FNU>"), k.c("tile<2x16xf8E8M0FNU>")},
              "tile<16x16xf32>");
       }},
      {"scaled_types", "scales of f8E4M3FN are for",
       [](Kernel& k) {
         k.op(Op::mmaf_scaled,
              {k.c("tile<16x64xf8E5M2>"), k.c("tile<64x16xf8E5M2>"), k.c("tile<16x16xf32>"),
               k.c("tile<16x2xf8E4M3FN>"), k.c("tile<2x16xf8E4M3FN>")},
              "tile<16x16xf32>");
       }},
      {"reduce_axis", "axis does not exist",
       [](Kernel& k) {
         reduction(k, "tile<8xf32>", "tile<f32>", 1, TypeKind::f32, {"tile<f32>", "tile<f32>"},
                   [&](BlockId b) { return Builder::Group{k.arg(b, 0)}; });
       }},
      {"reduce_result", "without the axis",
       [](Kernel& k) {
         reduction(k, "tile<4x8xf32>", "tile<8xf32>", 1, TypeKind::f32, {"tile<f32>", "tile<f32>"},
                   [&](BlockId b) { return Builder::Group{k.arg(b, 0)}; });
       }},
      {"reduce_identity", "identity must have the operand's element type",
       [](Kernel& k) {
         reduction(k, "tile<8xf32>", "tile<f32>", 0, TypeKind::f64, {"tile<f32>", "tile<f32>"},
                   [&](BlockId b) { return Builder::Group{k.arg(b, 0)}; });
       }},
      {"reduce_arguments", "two values for each operand",
       [](Kernel& k) {
         reduction(k, "tile<8xf32>", "tile<f32>", 0, TypeKind::f32, {"tile<f32>"},
                   [&](BlockId b) { return Builder::Group{k.arg(b, 0)}; });
       }},
      {"reduce_argument_types", "numbers of the operands' element",
       [](Kernel& k) {
         reduction(k, "tile<8xf32>", "tile<f32>", 0, TypeKind::f32, {"tile<f16>", "tile<f16>"},
                   [&](BlockId b) { return Builder::Group{k.arg(b, 0)}; });
       }},
      {"reduce_yields", "must yield one value for each operand",
       [](Kernel& k) {
         reduction(k, "tile<8xf32>", "tile<f32>", 0, TypeKind::f32, {"tile<f32>", "tile<f32>"},
                   [&](BlockId) { return Builder::Group{}; });
       }},
      {"reduce_touches_memory", "may only compute",
       [](Kernel& k) {
         reduction(k, "tile<8xf32>", "tile<f32>", 0, TypeKind::f32, {"tile<f32>", "tile<f32>"},
                   [&](BlockId b) {
                     k.ops(Op::store_ptr_tko, {{k.floats}, {k.arg(b, 0)}, {}, {}}, k.ts({"token"}),
                           {weak});
                     return Builder::Group{k.arg(b, 0)};
                   });
       }},
      {"scan_result", "must have the operand's type",
       [=](Kernel& k) {
         const OpId op = k.ops(
             Op::scan, {{k.c(i32s("tile<8xi32>"))}}, k.ts({"tile<4xi32>"}),
             {{"dim", std::int64_t{0}}, {"identities", std::vector<Literal>{{k.t("i32"), 0}}}});
         const BlockId b = k.b.add_region(op, k.ts({"tile<i32>", "tile<i32>"}));
         const auto in = k.b.enter(b);
         k.end(Op::yield, {k.arg(b, 0)});
       }},
  };
}

std::vector<Rejection> control_rules() {
  return {
      {"use_before_definition", "used before it is defined",
       [](Kernel& k) {
         k.op(Op::addi, {k.n, k.n}, "tile<i32>");
         k.op(Op::addi, {k.n, k.n}, "tile<i32>");
         Function& f = k.b.function();
         std::vector<OpId>& ops = f[f.body].ops;
         f[ops[0]].operands[0] = f[ops[1]].results[0];
       }},
      {"use_outside_the_region", "outside the region",
       [](Kernel& k) {
         const OpId op = for_op(k);
         body(k, op, k.ts({"tile<i32>"}), Op::continue_);
         k.op(Op::addi, {k.arg(k.b.function()[op].regions[0], 0), k.n}, "tile<i32>");
       }},
      {"no_terminator", "does not end in a terminator",
       [](Kernel& k) {
         const OpId op = for_op(k);
         const auto in = k.b.enter(k.b.add_region(op, k.ts({"tile<i32>"})));
         k.token();
       }},
      {"after_the_terminator", "before the end of its region",
       [](Kernel& k) { k.end(Op::return_); }},
      {"yield_ends_for", "cannot end a region of for",
       [](Kernel& k) { body(k, for_op(k), k.ts({"tile<i32>"}), Op::yield); }},
      {"yield_ends_loop", "cannot end a region of loop",
       [](Kernel& k) { body(k, k.ops(Op::loop, {{}}, {}), {}, Op::yield); }},
      {"bounds_types", "bounds and step",
       [](Kernel& k) {
         body(k, k.ops(Op::for_, {{k.n}, {k.c("tile<i64>")}, {k.n}, {}}, {}), k.ts({"tile<i32>"}),
              Op::continue_);
       }},
      {"index_type", "the index, of the bounds' type",
       [](Kernel& k) { body(k, for_op(k), k.ts({"tile<i64>"}), Op::continue_); }},
      {"carried_types", "must have the same types",
       [](Kernel& k) {
         body(k, for_op(k, {k.x}, k.ts({"tile<f32>"})), k.ts({"tile<i32>", "tile<i32>"}),
              Op::continue_, {k.n});
       }},
      {"carried_view", "views cannot be carried",
       [](Kernel& k) {
         const ValueId t = k.tensor({16}, {1});
         body(k, for_op(k, {t}, {k.b.type(t)}), {k.t("tile<i32>"), k.b.type(t)}, Op::continue_,
              {t});
       }},
      {"loop_carried_types", "must have the same types",
       [](Kernel& k) { body(k, k.ops(Op::loop, {{k.x}}, {}), k.ts({"tile<i32>"}), Op::break_); }},
      {"loop_result_view", "views cannot be carried",
       [](Kernel& k) {
         const ValueId t = k.tensor({16}, {1});
         body(k, k.ops(Op::loop, {{}}, {k.b.type(t)}), {}, Op::break_, {t});
       }},
      {"if_result_view", "views cannot be results",
       [](Kernel& k) {
         const ValueId t = k.tensor({16}, {1});
         const OpId op = k.ops(Op::if_, {{k.c("tile<i1>")}}, {k.b.type(t)});
         body(k, op, {}, Op::yield, {t});
         body(k, op, {}, Op::yield, {t});
       }},
      {"if_yields", "differ in type from the results of the if",
       [](Kernel& k) { if_then(k, Op::yield, {k.x}); }},
      {"if_needs_else", "an if with results needs an else",
       [](Kernel& k) {
         const OpId op = k.ops(Op::if_, {{k.c("tile<i1>")}}, k.ts({"tile<f32>"}));
         body(k, op, {}, Op::yield, {k.x});
         k.b.function()[op].regions.push_back({});
       }},
      {"then_missing", "a region is missing",
       [](Kernel& k) {
         const OpId op = k.ops(Op::if_, {{k.c("tile<i1>")}}, {});
         k.b.function()[op].regions.assign(2, {});
       }},
      {"continue_values", "from those the loop carries",
       [](Kernel& k) {
         body(k, for_op(k, {k.x}, k.ts({"tile<f32>"})), k.ts({"tile<i32>", "tile<f32>"}),
              Op::continue_);
       }},
      {"break_values", "from the results of the loop",
       [](Kernel& k) { body(k, k.ops(Op::loop, {{}}, {}), {}, Op::break_, {k.x}); }},
      {"break_outside", "stands outside a loop", [](Kernel& k) { if_then(k, Op::break_); }},
      {"continue_outside", "stands outside a loop", [](Kernel& k) { if_then(k, Op::continue_); }},
      {"break_leaves_for", "cannot leave a for",
       [](Kernel& k) {
         const OpId op = for_op(k);
         const auto in = k.b.enter(k.b.add_region(op, k.ts({"tile<i32>"})));
         if_then(k, Op::break_);
         k.end(Op::continue_);
       }},
      {"return_leaves_for", "cannot leave a for",
       [](Kernel& k) {
         const OpId op = for_op(k);
         const auto in = k.b.enter(k.b.add_region(op, k.ts({"tile<i32>"})));
         if_then(k, Op::return_);
         k.end(Op::continue_);
       }},
      {"return_value", "an entry returns nothing",
       [](Kernel& k) { if_then(k, Op::return_, {k.x}); }},
  };
}

class BadComputations : public Rejects {};
INSTANTIATE_TEST_SUITE_P(Verifier, BadComputations,
                         ::testing::ValuesIn(joined({computation_rules(), control_rules()})),
                         [](const auto& info) { return info.param.name; });
TEST_P(BadComputations, AreRefusedWithAMessage) { check_message(); }
TEST_P(BadComputations, AreRefusedByTheTools) { check_tool(); }

} // namespace
} // namespace cutile::testing
