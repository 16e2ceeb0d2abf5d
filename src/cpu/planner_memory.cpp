// Plans of tensors, views, loads and stores.

#include <algorithm>

#include "cpu/planner.hpp"

namespace cutile::cpu {

namespace {
std::uint64_t padding_bits(ir::Padding padding, TypeKind kind) {
  struct Facts {
    TypeKind kind;
    std::uint64_t sign, infinity, nan;
  };
  constexpr Facts all[] = {
      {TypeKind::f16, 0x8000, 0x7c00, 0x7e00},
      {TypeKind::bf16, 0x8000, 0x7f80, 0x7fc0},
      {TypeKind::f32, 0x80000000, 0x7f800000, 0x7fc00000},
      {TypeKind::f64, 0x8000000000000000, 0x7ff0000000000000, 0x7ff8000000000000}};
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
    const std::size_t axis = tiles ? static_cast<std::size_t>(t.dim_map[a]) : a;
    const std::int64_t step = !tiles                             ? 1
                              : t.kind == TypeKind::strided_view ? t.strides[a]
                                                                 : t.shape[a];
    add<CallStep>([=](Thread& thread) {
      thread.put(out, (thread.tensors[tensor].extents[axis] + step - 1) / step, bytes);
    });
  }
}

ViewAccess Planner::access(const Operation& op, ValueId view, std::span<const ValueId> index) {
  const Type& t = type(view);
  if (t.kind == TypeKind::gather_scatter_view) refuse(op, "gather and scatter views are not there");
  if (t.shape.size() > max_rank) refuse(op, "a tensor of so many axes");
  ViewShape shape;
  shape.tensor = place(view).tensor;
  const TypeKind element = m_.types[m_.types[t.element].element].kind;
  shape.element = static_cast<std::size_t>(ir::storage_bytes(element));
  shape.tile = t.shape;
  shape.step = t.kind == TypeKind::strided_view ? t.strides : t.shape;
  for (const std::int32_t a : t.dim_map) shape.axis.push_back(static_cast<std::size_t>(a));
  if (t.padding) {
    const std::uint64_t bits = padding_bits(*t.padding, element);
    std::memcpy(shape.padding.data(), &bits, shape.element);
  }
  std::vector<Cell> cells;
  for (const ValueId i : index) cells.push_back(place(i).cell);
  return ViewAccess(std::move(shape), std::move(cells), static_cast<int>(element_bytes(index[0])));
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
    const bool writes = !op.regions.empty() || op.op == Op::store_view_tko;
    if (writes && left > 0) return false;
  }
  return left == 0; // else used inside a region
}

void Planner::store(const Operation& op) {
  const ValueId tile = op.operands[0];
  const ValueId view = op.operands[1];
  const auto index = ir::operand_group(op, 2);
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

} // namespace cutile::cpu
