#include "rejection.hpp"

namespace cutile::testing {
namespace {

std::vector<Rejection> type_rules() {
  const auto with_type = [](std::function<void(Kernel&)> intern) { return intern; };
  return {
      {"extent_not_a_power", "power of two, which 3 is not",
       [](Kernel& k) { k.op(Op::iota, {}, "tile<3xi32>"); }},
      {"extent_zero", "power of two, which 0 is not",
       [](Kernel& k) { k.op(Op::iota, {}, "tile<0xi32>"); }},
      {"too_many_elements", "at most 16777216 elements",
       [](Kernel& k) { k.c("tile<8192x4096xi8>"); }},
      {"odd_4_bit_tile", "4-bit elements holds pairs", [](Kernel& k) { k.c("tile<f4E2M1FN>"); }},
      {"tile_of_tiles", "numbers or pointers as elements",
       with_type([](Kernel& k) { k.m.types.tile(k.t("tile<f32>")); }), true},
      {"pointer_to_pointer", "points at a number",
       with_type([](Kernel& k) { k.t("ptr<ptr<f32>>"); }), true},
      {"stride_count", "one stride for each extent", [](Kernel& k) { k.tensor({16, 64}, {1}); }},
      {"zero_extent", "must be positive", [](Kernel& k) { k.tensor({0, 64}, {64, 1}); }},
      {"zero_stride", "must be positive", [](Kernel& k) { k.tensor({16, 64}, {0, 1}); }},
      {"view_rank", "one tile extent for each axis",
       [](Kernel& k) {
         view_of(k, {.kind = TypeKind::partition_view, .shape = {4}, .dim_map = {0}});
       }},
      {"view_extent", "power of two, which 3 is not",
       [](Kernel& k) {
         view_of(k, {.kind = TypeKind::partition_view, .shape = {3, 4}, .dim_map = {0, 1}});
       }},
      {"dim_map_repeats", "name every axis",
       [](Kernel& k) {
         view_of(k, {.kind = TypeKind::partition_view, .shape = {4, 4}, .dim_map = {0, 0}});
       }},
      {"integer_padding", "only floats can be padded",
       [](Kernel& k) {
         const std::vector<std::int64_t> shape{16}, one{1}, tile{4};
         const TypeId tensor = k.m.types.tensor_view(k.t("i32"), shape, one);
         const OpId t = k.ops(Op::make_tensor_view, {{k.ints}, {}, {}}, {tensor});
         k.ops(Op::make_partition_view, {{k.result(t)}},
               {k.m.types.partition_view(tensor, tile, Padding::nan)});
       }},
      {"sparse_axis", "sparse axis does not exist",
       [](Kernel& k) {
         view_of(k, {.kind = TypeKind::gather_scatter_view, .shape = {4, 8}, .sparse_dim = 2},
                 Op::make_gather_scatter_view);
       }},
      {"traversal_strides", "one positive traversal stride",
       [](Kernel& k) {
         view_of(k,
                 {.kind = TypeKind::strided_view,
                  .shape = {4, 8},
                  .strides = {0, 1},
                  .dim_map = {0, 1}},
                 Op::make_strided_view);
       }},
      {"constant_size", "has 8 bytes, where one element has 4 and all have 16",
       [](Kernel& k) { k.list("tile<4xi32>", std::vector<std::uint8_t>(8)); }},
      {"constant_of_i4", "cannot be written as literals", [](Kernel& k) { k.c("tile<8xi4>"); }},
      {"constant_i1_of_2", "an i1 is 0 or 1", [](Kernel& k) { k.c("tile<i1>", 2); }, true},
      {"constant_f4_of_16", "has four bits", [](Kernel& k) { k.c("tile<2xf4E2M1FN>", 16); }, true},
      {"constant_tf32_of_32_bits", "13 bits of a tf32", [](Kernel& k) { k.c("tile<tf32>", 1); },
       true},
  };
}

std::vector<Rejection> module_rules() {
  const auto global = [](Kernel& k, std::string name, std::string_view type,
                         std::uint64_t alignment = 0) {
    const TypeId id = k.t(type);
    const auto size = static_cast<std::size_t>(storage_bytes(k.m.types.element_kind(id)));
    k.m.globals.push_back({.name = std::move(name),
                           .value = k.m.intern({.type = id, .data = std::vector<std::byte>(size)}),
                           .alignment = alignment});
  };
  const auto hint = [](std::string arch, std::string key, Hints::Value value) {
    return [=](Kernel& k) {
      k.b.function().hints = {.entries = {{.arch = arch, .values = {{key, value}}}}};
    };
  };
  return {
      {"global_rank", "must be a tile of rank 1",
       [=](Kernel& k) { global(k, "g", "tile<2x2xi32>"); }},
      {"global_twice", "'g' is defined twice",
       [=](Kernel& k) {
         global(k, "g", "tile<2xi32>");
         global(k, "g", "tile<2xi32>");
       }},
      {"global_named_as_the_entry", "'k' is defined twice",
       [=](Kernel& k) { global(k, "k", "tile<2xi32>"); }},
      {"global_alignment", "alignment must be a power of two",
       [=](Kernel& k) { global(k, "g", "tile<2xi32>", 3); }, true},
      {"global_missing", "there is no global 'h'",
       [](Kernel& k) { k.op(Op::get_global, {}, "tile<ptr<i32>>", {{"name", std::string("h")}}); }},
      {"global_of_another_type", "holds another type",
       [=](Kernel& k) {
         global(k, "g", "tile<2xi32>");
         k.op(Op::get_global, {}, "tile<ptr<f32>>", {{"name", std::string("g")}});
       }},
      {"parameter_with_extents", "a parameter must be a number or a pointer",
       [](Kernel& k) { k.b.add_argument(k.b.function().body, k.t("tile<4xf32>")); }},
      {"hint_key", "there is no hint speed for entry", hint("sm_90", "speed", 1), true},
      {"hint_arch", "not for 'hopper'", hint("hopper", "occupancy", 1), true},
      {"hint_occupancy", "occupancy is 1 to 32", hint("sm_90", "occupancy", 33), true},
      {"hint_ctas", "power of two up to 16", hint("sm_100", "num_cta_in_cga", 3), true},
      {"hint_ctas_before_hopper", "num_cta_in_cga is 1 on sm_86",
       hint("sm_86", "num_cta_in_cga", 2), true},
      {"hint_warps", "power of two up to 32", hint("default", "num_worker_warps_per_cta", 64),
       true},
      {"hint_latency", "latency is 1 to 10",
       [](Kernel& k) {
         const Hints hints{.entries = {{.arch = "sm_90", .values = {{"latency", 11}}}}};
         k.ops(Op::load_ptr_tko, {{k.floats}, {}, {}, {}}, k.ts({"tile<f32>", "token"}),
               {weak, {"optimization_hints", hints}});
       },
       true},
      {"hint_tma_on_pointers", "there is no hint allow_tma",
       [](Kernel& k) {
         const Hints hints{.entries = {{.arch = "sm_90", .values = {{"allow_tma", true}}}}};
         k.ops(Op::load_ptr_tko, {{k.floats}, {}, {}, {}}, k.ts({"tile<f32>", "token"}),
               {weak, {"optimization_hints", hints}});
       },
       true},
  };
}

std::vector<Rejection> table_rules() {
  return {
      {"operand_type", "lhs must be a tile of f16, bf16, f32 or f64, not tile<i32>",
       [](Kernel& k) { k.op(Op::addf, {k.n, k.n}, "tile<i32>"); }},
      {"operand_rank", "step must have rank 0",
       [](Kernel& k) {
         const OpId op = k.ops(Op::for_, {{k.n}, {k.n}, {k.c("tile<2xi32>")}, {}}, {});
         body(k, op, k.ts({"tile<i32>"}), Op::continue_);
       }},
      {"result_type", "result must be a tile of i1",
       [](Kernel& k) {
         k.op(Op::cmpi, {k.n, k.n}, "tile<i32>",
              {named("comparison_predicate", Comparison::equal), as_signed});
       }},
      {"same_type", "must have one type, not tile<f16> and tile<f32>",
       [](Kernel& k) { k.op(Op::addf, {k.c("tile<f16>"), k.x}, "tile<f32>"); }},
      {"one_shape", "must have one shape",
       [](Kernel& k) { k.op(Op::itof, {k.c("tile<4xi32>")}, "tile<8xf32>", {as_signed}); }},
      {"operand_missing", "needs one operand rhs, not 0",
       [](Kernel& k) { k.ops(Op::addi, {{k.n}, {}}, k.ts({"tile<i32>"})); }},
      {"two_masks", "needs one operand mask, not 2",
       [](Kernel& k) {
         const ValueId c = k.c("tile<i1>");
         k.ops(Op::load_ptr_tko, {{k.floats}, {c, c}, {}, {}}, k.ts({"tile<f32>", "token"}),
               {weak});
       },
       true},
      {"result_missing", "has 2 results, not 1",
       [](Kernel& k) {
         k.ops(Op::load_ptr_tko, {{k.floats}, {}, {}, {}}, k.ts({"tile<f32>"}), {weak});
       }},
      {"regions_missing", "has 1 regions, not 0", [](Kernel& k) { for_op(k); }},
      {"container_inside", "cannot stand inside an entry",
       [](Kernel& k) { k.ops(Op::module, {}, {}, {{"sym_name", std::string("m")}}); }, true},
      {"attribute_missing", "attribute signedness is missing",
       [](Kernel& k) { k.op(Op::divi, {k.n, k.n}, "tile<i32>"); }, true},
      {"attribute_kind", "attribute signedness has the wrong kind",
       [](Kernel& k) { k.op(Op::divi, {k.n, k.n}, "tile<i32>", {{"signedness", true}}); }, true},
      {"enumeration_value", "attribute comparison_predicate has no value 9",
       [](Kernel& k) {
         k.op(Op::cmpi, {k.n, k.n}, "tile<i1>",
              {{"comparison_predicate", std::int64_t{9}}, as_signed});
       }},
      {"rounding_of_addf", "attribute rounding_mode cannot be full here",
       [](Kernel& k) { k.op(Op::addf, {k.x, k.x}, "tile<f32>", {rounding(RoundingMode::full)}); }},
      {"rounding_of_sqrt", "cannot be full here",
       [](Kernel& k) { k.op(Op::sqrt, {k.x}, "tile<f32>", {rounding(RoundingMode::full)}); }},
      {"rounding_of_exp", "cannot be zero here",
       [](Kernel& k) { k.op(Op::exp, {k.x}, "tile<f32>", {rounding(RoundingMode::zero)}); }},
      {"rounding_of_tanh", "cannot be zero here",
       [](Kernel& k) { k.op(Op::tanh, {k.x}, "tile<f32>", {rounding(RoundingMode::zero)}); }, true},
      {"rounding_of_itof", "cannot be zero here",
       [](Kernel& k) {
         k.op(Op::itof, {k.n}, "tile<f32>", {as_signed, rounding(RoundingMode::zero)});
       }},
      {"rounding_of_ftoi", "cannot be zero here",
       [](Kernel& k) {
         k.op(Op::ftoi, {k.x}, "tile<i32>", {as_signed, rounding(RoundingMode::zero)});
       }},
      {"rounding_of_divi", "cannot be nearest_even here",
       [](Kernel& k) {
         k.op(Op::divi, {k.n, k.n}, "tile<i32>",
              {as_signed, named("rounding", RoundingMode::nearest_even)});
       }},
      {"floor_of_unsigned", "negative_inf is for signed",
       [](Kernel& k) {
         k.op(Op::divi, {k.n, k.n}, "tile<i32>",
              {as_unsigned, named("rounding", RoundingMode::negative_inf)});
       }},
      {"approx_of_f16", "rounding approx is for f32",
       [](Kernel& k) {
         k.op(Op::divf, {k.c("tile<f16>"), k.c("tile<f16>")}, "tile<f16>",
              {rounding(RoundingMode::approx)});
       }},
      {"full_of_f64", "rounding full is for f32",
       [](Kernel& k) {
         k.op(Op::divf, {k.c("tile<f64>"), k.c("tile<f64>")}, "tile<f64>",
              {rounding(RoundingMode::full)});
       }},
      {"approx_exp_of_f16", "rounding approx is for f32",
       [](Kernel& k) {
         k.op(Op::exp, {k.c("tile<f16>")}, "tile<f16>", {rounding(RoundingMode::approx)});
       }},
      {"flush_of_f16", "flush_to_zero is for f32",
       [](Kernel& k) {
         k.op(Op::maxf, {k.c("tile<f16>"), k.c("tile<f16>")}, "tile<f16>",
              {{"flush_to_zero", true}});
       }},
      {"unsigned_negation", "overflow cannot be no_unsigned_wrap",
       [](Kernel& k) {
         k.op(Op::negi, {k.n}, "tile<i32>", {named("overflow", IntegerOverflow::no_unsigned_wrap)});
       }},
  };
}

class BadTypes : public Rejects {};
INSTANTIATE_TEST_SUITE_P(Verifier, BadTypes,
                         ::testing::ValuesIn(joined({type_rules(), module_rules(), table_rules()})),
                         [](const auto& info) { return info.param.name; });
TEST_P(BadTypes, AreRefusedWithAMessage) { check_message(); }
TEST_P(BadTypes, AreRefusedByTheTools) { check_tool(); }

TEST(Verifier, PointsAtTheSourceLine) {
  Module m;
  Kernel k(m, "k");
  k.b.emit(Op::iota, {}, k.ts({"tile<4x4xi32>"}), {}, SourceLoc{"kernel.cpp", 12});
  k.end(Op::return_);
  const auto found = verify(m);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "iota: the result must have rank 1");
  EXPECT_EQ(found[0].loc, (SourceLoc{"kernel.cpp", 12}));
}

} // namespace
} // namespace cutile::testing
