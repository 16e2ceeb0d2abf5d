// Plans of tensors, views, loads and stores.

#include <algorithm>

#include "cpu/atomics.hpp"
#include "cpu/planner.hpp"

namespace cutile::cpu {

namespace {

/// One element of padding: its bits.
std::uint64_t padding_bits(ir::Padding padding, TypeKind kind) {
  struct Facts {
    TypeKind kind;
    std::uint64_t sign, infinity, nan;
  };
  constexpr Facts all[] = {
      {TypeKind::f16, 0x8000, 0x7c00, 0x7e00},
      {TypeKind::bf16, 0x8000, 0x7f80, 0x7fc0},
      {TypeKind::f32, 0x80000000, 0x7f800000, 0x7fc00000},
      {TypeKind::tf32, 0x80000000, 0x7f800000, 0x7fc00000},
      {TypeKind::f64, 0x8000000000000000, 0x7ff0000000000000, 0x7ff8000000000000},
      {TypeKind::f8e5m2, 0x80, 0x7c, 0x7f},
      {TypeKind::f8e4m3fn, 0x80, 0x7f, 0x7f}, // no infinity: NaN
      {TypeKind::f8e8m0fnu, 0, 0xff, 0xff},
      {TypeKind::f4e2m1fn, 0x8, 0x7, 0x7}}; // the largest number
  for (const Facts& f : all) {
    if (f.kind != kind) continue;
    switch (padding) {
    case ir::Padding::zero: return 0;
    case ir::Padding::neg_zero: return f.sign;
    case ir::Padding::nan: return f.nan;
    case ir::Padding::pos_inf: return f.infinity;
    case ir::Padding::neg_inf: return f.infinity | f.sign;
    }
  }
  return 0;
}

/// Whether `op` may write memory that a tile was loaded from.
bool may_write(const Operation& op) {
  if (ir::def(op.op).has(ir::pure) || ir::def(op.op).has(ir::terminator)) return false;
  return op.op != Op::load_view_tko && op.op != Op::load_ptr_tko && op.op != Op::assert_;
}

} // namespace

void Planner::tensor_view(const Operation& op) {
  const Type& t = type(op.results[0]);
  if (t.shape.size() > max_rank) refuse(op, "a tensor of so many axes");
  struct Number {
    Cell cell;
    std::int64_t value;
    int bytes;
  };
  const auto numbers = [&](const std::vector<std::int64_t>& statics,
                           std::span<const ValueId> dynamics) {
    std::vector<Number> out;
    std::size_t next = 0;
    for (const std::int64_t v : statics) {
      if (v != ir::dynamic) {
        out.push_back({no_cell, v, 0});
      } else {
        const ValueId d = dynamics[next++];
        out.push_back({place(d).cell, 0, static_cast<int>(element_bytes(d))});
      }
    }
    return out;
  };
  const std::size_t tensor = plan_.tensors++;
  places_[op.results[0].index].tensor = tensor;
  const int size = ir::storage_bytes(m_.types[t.element].kind);
  add<CallStep>([=, base = place(op.operands[0]).cell,
                 extents = numbers(t.shape, ir::operand_group(op, 1)),
                 strides = numbers(t.strides, ir::operand_group(op, 2))](Thread& thread) {
    TensorValue& v = thread.tensors[tensor];
    std::memcpy(&v.base, thread.at[base], sizeof v.base);
    const auto read = [&](const Number& n) {
      return n.cell == no_cell ? n.value : thread.signed_at(n.cell, n.bytes);
    };
    for (std::size_t a = 0; a < extents.size(); ++a) {
      v.extents[a] = read(extents[a]);
      v.strides[a] = read(strides[a]) * size;
    }
  });
}

void Planner::index_space(const Operation& op) {
  const Type& t = type(op.operands[0]);
  const std::size_t tensor = place(op.operands[0]).tensor;
  const bool tiles = op.op == Op::get_index_space_shape;
  for (std::size_t a = 0; a < op.results.size(); ++a) {
    const Cell out = define(op.results[a]);
    const int bytes = static_cast<int>(element_bytes(op.results[a]));
    const bool whole_tiles = tiles && t.kind != TypeKind::gather_scatter_view;
    const std::size_t axis = whole_tiles ? static_cast<std::size_t>(t.dim_map[a]) : a;
    const std::int64_t step = !whole_tiles                       ? 1
                              : t.kind == TypeKind::strided_view ? t.strides[a]
                                                                 : t.shape[a];
    add<CallStep>([=](Thread& thread) {
      thread.put(out, (thread.tensors[tensor].extents[axis] + step - 1) / step, bytes);
    });
  }
}

ViewShape Planner::view_shape(const Operation& op, ValueId view) const {
  const Type& t = type(view);
  if (t.shape.size() > max_rank) refuse(op, "a tensor of so many axes");
  ViewShape shape;
  shape.tensor = places_[view.index].tensor;
  const TypeKind element = m_.types[m_.types[t.element].element].kind;
  shape.element = static_cast<std::size_t>(ir::storage_bytes(element));
  shape.tile = t.shape;
  shape.is_bool = element == TypeKind::i1;
  shape.is_4bit = ir::bit_width(element) == 4;
  if (t.kind == TypeKind::gather_scatter_view) {
    shape.step.assign(t.shape.size(), 1);
    for (std::size_t a = 0; a < t.shape.size(); ++a) shape.axis.push_back(a);
  } else {
    shape.step = t.kind == TypeKind::strided_view ? t.strides : t.shape;
    for (const std::int32_t a : t.dim_map) shape.axis.push_back(static_cast<std::size_t>(a));
  }
  if (t.padding) {
    const std::uint64_t bits = padding_bits(*t.padding, element);
    std::memcpy(shape.padding.data(), &bits, shape.element);
  }
  return shape;
}

ViewAccess Planner::access(const Operation& op, ValueId view, std::span<const ValueId> index) {
  std::vector<Cell> cells;
  for (const ValueId i : index) cells.push_back(place(i).cell);
  return ViewAccess(view_shape(op, view), std::move(cells),
                    static_cast<int>(element_bytes(index[0])));
}

bool Planner::is_scattered(ValueId view) const {
  const Type& t = type(view);
  return t.kind == TypeKind::gather_scatter_view ||
         ir::bit_width(m_.types[m_.types[t.element].element].kind) == 4;
}

ScatteredAccess Planner::scattered(const Operation& op, ValueId view,
                                   std::span<const ValueId> index) {
  const Type& t = type(view);
  std::optional<std::size_t> sparse;
  if (t.kind == TypeKind::gather_scatter_view) sparse = static_cast<std::size_t>(t.sparse_dim);
  std::vector<Cell> cells;
  for (const ValueId i : index) cells.push_back(whole(i));
  return {view_shape(op, view), std::move(cells), static_cast<int>(element_bytes(index[0])),
          sparse};
}

void Planner::load(const Operation& op, std::size_t position) {
  const ValueId view = op.operands[0];
  const auto index = ir::operand_group(op, 1);
  if (is_scattered(view)) {
    add<CallStep>([from = scattered(op, view, index), out = define(op.results[0])](Thread& t) {
      from.load(t, t.at[out]);
    });
    return;
  }
  ViewAccess from = access(op, view, index);
  const bool may_alias = !from.shape().is_bool && undisturbed(op.results[0], position);
  add<LoadStep>(std::move(from), define(op.results[0], !may_alias), may_alias);
}

bool Planner::undisturbed(ValueId v, std::size_t position) const {
  const std::vector<ir::OpId>& ops = f_[block_].ops;
  std::uint32_t left = uses_[v.index];
  for (std::size_t i = position + 1; i < ops.size() && left > 0; ++i) {
    const Operation& op = f_[ops[i]];
    // A change of shape is another name: its uses count too, and they are not followed.
    if (op.op == Op::reshape || op.op == Op::broadcast || op.op == Op::assume) {
      if (std::find(op.operands.begin(), op.operands.end(), v) != op.operands.end()) return false;
    }
    left -= static_cast<std::uint32_t>(std::count(op.operands.begin(), op.operands.end(), v));
    if (may_write(op) && left > 0) return false;
  }
  return left == 0; // else used inside a region
}

void Planner::store(const Operation& op, ValueId tile, ValueId view,
                    std::span<const ValueId> index) {
  if (is_scattered(view)) {
    flush();
    add<CallStep>(
        [to = scattered(op, view, index), in = whole(tile)](Thread& t) { to.store(t, t.at[in]); });
    return;
  }
  // The result of a run that only this store reads can be computed where it belongs.
  const auto made =
      std::find_if(run_.begin(), run_.end(), [&](ir::OpId r) { return f_[r].results[0] == tile; });
  const bool scalar_index_in_run = std::any_of(run_.begin(), run_.end(), [&](ir::OpId r) {
    return std::find(index.begin(), index.end(), f_[r].results[0]) != index.end();
  });
  if (made == run_.end() || uses_[tile.index] != 1 || scalar_index_in_run) {
    flush();
    add<StoreStep>(access(op, view, index), whole(tile));
    return;
  }
  std::vector<BindStore::Input> inputs;
  for (const ir::OpId r : run_) {
    for (const ValueId v : f_[r].operands) {
      const bool loaded = f_[v].def.valid() && f_[f_[v].def].op == Op::load_view_tko;
      if (loaded && !place(v).splat) inputs.push_back({place(v).cell, bytes_of(v)});
    }
  }
  const Cell out = place(tile).cell;
  plan_.cells[out].swappable = false;
  add<BindStore>(access(op, view, index), out, std::move(inputs));
  flush();
  add<StoreStep>(access(op, view, index), out);
}

void Planner::atomic_reduce(const Operation& op, ir::AtomicMode mode, ValueId value, ValueId view,
                            std::span<const ValueId> index) {
  const AtomicFn fn = atomic_update(mode, kind(value));
  if (fn == nullptr)
    refuse(op, fmt::format("no such atomic update of {}", ir::spelling(kind(value))));
  add<CallStep>([=, to = scattered(op, view, index), in = whole(value),
                 size = element_bytes(value)](Thread& t) {
    std::byte* const base = to.base(t);
    std::array<std::byte, 8> old;
    to.visit(t, [&](std::size_t i, std::int64_t offset) {
      if (offset >= 0) fn(base + offset, t.at[in] + i * size, old.data());
    });
  });
}

} // namespace cutile::cpu
