#include <array>

#include "trace/trace.hpp"

// Tensor parameters, their views, and accesses through them.

namespace cutile::trace {
namespace {

bool has(std::uint8_t mask, int axis) { return ((mask >> static_cast<unsigned>(axis)) & 1U) != 0; }

ir::ValueId assume(ir::Builder& b, ir::ValueId value, ir::Predicate predicate) {
  return b.value(ir::Op::assume, {value}, b.type(value), {{"predicate", std::move(predicate)}});
}

} // namespace

void Trace::add_params() {
  const ir::BlockId body = builder_.function().body;
  tensors_.resize(args_.size());
  scalars_.resize(args_.size());
  const auto add = [&](ParamSource::Kind kind, std::size_t arg, int axis, ir::TypeId type,
                       int bytes) {
    kernel_.params.push_back({kind, static_cast<std::uint8_t>(arg), static_cast<std::uint8_t>(axis),
                              static_cast<std::uint8_t>(bytes)});
    return builder_.add_argument(body, types().tile(type));
  };
  for (std::size_t i = 0; i < args_.size(); ++i) {
    const ArgSpec& spec = args_[i];
    const ir::TypeId element = types().scalar(element_kind(spec.dtype));
    if (spec.kind == ArgKind::scalar) {
      scalars_[i] = add(ParamSource::Kind::scalar, i, 0, element, size_of(spec.dtype));
      continue;
    }
    TensorValues& t = tensors_[i];
    const ir::TypeId size =
        types().scalar(spec.facts.wide != 0 ? ir::TypeKind::i64 : ir::TypeKind::i32);
    const int bytes = spec.facts.wide != 0 ? 8 : 4;
    t.pointer = add(ParamSource::Kind::pointer, i, 0, types().pointer(element), 8);
    for (int a = 0; a < spec.rank; ++a)
      t.extents.push_back(add(ParamSource::Kind::extent, i, a, size, bytes));
    for (int a = 0; a < spec.rank; ++a) {
      t.strides.push_back(has(spec.facts.unit_strides, a)
                              ? ir::ValueId{}
                              : add(ParamSource::Kind::stride, i, a, size, bytes));
    }
  }
  // What the launch guarantees, stated so that the compiler can use it.
  in_prologue([&] {
    for (std::size_t i = 0; i < args_.size(); ++i) {
      if (args_[i].kind == ArgKind::scalar) continue;
      const Specialisation& facts = args_[i].facts;
      TensorValues& t = tensors_[i];
      const auto size = [&](ir::ValueId& v, bool div16) {
        if (!v.valid()) return;
        v = assume(builder_, v, ir::Bounded{.lower = 0, .upper = {}});
        if (div16) v = assume(builder_, v, ir::DivBy{.divisor = 16, .every_along = {}});
      };
      if (facts.aligned16 != 0)
        t.pointer = assume(builder_, t.pointer, ir::DivBy{.divisor = 16, .every_along = {}});
      for (int a = 0; a < args_[i].rank; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        size(t.extents[axis], has(facts.extents_div16, a));
        size(t.strides[axis], has(facts.strides_div16, a));
      }
    }
  });
}

detail::Slot Trace::scalar(int arg) { return declare(scalars_[static_cast<std::size_t>(arg)]); }

ir::ValueId Trace::tensor_view(int arg) {
  const ArgSpec& spec = args_[static_cast<std::size_t>(arg)];
  TensorValues& t = tensors_[static_cast<std::size_t>(arg)];
  if (t.view.valid()) return t.view;
  std::vector<std::int64_t> shape(static_cast<std::size_t>(spec.rank), ir::dynamic), strides;
  ir::Builder::Group dynamic_strides;
  for (const ir::ValueId s : t.strides) {
    strides.push_back(s.valid() ? ir::dynamic : 1);
    if (s.valid()) dynamic_strides.push_back(s);
  }
  const ir::TypeId type =
      types().tensor_view(types().scalar(element_kind(spec.dtype)), shape, strides);
  in_prologue([&] {
    const ir::OpId op = builder_.emit_groups(
        ir::Op::make_tensor_view, {{t.pointer}, t.extents, dynamic_strides}, std::span(&type, 1));
    t.view = builder_.function()[op].results.front();
  });
  return t.view;
}

std::uint32_t Trace::view(int arg, std::span<const int> tile, detail::PaddingKind padding,
                          SourceLoc at) {
  if (padding != detail::PaddingKind::zero &&
      !is_float(args_[static_cast<std::size_t>(arg)].dtype)) {
    error(at, "tiles: only a tensor of floats can be padded with anything but zero");
    padding = detail::PaddingKind::zero;
  }
  ir::Type type{.kind = ir::TypeKind::partition_view, .shape = {tile.begin(), tile.end()}};
  type.padding = static_cast<ir::Padding>(padding);
  return add_view(arg, tile, ir::Op::make_partition_view, type, at);
}

std::uint32_t Trace::window(int arg, std::span<const int> tile, SourceLoc at) {
  ir::Type type{.kind = ir::TypeKind::strided_view, .shape = {tile.begin(), tile.end()}};
  type.strides.assign(tile.size(), 1);
  type.padding = ir::Padding::zero;
  return add_view(arg, tile, ir::Op::make_strided_view, type, at);
}

std::uint32_t Trace::add_view(int arg, std::span<const int> tile, ir::Op op, const ir::Type& shape,
                              SourceLoc at) {
  const ir::ValueId tensor = tensor_view(arg);
  ir::Type full = shape;
  full.element = type_of(tensor);
  for (std::size_t a = 0; a < tile.size(); ++a)
    full.dim_map.push_back(static_cast<std::int32_t>(a));
  const ir::TypeId type = types().intern(full);
  const auto [it, added] =
      view_ids_.try_emplace({arg, type.index}, static_cast<std::uint32_t>(views_.size()));
  if (!added) return it->second;
  const ir::ValueId value = in_prologue([&] { return builder_.value(op, {tensor}, type, {}, at); });
  kernel_.view_args[value.index] = arg;
  views_.push_back({value, arg, {tile.begin(), tile.end()}});
  return it->second;
}

ir::ValueId Trace::tile_count(std::uint32_t view, int axis, SourceLoc at) {
  std::vector<ir::ValueId>& counts = counts_[view];
  if (counts.empty()) {
    const std::vector<ir::TypeId> results(views_[view].tile.size(),
                                          types().tile(ir::TypeKind::i32));
    const ir::ValueId source = views_[view].value;
    in_prologue([&] {
      const ir::OpId op =
          builder_.emit(ir::Op::get_index_space_shape, std::span(&source, 1), results, {}, at);
      counts = builder_.function()[op].results;
    });
  }
  return counts[static_cast<std::size_t>(axis)];
}

ir::ValueId Trace::extent(int arg, int axis, SourceLoc at) {
  const ir::ValueId value =
      tensors_[static_cast<std::size_t>(arg)].extents[static_cast<std::size_t>(axis)];
  if (args_[static_cast<std::size_t>(arg)].facts.wide == 0) return value;
  require({.kind = LaunchCheck::Kind::extent_i32, .limit = {.arg = arg, .axis = axis}, .at = at});
  return in_prologue([&] {
    return builder_.value(ir::Op::trunci, {value}, types().tile(ir::TypeKind::i32), {}, at);
  });
}

std::array<ir::ValueId, 3> Trace::grid_values(ir::Op op, std::array<ir::ValueId, 3>& cache,
                                              SourceLoc at) {
  if (!cache[0].valid()) {
    const std::vector<ir::TypeId> results(3, types().tile(ir::TypeKind::i32));
    in_prologue([&] {
      const std::vector<ir::ValueId>& values =
          builder_.function()[builder_.emit(op, {}, results, {}, at)].results;
      std::copy(values.begin(), values.end(), cache.begin());
    });
  }
  return cache;
}

ir::ValueId Trace::block_id(int axis, SourceLoc at) {
  return grid_values(ir::Op::get_tile_block_id, block_ids_, at)[static_cast<std::size_t>(axis)];
}
ir::ValueId Trace::grid_size(int axis, SourceLoc at) {
  return grid_values(ir::Op::get_num_tile_blocks, grid_sizes_, at)[static_cast<std::size_t>(axis)];
}

namespace {

ir::Hints latency_hint(int latency) {
  return {.entries = {{.arch = "default", .values = {{"latency", latency}}}}};
}

} // namespace

/// Accesses to an output are ordered by a chain of tokens, carried through regions like any other
/// variable. Inputs are not written in the launch, so their loads need no order.
ir::ValueId Trace::load(std::uint32_t view, std::span<const ir::ValueId> index, ir::TypeId type,
                        int latency, SourceLoc at) {
  const View& v = views_[view];
  const bool ordered = args_[static_cast<std::size_t>(v.arg)].kind != ArgKind::in;
  const ir::TypeId results[] = {type, types().token()};
  std::vector<ir::Builder::Group> groups{{v.value}, {index.begin(), index.end()}, {}};
  const detail::Slot chain = ordered ? token_slot(v.arg) : detail::Slot{};
  if (ordered) groups[2] = {read(chain, at)};
  const auto ordering = static_cast<std::int64_t>(ir::MemoryOrdering::weak);
  const ir::OpId op = latency != 0
                          ? builder_.emit_groups(ir::Op::load_view_tko, groups, results,
                                                 {{"memory_ordering_semantics", ordering},
                                                  {"optimization_hints", latency_hint(latency)}},
                                                 at)
                          : builder_.emit_groups(ir::Op::load_view_tko, groups, results,
                                                 {{"memory_ordering_semantics", ordering}}, at);
  const std::vector<ir::ValueId>& values = builder_.function()[op].results;
  if (ordered) write(chain, values[1]);
  return values[0];
}

void Trace::store(std::uint32_t view, std::span<const ir::ValueId> index, ir::ValueId tile,
                  SourceLoc at) {
  const View& v = views_[view];
  const detail::Slot chain = token_slot(v.arg);
  const ir::TypeId result = types().token();
  const ir::OpId op = builder_.emit_groups(
      ir::Op::store_view_tko, {{tile}, {v.value}, {index.begin(), index.end()}, {read(chain, at)}},
      std::span(&result, 1),
      {{"memory_ordering_semantics", static_cast<std::int64_t>(ir::MemoryOrdering::weak)}}, at);
  write(chain, builder_.function()[op].results.front());
}

detail::Slot Trace::token_slot(int arg) {
  TensorValues& t = tensors_[static_cast<std::size_t>(arg)];
  if (!t.has_token) {
    t.has_token = true;
    t.token = {next_slot_++};
    // Declared in the outermost region, wherever it is first needed, so that every region sees it
    // as an outer variable.
    frames_.front().values[t.token.id] =
        in_prologue([&] { return builder_.value(ir::Op::make_token, {}, types().token()); });
  }
  return t.token;
}

} // namespace cutile::trace

