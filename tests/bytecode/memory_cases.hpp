#pragma once

#include "cases.hpp"

namespace cutile::testing {

inline Group pointer_cases() {
  using O = MemoryOrdering;
  const auto ordering = [](O o) { return Builder::Named{"memory_ordering_semantics", number(o)}; };
  const auto scope = [](MemoryScope s) { return Builder::Named{"memory_scope", number(s)}; };
  const auto fast = [](const char* arch) {
    return Hints{.entries = {{.arch = arch, .values = {{"latency", 4}}}}};
  };
  return {
      "pointer",
      {
          {"tokens", V13_1,
           [](Kernel& k) {
             const ValueId a = k.token(), b = k.token();
             k.ops(Op::join_tokens, {{a, b, a}}, k.ts({"token"}));
           }},
          {"loads", V13_1,
           [=](Kernel& k) {
             const ValueId p = k.pointers("f32", "8"), mask = k.c("tile<8xi1>"),
                           pad = k.c("tile<8xf32>", 0), t = k.token();
             const Types out = k.ts({"tile<8xf32>", "token"});
             k.ops(Op::load_ptr_tko, {{p}, {}, {}, {}}, out, {ordering(O::weak)});
             k.ops(Op::load_ptr_tko, {{p}, {mask}, {}, {t}}, out, {ordering(O::weak)});
             k.ops(Op::load_ptr_tko, {{p}, {mask}, {pad}, {}}, out, {ordering(O::weak)});
             k.ops(Op::load_ptr_tko, {{p}, {mask}, {pad}, {t}}, out,
                   {ordering(O::relaxed), scope(MemoryScope::device)});
             k.ops(Op::load_ptr_tko, {{p}, {}, {}, {t}}, out,
                   {ordering(O::acquire), scope(MemoryScope::sys)});
             k.ops(Op::load_ptr_tko, {{k.floats}, {}, {}, {t}}, k.ts({"tile<f32>", "token"}),
                   {ordering(O::weak), {"optimization_hints", fast("sm_100")}});
           }},
          {"stores", V13_1,
           [=](Kernel& k) {
             const ValueId p = k.pointers("f32", "8"), mask = k.c("tile<8xi1>"),
                           v = k.c("tile<8xf32>"), t = k.token();
             const Types out = k.ts({"token"});
             k.ops(Op::store_ptr_tko, {{p}, {v}, {}, {}}, out, {ordering(O::weak)});
             k.ops(Op::store_ptr_tko, {{p}, {v}, {mask}, {t}}, out,
                   {ordering(O::weak), {"optimization_hints", fast("sm_100")}});
             k.ops(Op::store_ptr_tko, {{p}, {v}, {}, {t}}, out,
                   {ordering(O::release), scope(MemoryScope::tl_blk)});
           }},
          {"atomics", V13_1,
           [=](Kernel& k) {
             const ValueId p = k.pointers("i32", "8"), v = k.c("tile<8xi32>"),
                           mask = k.c("tile<8xi1>"), t = k.token();
             const Types out = k.ts({"tile<8xi32>", "token"});
             for (const AtomicMode m : {AtomicMode::and_, AtomicMode::or_, AtomicMode::xor_,
                                        AtomicMode::add, AtomicMode::max, AtomicMode::min,
                                        AtomicMode::umax, AtomicMode::umin, AtomicMode::xchg}) {
               k.ops(Op::atomic_rmw_tko, {{p}, {v}, {}, {t}}, out,
                     {ordering(O::relaxed), scope(MemoryScope::device), {"mode", number(m)}});
             }
             k.ops(Op::atomic_rmw_tko, {{k.pointers("f32", "8")}, {k.c("tile<8xf32>")}, {mask}, {}},
                   k.ts({"tile<8xf32>", "token"}),
                   {ordering(O::acq_rel),
                    scope(MemoryScope::sys),
                    {"mode", number(AtomicMode::addf)}});
             k.ops(Op::atomic_cas_tko, {{p}, {v}, {v}, {}, {t}}, out,
                   {ordering(O::relaxed), scope(MemoryScope::device)});
             k.ops(Op::atomic_cas_tko, {{p}, {v}, {v}, {mask}, {}}, out,
                   {ordering(O::acquire), scope(MemoryScope::tl_blk)});
           }},
          {"bf16_atomic", V13_3,
           [=](Kernel& k) {
             k.ops(Op::atomic_rmw_tko, {{k.pointers("bf16", "8")}, {k.c("tile<8xbf16>")}, {}, {}},
                   k.ts({"tile<8xbf16>", "token"}),
                   {ordering(O::relaxed),
                    scope(MemoryScope::device),
                    {"mode", number(AtomicMode::addf)}});
           }},
          {"print", V13_1,
           [](Kernel& k) {
             k.ops(Op::print_tko, {{}, {}}, k.ts({"token"}), {{"str", std::string("hello\n")}});
             k.ops(Op::print_tko, {{k.n, k.x}, {}}, k.ts({"token"}),
                   {{"str", std::string("%d and %f, 100%%")}});
           }},
          {"print_in_order", V13_2,
           [](Kernel& k) {
             k.ops(Op::print_tko, {{k.n}, {k.token()}}, k.ts({"token"}),
                   {{"str", std::string("%d")}});
           }},
          {"global_array", V13_1,
           [](Kernel& k) {
             const TypeId type = k.t("tile<4xi32>");
             Constant c{.type = type, .data = std::vector<std::byte>(16)};
             for (std::size_t i = 0; i < 4; ++i)
               c.data[4 * i] = std::byte{static_cast<unsigned char>(i + 1)};
             k.m.globals.push_back({.name = "table", .value = k.m.intern(c), .alignment = 16});
             k.op(Op::get_global, {}, "tile<ptr<i32>>", {{"name", std::string("table")}});
           }},
          {"scratch", V13_3,
           [](Kernel& k) {
             k.op(Op::alloca, {}, "tile<ptr<f32>>",
                  {{"num_elem", std::int64_t{64}}, {"alignment", std::int64_t{16}}});
             k.op(Op::alloca, {}, "tile<ptr<f32>>",
                  {{"num_elem", std::int64_t{64}},
                   {"alignment", std::int64_t{4}},
                   {"global", true}});
           }},
          {"dependent_launch", V13_4,
           [](Kernel& k) {
             const ValueId t = k.token();
             k.ops(Op::gdc_wait_tko, {{}}, k.ts({"token"}));
             k.ops(Op::gdc_wait_tko, {{t}}, k.ts({"token"}));
             k.ops(Op::gdc_launch_dependents_tko, {{}}, k.ts({"token"}));
             k.ops(Op::gdc_launch_dependents_tko, {{t}}, k.ts({"token"}));
             k.ops(Op::memory_fence_alias_tko, {{t}}, k.ts({"token"}));
           }},
      }};
}

inline Group view_cases() {
  const auto weak = Builder::Named{"memory_ordering_semantics", number(MemoryOrdering::weak)};
  const auto relaxed = Builder::Named{"memory_ordering_semantics", number(MemoryOrdering::relaxed)};
  const auto device = Builder::Named{"memory_scope", number(MemoryScope::device)};
  const auto partition = [](Kernel& k, const std::vector<std::int64_t>& tile,
                            std::optional<Padding> padding = {},
                            const std::vector<std::int32_t>& dim_map = {}) {
    const ValueId tensor = k.tensor({16, 64}, {64, 1});
    return k.result(k.ops(Op::make_partition_view, {{tensor}},
                          {k.m.types.partition_view(k.b.type(tensor), tile, padding, dim_map)}));
  };
  const auto strided = [](Kernel& k, std::optional<Padding> padding,
                          const std::vector<std::int32_t>& dim_map) {
    const ValueId tensor = k.tensor({16, 64}, {64, 1});
    const Type type{.kind = TypeKind::strided_view,
                    .element = k.b.type(tensor),
                    .shape = {4, 8},
                    .strides = {2, 8},
                    .dim_map = dim_map,
                    .padding = padding};
    return k.result(k.ops(Op::make_strided_view, {{tensor}}, {k.m.types.intern(type)}));
  };
  const auto gather = [](Kernel& k, std::optional<Padding> padding) {
    const ValueId tensor = k.tensor({16, 64}, {64, 1});
    const Type type{.kind = TypeKind::gather_scatter_view,
                    .element = k.b.type(tensor),
                    .shape = {4, 8},
                    .padding = padding,
                    .sparse_dim = 0};
    return k.result(k.ops(Op::make_gather_scatter_view, {{tensor}}, {k.m.types.intern(type)}));
  };
  return {
      "view",
      {
          {"tensors", V13_1,
           [](Kernel& k) {
             const TypeId f32 = k.m.types.scalar(TypeKind::f32);
             k.tensor({8, 4}, {4, 1});
             k.tensor({}, {});
             const std::vector<std::int64_t> shape{dynamic, 8, dynamic},
                 strides{dynamic, dynamic, 1}, fixed{64, 8, 1};
             const OpId all = k.ops(Op::make_tensor_view, {{k.floats}, {k.n, k.n}, {k.n, k.n}},
                                    {k.m.types.tensor_view(f32, shape, strides)});
             k.ops(Op::make_tensor_view, {{k.floats}, {k.n, k.n}, {}},
                   {k.m.types.tensor_view(f32, shape, fixed)});
             k.ops(Op::get_tensor_shape, {{k.result(all)}},
                   k.ts({"tile<i64>", "tile<i64>", "tile<i64>"}));
             const ValueId line = k.tensor({128}, {1});
             const OpId shape_op = k.ops(Op::get_tensor_shape, {{line}}, k.ts({"tile<i32>"}));
             k.op(Op::addi, {k.result(shape_op), k.n}, "tile<i32>");
           }},
          {"partitions", V13_1,
           [=](Kernel& k) {
             const ValueId v = partition(k, {4, 8}), zero = k.c("tile<i32>", 0), t = k.token();
             const Types out = k.ts({"tile<4x8xf32>", "token"});
             const OpId shape =
                 k.ops(Op::get_index_space_shape, {{v}}, k.ts({"tile<i32>", "tile<i32>"}));
             const OpId load =
                 k.ops(Op::load_view_tko, {{v}, {zero, k.result(shape, 1)}, {}}, out, {weak});
             k.ops(Op::load_view_tko, {{v}, {zero, zero}, {t}}, out, {relaxed, device});
             k.ops(Op::store_view_tko, {{k.result(load)}, {v}, {zero, zero}, {}}, k.ts({"token"}),
                   {weak});
             k.ops(Op::store_view_tko, {{k.result(load)}, {v}, {zero, zero}, {k.result(load, 1)}},
                   k.ts({"token"}), {relaxed, device});
           }},
          {"paddings_and_maps", V13_1,
           [=](Kernel& k) {
             const ValueId zero = k.c("tile<i64>", 0);
             for (const Padding p : {Padding::zero, Padding::neg_zero, Padding::nan,
                                     Padding::pos_inf, Padding::neg_inf}) {
               k.ops(Op::load_view_tko, {{partition(k, {4, 8}, p)}, {zero, zero}, {}},
                     k.ts({"tile<4x8xf32>", "token"}), {weak});
             }
             const ValueId swapped = partition(k, {4, 8}, Padding::zero, {1, 0});
             k.ops(Op::load_view_tko, {{swapped}, {zero, zero}, {}},
                   k.ts({"tile<4x8xf32>", "token"}), {weak});
           }},
          {"hinted", V13_1,
           [=](Kernel& k) {
             const ValueId v = partition(k, {4, 8}), zero = k.c("tile<i32>", 0), t = k.token();
             const Hints hints{
                 .entries = {{.arch = "sm_100", .values = {{"allow_tma", false}, {"latency", 2}}},
                             {.arch = "sm_120", .values = {{"allow_tma", true}}}}};
             const OpId load =
                 k.ops(Op::load_view_tko, {{v}, {zero, zero}, {t}},
                       k.ts({"tile<4x8xf32>", "token"}), {weak, {"optimization_hints", hints}});
             k.ops(Op::store_view_tko, {{k.result(load)}, {v}, {zero, zero}, {t}}, k.ts({"token"}),
                   {weak, {"optimization_hints", hints}});
           }},
          {"in_bounds", V13_4,
           [=](Kernel& k) {
             const ValueId v = partition(k, {4, 8}), zero = k.c("tile<i32>", 0), t = k.token();
             const OpId load = k.ops(Op::load_view_tko, {{v}, {zero, zero}, {t}},
                                     k.ts({"tile<4x8xf32>", "token"}),
                                     {weak, {"inbounds", std::vector<bool>{true, true}}});
             k.ops(Op::store_view_tko, {{k.result(load)}, {v}, {zero, zero}, {t}}, k.ts({"token"}),
                   {weak, {"inbounds", std::vector<bool>{false, true}}});
           }},
          {"strided", V13_3,
           [=](Kernel& k) {
             const ValueId zero = k.c("tile<i32>", 0);
             const ValueId v = strided(k, Padding::zero, {0, 1});
             k.ops(Op::get_index_space_shape, {{v}}, k.ts({"tile<i32>", "tile<i32>"}));
             const OpId load = k.ops(Op::load_view_tko, {{v}, {zero, zero}, {}},
                                     k.ts({"tile<4x8xf32>", "token"}), {weak});
             k.ops(Op::store_view_tko,
                   {{k.result(load)}, {strided(k, {}, {1, 0})}, {zero, zero}, {}}, k.ts({"token"}),
                   {weak});
           }},
          {"gather", V13_3,
           [=](Kernel& k) {
             const ValueId zero = k.c("tile<i32>", 0), rows = k.c("tile<4xi32>", 3);
             const ValueId v = gather(k, Padding::zero);
             const OpId load = k.ops(Op::load_view_tko, {{v}, {rows, zero}, {}},
                                     k.ts({"tile<4x8xf32>", "token"}), {weak});
             k.ops(Op::store_view_tko, {{k.result(load)}, {gather(k, {})}, {rows, zero}, {}},
                   k.ts({"token"}), {weak});
           }},
          {"atomic_reductions", V13_3,
           [=](Kernel& k) {
             const ValueId v = partition(k, {4, 8}), zero = k.c("tile<i32>", 0),
                           tile = k.c("tile<4x8xf32>");
             const Builder::Named mode{"mode", number(AtomicMode::addf)};
             k.ops(Op::atomic_red_view_tko, {{v}, {zero, zero}, {tile}, {}}, k.ts({"token"}),
                   {relaxed, device, mode});
             k.ops(Op::atomic_red_view_tko, {{v}, {zero, zero}, {tile}, {k.token()}},
                   k.ts({"token"}), {relaxed, device, mode});
           }},
          {"atomic_in_bounds", V13_5,
           [=](Kernel& k) {
             const ValueId v = partition(k, {4, 8}), zero = k.c("tile<i32>", 0),
                           tile = k.c("tile<4x8xf32>");
             k.ops(Op::atomic_red_view_tko, {{v}, {zero, zero}, {tile}, {}}, k.ts({"token"}),
                   {relaxed,
                    device,
                    {"mode", number(AtomicMode::addf)},
                    {"inbounds", std::vector<bool>{true, false}}});
           }},
          {"multimem", V13_5,
           [=](Kernel& k) {
             const auto multicast_view = [&](TypeKind kind) {
               const TypeId element = k.m.types.scalar(kind);
               const Type pointer{.kind = TypeKind::pointer, .element = element, .multicast = true};
               const Type view{.kind = TypeKind::tensor_view,
                               .element = element,
                               .shape = {16, 64},
                               .strides = {64, 1},
                               .multicast = true};
               const ValueId address = k.op(Op::ptr_to_int, {k.floats}, "tile<i64>");
               const TypeId tile_of_pointer = k.m.types.tile(k.m.types.intern(pointer));
               const ValueId p = k.b.value(Op::int_to_ptr, {address}, tile_of_pointer);
               const ValueId tensor =
                   k.result(k.ops(Op::make_tensor_view, {{p}, {}, {}}, {k.m.types.intern(view)}));
               const std::vector<std::int64_t> shape{4, 8};
               return k.result(k.ops(Op::make_partition_view, {{tensor}},
                                     {k.m.types.partition_view(k.b.type(tensor), shape)}));
             };
             const ValueId v = multicast_view(TypeKind::f32), w = multicast_view(TypeKind::i32);
             const ValueId zero = k.c("tile<i32>", 0), tile = k.c("tile<4x8xf32>"),
                           ints = k.c("tile<4x8xi32>"), t = k.token();
             const auto reduction = [](MultimemReduction r) {
               return Builder::Named{"reduction", number(r)};
             };
             const Builder::Named add = reduction(MultimemReduction::add);
             const Types out = k.ts({"tile<4x8xf32>", "token"});
             k.ops(Op::multimem_load_reduce_view_tko, {{v}, {zero, zero}, {}}, out, {weak, add});
             k.ops(Op::multimem_load_reduce_view_tko, {{v}, {zero, zero}, {t}}, out,
                   {relaxed, device, add, {"inbounds", std::vector<bool>{true, true}}});
             k.ops(Op::multimem_reduce_view_tko, {{v}, {tile}, {zero, zero}, {t}}, k.ts({"token"}),
                   {relaxed, device, add});
             k.ops(Op::multimem_store_view_tko, {{v}, {tile}, {zero, zero}, {t}}, k.ts({"token"}),
                   {weak});
             k.ops(Op::multimem_store_view_tko, {{v}, {tile}, {zero, zero}, {}}, k.ts({"token"}),
                   {relaxed, device});
             for (const auto r :
                  {MultimemReduction::min, MultimemReduction::umax, MultimemReduction::and_}) {
               k.ops(Op::multimem_load_reduce_view_tko, {{w}, {zero, zero}, {t}},
                     k.ts({"tile<4x8xi32>", "token"}), {weak, reduction(r)});
               k.ops(Op::multimem_reduce_view_tko, {{w}, {ints}, {zero, zero}, {}}, k.ts({"token"}),
                     {relaxed, device, reduction(r), {"inbounds", std::vector<bool>{false, true}}});
             }
           },
           true},
      }};
}

inline Group entry_cases() {
  return {"entry",
          {
              {"hints", V13_1,
               [](Kernel& k) {
                 k.b.function().hints = {
                     .entries = {
                         {.arch = "sm_100", .values = {{"num_cta_in_cga", 2}, {"occupancy", 4}}},
                         {.arch = "sm_90", .values = {{"occupancy", 2}}}}};
               }},
              {"default_hints", V13_3,
               [](Kernel& k) {
                 k.b.function().hints = {
                     .entries = {{.arch = "default",
                                  .values = {{"occupancy", 4}, {"num_worker_warps_per_cta", 8}}}}};
               }},
          }};
}

} // namespace cutile::testing
