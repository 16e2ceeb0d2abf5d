#include "rejection.hpp"

namespace cutile::testing {
namespace {

std::vector<Rejection> memory_rules() {
  const auto load = [](Kernel& k, std::string_view result, std::initializer_list<Named> attributes,
                       const Builder::Group& mask = {}, const Builder::Group& padding = {}) {
    k.ops(Op::load_ptr_tko, {{k.floats}, mask, padding, {}}, k.ts({result, "token"}), attributes);
  };
  const auto load_view = [](Kernel& k, ValueId view, const Builder::Group& index,
                            std::string_view tile = "tile<4x8xf32>",
                            std::vector<bool> inbounds = {false, false}) {
    k.ops(Op::load_view_tko, {{view}, index, {}}, k.ts({tile, "token"}),
          {weak, {"inbounds", std::move(inbounds)}});
  };
  const auto tensor = [](Kernel& k, const Builder::Group& shape, const Builder::Group& strides,
                         std::string_view element = "f32") {
    const std::vector<std::int64_t> unknown{dynamic, dynamic};
    k.ops(Op::make_tensor_view, {{k.floats}, shape, strides},
          {k.m.types.tensor_view(k.t(element), unknown, unknown)});
  };
  const auto red = [](Kernel& k, ValueId view, std::string_view tile,
                      std::initializer_list<Named> attributes) {
    k.ops(Op::atomic_red_view_tko, {{view}, {k.n, k.n}, {k.c(tile)}, {}}, k.ts({"token"}),
          attributes);
  };
  const Named addf = named("mode", AtomicMode::addf);
  const Type gather{.kind = TypeKind::gather_scatter_view, .shape = {4, 8}, .sparse_dim = 0};
  const auto multimem = [](Kernel& k, ValueId view, std::string_view tile) {
    k.ops(Op::multimem_store_view_tko, {{view}, {k.c(tile)}, {k.n, k.n}, {}}, k.ts({"token"}),
          {weak});
  };
  return {
      {"load_pointee", "point at another type", [=](Kernel& k) { load(k, "tile<i32>", {weak}); }},
      {"load_shape", "pointers and values must have one shape",
       [=](Kernel& k) { load(k, "tile<4xf32>", {weak}); }},
      {"load_mask", "shape of the pointers",
       [=](Kernel& k) { load(k, "tile<f32>", {weak}, {k.c("tile<4xi1>")}); }},
      {"load_padding", "type of the result",
       [=](Kernel& k) { load(k, "tile<f32>", {weak}, {k.c("tile<i1>")}, {k.c("tile<f16>")}); }},
      {"weak_with_scope", "a weak access has no scope",
       [=](Kernel& k) { load(k, "tile<f32>", {weak, device}); }},
      {"relaxed_without_scope", "needs a scope",
       [=](Kernel& k) { load(k, "tile<f32>", {relaxed}); }},
      {"load_release", "cannot be release here",
       [=](Kernel& k) {
         load(k, "tile<f32>",
              {named("memory_ordering_semantics", MemoryOrdering::release), device});
       }},
      {"store_acquire", "cannot be acquire here",
       [](Kernel& k) {
         k.ops(Op::store_ptr_tko, {{k.floats}, {k.x}, {}, {}}, k.ts({"token"}),
               {named("memory_ordering_semantics", MemoryOrdering::acquire), device});
       }},
      {"store_pointee", "point at another type",
       [](Kernel& k) {
         k.ops(Op::store_ptr_tko, {{k.floats}, {k.n}, {}, {}}, k.ts({"token"}), {weak});
       }},
      {"atomic_weak", "cannot be weak here",
       [](Kernel& k) {
         k.ops(Op::atomic_rmw_tko, {{k.floats}, {k.x}, {}, {}}, k.ts({"tile<f32>", "token"}),
               {weak, device, named("mode", AtomicMode::addf)});
       }},
      {"atomic_add_of_f32", "add is for i32 and i64",
       [](Kernel& k) { atomic(k, "f32", AtomicMode::add); }},
      {"atomic_addf_of_i32", "addf is for f16",
       [](Kernel& k) { atomic(k, "i32", AtomicMode::addf); }},
      {"atomic_xchg_of_i8", "32 or 64 bits", [](Kernel& k) { atomic(k, "i8", AtomicMode::xchg); }},
      {"atomic_cas_of_i16", "32 or 64 bits",
       [](Kernel& k) {
         const ValueId v = k.c("tile<i16>");
         k.ops(Op::atomic_cas_tko, {{k.pointers("i16", "", 0)}, {v}, {v}, {}, {}},
               k.ts({"tile<i16>", "token"}), {relaxed, device});
       }},
      {"offset_result", "one type",
       [](Kernel& k) { k.op(Op::offset, {k.floats, k.n}, "tile<ptr<i32>>"); }},
      {"one_token", "at least two",
       [](Kernel& k) { k.ops(Op::join_tokens, {{k.token()}}, k.ts({"token"})); }},
      {"extents_missing", "one operand for each dynamic extent",
       [=](Kernel& k) { tensor(k, {k.n}, {k.n, k.n}); }},
      {"strides_missing", "one operand for each dynamic stride",
       [=](Kernel& k) { tensor(k, {k.n, k.n}, {k.n}); }},
      {"extent_types", "extents and strides must have one type",
       [=](Kernel& k) { tensor(k, {k.n, k.c("tile<i64>")}, {k.n, k.n}); }},
      {"tensor_pointee", "points at another type",
       [=](Kernel& k) { tensor(k, {k.n, k.n}, {k.n, k.n}, "f16"); }},
      {"view_of_another_tensor", "over another tensor_view",
       [](Kernel& k) {
         const ValueId a = k.tensor({16}, {1}), b = k.tensor({32}, {1});
         const std::vector<std::int64_t> tile{4};
         k.ops(Op::make_partition_view, {{a}}, {k.m.types.partition_view(k.b.type(b), tile)});
       }},
      {"shape_results", "one result for each axis",
       [](Kernel& k) { k.ops(Op::get_index_space_shape, {{partition(k)}}, k.ts({"tile<i32>"})); }},
      {"shape_result_types", "all results must have one type",
       [](Kernel& k) {
         k.ops(Op::get_index_space_shape, {{partition(k)}}, k.ts({"tile<i32>", "tile<i64>"}));
       },
       true},
      {"index_count", "a view of rank 2 needs 2 indices, not 1",
       [=](Kernel& k) { load_view(k, partition(k), {k.n}); }},
      {"index_types", "one element type",
       [=](Kernel& k) { load_view(k, partition(k), {k.n, k.c("tile<i64>")}); }},
      {"index_rank", "an index must have rank 0",
       [=](Kernel& k) { load_view(k, partition(k), {k.n, k.c("tile<2xi32>")}); }},
      {"sparse_index", "as long as the view's tile",
       [=](Kernel& k) {
         load_view(k, view_of(k, gather, Op::make_gather_scatter_view), {k.c("tile<8xi32>"), k.n});
       }},
      {"view_tile", "shape and element of the view's tiles",
       [=](Kernel& k) { load_view(k, partition(k), {k.n, k.n}, "tile<8x4xf32>"); }},
      {"inbounds_count", "one value for each index",
       [=](Kernel& k) { load_view(k, partition(k), {k.n, k.n}, "tile<4x8xf32>", {true}); }},
      {"atomic_view_order", "cannot be acquire here",
       [=](Kernel& k) {
         red(k, partition(k), "tile<4x8xf32>",
             {named("memory_ordering_semantics", MemoryOrdering::acquire), device, addf});
       }},
      {"atomic_view_scope", "cannot be sys here",
       [=](Kernel& k) {
         red(k, partition(k), "tile<4x8xf32>",
             {relaxed, named("memory_scope", MemoryScope::sys), addf});
       }},
      {"atomic_view_xchg", "cannot be xchg here",
       [=](Kernel& k) {
         red(k, partition(k), "tile<4x8xf32>", {relaxed, device, named("mode", AtomicMode::xchg)});
       }},
      {"atomic_view_padding", "a view with padding",
       [=](Kernel& k) {
         red(k,
             view_of(k, {.kind = TypeKind::partition_view,
                         .shape = {4, 8},
                         .dim_map = {0, 1},
                         .padding = Padding::zero}),
             "tile<4x8xf32>", {relaxed, device, addf});
       },
       true},
      {"atomic_view_gather", "gather_scatter_views cannot",
       [=](Kernel& k) {
         red(k, view_of(k, gather, Op::make_gather_scatter_view), "tile<4x8xf32>",
             {relaxed, device, addf});
       }},
      {"atomic_view_value", "shape and element of the view's tiles",
       [=](Kernel& k) { red(k, partition(k), "tile<8x8xf32>", {relaxed, device, addf}); }},
      {"multimem_of_plain_memory", "over multicast memory",
       [=](Kernel& k) { multimem(k, partition(k), "tile<4x8xf32>"); }},
      {"multimem_of_strided_view", "only partition_views",
       [=](Kernel& k) {
         multimem(k,
                  view_of(k,
                          {.kind = TypeKind::strided_view,
                           .shape = {4, 8},
                           .strides = {1, 1},
                           .dim_map = {0, 1}},
                          Op::make_strided_view),
                  "tile<4x8xf32>");
       }},
      {"alloca_count", "number of elements must be positive",
       [](Kernel& k) {
         k.op(Op::alloca, {}, "tile<ptr<f32>>",
              {{"num_elem", std::int64_t{0}}, {"alignment", std::int64_t{4}}});
       },
       true},
      {"alloca_alignment", "alignment must be a power of two",
       [](Kernel& k) {
         k.op(Op::alloca, {}, "tile<ptr<f32>>",
              {{"num_elem", std::int64_t{4}}, {"alignment", std::int64_t{2}}});
       }},
      {"print_count", "the format has 2 conversions for 1 values",
       [](Kernel& k) {
         k.ops(Op::print_tko, {{k.n}, {}}, k.ts({"token"}), {{"str", std::string("%d %d")}});
       }},
      {"print_unfinished", "ends within a conversion",
       [](Kernel& k) {
         k.ops(Op::print_tko, {{k.n}, {}}, k.ts({"token"}), {{"str", std::string("%d %")}});
       }},
  };
}

std::vector<Rejection> assume_rules() {
  return {
      {"divisor", "power of two up to 2^62",
       [](Kernel& k) { assume(k, k.n, DivBy{.divisor = 3, .every_along = {}}); }},
      {"divisor_of_a_float", "div_by is for",
       [](Kernel& k) { assume(k, k.x, DivBy{.divisor = 4, .every_along = {}}); }},
      {"divisor_along", "axis after along",
       [](Kernel& k) {
         assume(k, k.c("tile<4xi32>"),
                DivBy{.divisor = 4, .every_along = std::pair{std::int64_t{1}, std::int64_t{1}}});
       }},
      {"divisor_every", "every is at most",
       [](Kernel& k) {
         assume(k, k.c("tile<4xi32>"),
                DivBy{.divisor = 4, .every_along = std::pair{std::int64_t{8}, std::int64_t{0}}});
       }},
      {"divisor_every_of_a_tensor", "every and along are for tiles",
       [](Kernel& k) {
         assume(k, k.tensor({16}, {1}),
                DivBy{.divisor = 4, .every_along = std::pair{std::int64_t{1}, std::int64_t{0}}});
       }},
      {"same_elements_count", "one number for each axis",
       [](Kernel& k) { assume(k, k.c("tile<4xi32>"), SameElements{.group = {1, 1}}); }},
      {"same_elements_extent", "at most the extent",
       [](Kernel& k) { assume(k, k.c("tile<4xi32>"), SameElements{.group = {8}}); }},
      {"same_elements_of_floats", "same_elements is for",
       [](Kernel& k) { assume(k, k.c("tile<4xf32>"), SameElements{.group = {1}}); }},
      {"bounds_order", "lower bound is above",
       [](Kernel& k) { assume(k, k.n, Bounded{.lower = 2, .upper = 1}); }},
      {"bounds_range", "does not fit",
       [](Kernel& k) { assume(k, k.c("tile<i8>"), Bounded{.lower = {}, .upper = 128}); }},
      {"bounds_of_a_float", "bounded is for",
       [](Kernel& k) { assume(k, k.x, Bounded{.lower = 0, .upper = {}}); }},
  };
}

class BadAccesses : public Rejects {};
INSTANTIATE_TEST_SUITE_P(Verifier, BadAccesses,
                         ::testing::ValuesIn(joined({memory_rules(), assume_rules()})),
                         [](const auto& info) { return info.param.name; });
TEST_P(BadAccesses, AreRefusedWithAMessage) { check_message(); }
TEST_P(BadAccesses, AreRefusedByTheTools) { check_tool(); }

} // namespace
} // namespace cutile::testing
