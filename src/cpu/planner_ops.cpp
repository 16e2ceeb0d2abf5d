// Plans of operations that are steps of their own.

#include <algorithm>

#include "cpu/planner.hpp"

namespace cutile::cpu {

void Planner::rest(const Operation& op, std::size_t position, const Ends& ends) {
  const auto& in = op.operands;
  switch (op.op) {
  case Op::iota: {
    const Cell out = define(op.results[0]);
    const std::size_t n = elements(op.results[0]);
    const int bytes = static_cast<int>(element_bytes(op.results[0]));
    add<CallStep>([=](Thread& t) {
      for (std::size_t i = 0; i < n; ++i)
        std::memcpy(t.at[out] + i * static_cast<std::size_t>(bytes), &i,
                    static_cast<std::size_t>(bytes));
    });
    return;
  }
  case Op::get_tile_block_id:
  case Op::get_num_tile_blocks: {
    const bool id = op.op == Op::get_tile_block_id;
    const std::array<Cell, 3> out{define(op.results[0]), define(op.results[1]),
                                  define(op.results[2])};
    add<CallStep>([=](Thread& t) {
      for (std::size_t a = 0; a < 3; ++a) t.put(out[a], id ? t.block[a] : t.grid[a], 4);
    });
    return;
  }
  case Op::make_tensor_view: tensor_view(op); return;
  case Op::make_partition_view:
  case Op::make_strided_view:
  case Op::make_gather_scatter_view:
    places_[op.results[0].index].tensor = place(in[0]).tensor;
    return;
  case Op::get_tensor_shape:
  case Op::get_index_space_shape: index_space(op); return;
  case Op::load_view_tko: {
    const bool may_alias = undisturbed(op.results[0], position);
    add<LoadStep>(access(op, in[0], ir::operand_group(op, 1)), define(op.results[0], !may_alias),
                  may_alias);
    return;
  }
  case Op::broadcast:
  case Op::permute: reorder(op); return;
  case Op::mmaf: matmul(op); return;
  case Op::reduce: reduce(op); return;
  case Op::assert_: assertion(op); return;
  case Op::for_: loop_for(op); return;
  case Op::loop: loop(op); return;
  case Op::if_: branch(op, ends); return;
  case Op::yield: add<EndStep>(moves(in, ends.yield_to), Flow::next); return;
  case Op::continue_: add<EndStep>(moves(in, ends.continue_to), Flow::continue_); return;
  case Op::break_: add<EndStep>(moves(in, ends.break_to), Flow::break_); return;
  case Op::return_: add<EndStep>(std::vector<Move>{}, Flow::return_); return;
  default: refuse(op, "this operation is not there");
  }
}

void Planner::assertion(const Operation& op) {
  const Cell condition = whole(op.operands[0]);
  const std::size_t n = elements(op.operands[0]);
  std::string message = std::get<std::string>(op.attributes[0]);
  // A traced assertion starts with its place, for the GPU's sake; the fault says it anyway.
  const std::string place = fmt::format("{}:{}: ", op.loc.file, op.loc.line);
  if (message.starts_with(place)) message.erase(0, place.size());
  add<CallStep>([=, at = op.loc, message = std::move(message)](Thread& t) {
    for (std::size_t i = 0; i < n; ++i) {
      if (t.at[condition][i] == std::byte{0})
        throw KernelFault{at, "a device assertion failed: " + message};
    }
  });
}

void Planner::reorder(const Operation& op) {
  const ValueId in = op.operands[0], out = op.results[0];
  const std::vector<std::int64_t>& from = type(in).shape;
  std::vector<std::int64_t> own(from.size()), strides(from.size());
  std::int64_t stride = 1;
  for (std::size_t a = from.size(); a-- > 0; stride *= from[a]) own[a] = stride;
  const Cell source = whole(in), target = define(out);
  const std::size_t size = element_bytes(in);
  if (op.op == Op::permute) {
    const auto& order = std::get<std::vector<std::int32_t>>(op.attributes[0]);
    if (order == std::vector<std::int32_t>{1, 0}) {
      add<CallStep>([=, fn = kernels().transpose, m = static_cast<std::size_t>(from[0]),
                     n = static_cast<std::size_t>(from[1])](Thread& t) {
        fn(t.at[target], t.at[source], m, n, size);
      });
      return;
    }
    for (std::size_t a = 0; a < order.size(); ++a)
      strides[a] = own[static_cast<std::size_t>(order[a])];
  } else {
    for (std::size_t a = 0; a < from.size(); ++a) strides[a] = from[a] == 1 ? 0 : own[a];
  }
  add<StridedCopy>(source, target, size, type(out).shape, strides);
}

void Planner::matmul(const Operation& op) {
  const ValueId a = op.operands[0], b = op.operands[1], acc = op.operands[2];
  const MatmulFn fn = kernels().matmul(kind(a), kind(acc));
  if (fn == nullptr)
    refuse(op, fmt::format("no product of {} accumulated in {}", ir::spelling(kind(a)),
                           ir::spelling(kind(acc))));
  const std::vector<std::int64_t>&left = type(a).shape, &right = type(b).shape;
  const std::size_t r = left.size() - 2;
  const MatmulStep::Shape shape{.batch = r == 1 ? left[0] : 1,
                                .m = left[r],
                                .n = right[r + 1],
                                .k = left[r + 1],
                                .operand = element_bytes(a),
                                .accumulator = element_bytes(acc)};
  plan_.scratch_floats =
      std::max(plan_.scratch_floats,
               static_cast<std::size_t>(shape.m * shape.k + shape.k * shape.n + shape.m * shape.n));
  const Cell left_cell = whole(a), right_cell = whole(b);
  const Cell out = define(op.results[0]);
  add<MatmulStep>(fn, shape, left_cell, right_cell, move(acc, out));
}

void Planner::reduce(const Operation& op) {
  const std::vector<std::int64_t>& shape = type(op.operands[0]).shape;
  const auto dim = static_cast<std::size_t>(ir::int_attribute(op, "dim"));
  std::size_t outer = 1, inner = 1;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (a < dim) outer *= static_cast<std::size_t>(shape[a]);
    if (a > dim) inner *= static_cast<std::size_t>(shape[a]);
  }
  const auto extent = static_cast<std::size_t>(shape[dim]);
  const ir::Block& body = f_[op.regions[0]];
  if (op.operands.size() == 1 && body.ops.size() == 2) {
    const Operation& combine = f_[body.ops[0]];
    const bool plain = combine.operands.size() == 2 && combine.operands[0] == body.args[0] &&
                       combine.operands[1] == body.args[1] &&
                       f_[body.ops[1]].operands[0] == combine.results[0];
    bool is_signed = false;
    for (const ir::AttrDef& a : ir::def(combine.op).attributes) {
      if (a.name == "signedness") is_signed = ir::int_attribute(combine, a.name) != 0;
    }
    const bool options = (combine.op == Op::maxf || combine.op == Op::minf) &&
                         ir::flag_attribute(combine, "propagate_nan");
    const ReduceFn fn =
        plain && !options ? kernels().reduce(combine.op, kind(op.operands[0]), is_signed) : nullptr;
    if (fn != nullptr) {
      const Cell in = whole(op.operands[0]), out = define(op.results[0]);
      add<CallStep>([=](Thread& t) { fn(t.at[out], t.at[in], outer, extent, inner); });
      return;
    }
  }
  std::vector<ReduceStep::Operand> operands;
  Ends ends;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Cell in = whole(op.operands[i]);
    const Cell so_far = define(body.args[2 * i], false), next = define(body.args[2 * i + 1], false);
    operands.push_back({in, define(op.results[i]), so_far, next, element_bytes(op.operands[i])});
    ends.yield_to.push_back(so_far);
  }
  Steps steps = block(op.regions[0], ends);
  add<ReduceStep>(std::move(operands), outer, extent, inner, std::move(steps));
}

} // namespace cutile::cpu