namespace cutile::detail {

using trace::Trace;

Slot scalar_param(int argument) { return Trace::current().scalar(argument); }

Slot block_id(int axis, SourceLoc at) {
  Trace& t = Trace::current();
  return t.declare(t.block_id(axis, at));
}
Slot grid_size(int axis, SourceLoc at) {
  Trace& t = Trace::current();
  return t.declare(t.grid_size(axis, at));
}

ViewId tile_view(TensorParam tensor, std::span<const int> tile, PaddingKind padding, SourceLoc at) {
  return {Trace::current().view(static_cast<int>(tensor.id), tile, padding, at)};
}

ViewId window_view(TensorParam tensor, std::span<const int> tile, SourceLoc at) {
  return {Trace::current().window(static_cast<int>(tensor.id), tile, at)};
}

Slot window_index(int axis, int tile, int offset, SourceLoc at) {
  Trace& t = Trace::current();
  if (offset < 0) {
    t.error(at, "load_window: an offset must not be negative; pad the tensor in front instead");
    offset = 0;
  }
  const ir::TypeId i32 = t.types().tile(ir::TypeKind::i32);
  ir::ValueId index = t.block_id(axis, at);
  if (tile != 1)
    index = t.builder().value(ir::Op::muli, {index, t.index_constant(tile, at)}, i32, {}, at);
  if (offset != 0)
    index = t.builder().value(ir::Op::addi, {index, t.index_constant(offset, at)}, i32, {}, at);
  t.know_bound(index, {.kind = trace::Bound::Kind::grid,
                       .value = axis,
                       .tiles = {},
                       .scale = tile,
                       .offset = offset});
  return t.declare(index);
}

Slot tile_count(ViewId view, int axis, SourceLoc at) {
  Trace& t = Trace::current();
  return t.declare(t.tile_count(view.id, axis, at));
}

Slot extent(TensorParam tensor, int axis, SourceLoc at) {
  Trace& t = Trace::current();
  return t.declare(t.extent(static_cast<int>(tensor.id), axis, at));
}

namespace {

std::vector<ir::ValueId> read_all(Trace& t, std::span<const Slot> slots, SourceLoc at) {
  std::vector<ir::ValueId> values;
  for (const Slot s : slots) values.push_back(t.read(s, at));
  return values;
}

} // namespace

Slot load(ViewId view, std::span<const Slot> index, TileType type, int latency, SourceLoc at) {
  Trace& t = Trace::current();
  if (latency < 0 || latency > 10)
    t.error(at, "load: the latency hint must be 1 to 10, or 0 for the compiler's choice");
  return t.declare(t.load(view.id, read_all(t, index, at), t.tile(type), latency, at));
}

void store(ViewId view, std::span<const Slot> index, Slot tile, SourceLoc at) {
  Trace& t = Trace::current();
  t.store(view.id, read_all(t, index, at), t.read(tile, at), at);
}

void require_extent(TensorParam tensor, int axis, std::int64_t extent, SourceLoc at) {
  Trace::current().require({.kind = trace::LaunchCheck::Kind::extent_is,
                            .limit = {.arg = static_cast<int>(tensor.id), .axis = axis},
                            .value = extent,
                            .at = at});
}

Slot piece_count(ViewId view, SourceLoc at) {
  Trace& t = Trace::current();
  const ir::TypeId index = t.types().tile(ir::TypeKind::i32);
  ir::ValueId product = t.tile_count(view.id, 0, at);
  for (std::size_t a = 1; a < t.view(view.id).tile.size(); ++a) {
    const ir::ValueId count = t.tile_count(view.id, static_cast<int>(a), at);
    product = t.builder().value(ir::Op::muli, {product, count}, index, {}, at);
  }
  return t.declare(product);
}

void mapped_index(ViewId view, Slot linear, int group, std::span<Slot> index, SourceLoc at) {
  Trace& t = Trace::current();
  const Trace::View& v = t.view(view.id);
  const ir::TypeId i32 = t.types().tile(ir::TypeKind::i32);
  const auto rank = static_cast<int>(v.tile.size());
  if (group < 1) {
    t.error(at, "pieces: the group must be at least 1");
    group = 1;
  }
  const auto count = [&](int axis) { return t.tile_count(view.id, axis, at); };
  const auto op = [&](ir::Op o, ir::ValueId a, ir::ValueId b) {
    return t.builder().value(o, {a, b}, i32, {}, at);
  };
  // All operands are non-negative, so truncating division is floor division.
  const auto div_rem = [&](ir::Op o, ir::ValueId a, ir::ValueId b) {
    const auto is_signed = static_cast<std::int64_t>(ir::Signedness::signed_);
    if (o == ir::Op::remi)
      return t.builder().value(o, {a, b}, i32, {{"signedness", is_signed}}, at);
    return t.builder().value(o, {a, b}, i32,
                             {{"signedness", is_signed},
                              {"rounding", static_cast<std::int64_t>(ir::RoundingMode::zero)}},
                             at);
  };
  const auto mint = [&](int axis, ir::ValueId value) {
    t.know_bound(
        value,
        {.kind = trace::Bound::Kind::tiles,
         .tiles = {.arg = v.arg, .axis = axis, .tile = v.tile[static_cast<std::size_t>(axis)]}});
    index[static_cast<std::size_t>(axis)] = t.declare(value);
  };
  ir::ValueId rest = t.read(linear, at);
  // The last two axes are walked in groups, those before them in row-major order.
  if (rank == 1) {
    mint(0, rest);
    return;
  }
  const ir::ValueId rows = count(rank - 2), columns = count(rank - 1);
  if (rank > 2) {
    const ir::ValueId plane = op(ir::Op::muli, rows, columns);
    ir::ValueId outer = div_rem(ir::Op::divi, rest, plane);
    rest = div_rem(ir::Op::remi, rest, plane);
    for (int a = rank - 3; a > 0; --a) {
      mint(a, div_rem(ir::Op::remi, outer, count(a)));
      outer = div_rem(ir::Op::divi, outer, count(a));
    }
    mint(0, outer);
  }
  if (group == 1) {
    mint(rank - 2, div_rem(ir::Op::divi, rest, columns));
    mint(rank - 1, div_rem(ir::Op::remi, rest, columns));
    return;
  }
  const ir::ValueId size = t.index_constant(group, at);
  const ir::ValueId per_group = op(ir::Op::muli, size, columns);
  const ir::ValueId first = op(ir::Op::muli, div_rem(ir::Op::divi, rest, per_group), size);
  const ir::ValueId height =
      t.builder().value(ir::Op::mini, {op(ir::Op::subi, rows, first), size}, i32,
                        {{"signedness", static_cast<std::int64_t>(ir::Signedness::signed_)}}, at);
  const ir::ValueId within = div_rem(ir::Op::remi, rest, per_group);
  mint(rank - 2, op(ir::Op::addi, first, div_rem(ir::Op::remi, within, height)));
  mint(rank - 1, div_rem(ir::Op::divi, within, height));
}

} // namespace cutile::detail
