// Plans of operations that are steps of their own.

#include <algorithm>
#include <cstdio>

#include "cpu/planner.hpp"
#include "cpu/print.hpp"

namespace cutile::cpu {
namespace {

/// What a reduction over the memories of several devices is where there is one.
ir::AtomicMode atomic_mode(ir::MultimemReduction reduction, TypeKind kind) {
  using M = ir::MultimemReduction;
  switch (reduction) {
  case M::add: return ir::is_float(kind) ? ir::AtomicMode::addf : ir::AtomicMode::add;
  case M::min: return ir::AtomicMode::min;
  case M::max: return ir::AtomicMode::max;
  case M::and_: return ir::AtomicMode::and_;
  case M::or_: return ir::AtomicMode::or_;
  case M::xor_: return ir::AtomicMode::xor_;
  case M::umin: return ir::AtomicMode::umin;
  case M::umax: return ir::AtomicMode::umax;
  }
  return ir::AtomicMode::add;
}

/// Strides in elements of row-major `shape`.
std::vector<std::int64_t> row_major(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t a = shape.size(); a-- > 1;) strides[a - 1] = strides[a] * shape[a];
  return strides;
}

/// A box within a row-major tile of `shape`; its last axis lies contiguous.
struct Box {
  Cell cell;
  std::vector<std::int64_t> strides; ///< elements
  std::int64_t offset = 0;           ///< elements
  /// Offsets known at run time: a cell, what one step moves, and how many steps there are.
  struct Index {
    Cell cell;
    std::int64_t step, limit;
  };
  std::vector<Index> index{};

  [[nodiscard]] std::byte* start(const Thread& t, std::size_t element, const SourceLoc& at) const {
    std::int64_t elements = offset;
    for (const Index& i : index) {
      const std::int64_t v = t.signed_at(i.cell, 4);
      if (v < 0 || v >= i.limit)
        throw KernelFault{
            at, fmt::format("index {} of a part of a tile is outside its {} parts", v, i.limit)};
      elements += v * i.step;
    }
    return t.at[cell] + static_cast<std::size_t>(elements) * element;
  }
};

/// Copies `extents` elements from one box to another.
auto copy_box(Box from, Box to, std::vector<std::int64_t> extents, std::size_t element,
              SourceLoc at) {
  return [=, from = std::move(from), to = std::move(to), extents = std::move(extents)](Thread& t) {
    const std::byte* const source = from.start(t, element, at);
    std::byte* const target = to.start(t, element, at);
    const std::size_t last = extents.size() - 1;
    const std::size_t row = static_cast<std::size_t>(extents[last]) * element;
    std::vector<std::int64_t> i(extents.size(), 0);
    std::size_t rows = 1;
    for (std::size_t a = 0; a < last; ++a) rows *= static_cast<std::size_t>(extents[a]);
    for (std::size_t r = 0; r < rows; ++r) {
      std::int64_t x = 0, y = 0;
      for (std::size_t a = 0; a < last; ++a) {
        x += i[a] * from.strides[a];
        y += i[a] * to.strides[a];
      }
      const auto bytes = static_cast<std::int64_t>(element);
      std::memcpy(target + y * bytes, source + x * bytes, row);
      for (std::size_t a = last; a-- > 0;) {
        if (++i[a] < extents[a]) break;
        i[a] = 0;
      }
    }
  };
}

} // namespace

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
  case Op::load_view_tko:
  case Op::multimem_load_reduce_view_tko:
    load(op, position);
    return; // one memory: nothing to reduce
  case Op::multimem_reduce_view_tko:
    atomic_reduce(
        op, atomic_mode(ir::enum_attribute<ir::MultimemReduction>(op, "reduction"), kind(in[1])),
        in[1], in[0], ir::operand_group(op, 2));
    return;
  case Op::atomic_red_view_tko:
    atomic_reduce(op, ir::enum_attribute<ir::AtomicMode>(op, "mode"), ir::operand(op, 2), in[0],
                  ir::operand_group(op, 1));
    return;
  case Op::load_ptr_tko: load_pointers(op); return;
  case Op::store_ptr_tko: store_pointers(op); return;
  case Op::atomic_rmw_tko:
  case Op::atomic_cas_tko: atomic(op); return;
  case Op::alloca: alloca(op); return;
  case Op::get_global: get_global(op); return;
  case Op::gdc_launch_dependents_tko:
  case Op::gdc_wait_tko:
  case Op::memory_fence_alias_tko: return; // a launch runs alone, and memory is in program order
  case Op::cat: cat(op); return;
  case Op::extract: extract(op); return;
  case Op::insert: insert(op); return;
  case Op::pack:
  case Op::unpack: pack(op); return;
  case Op::mmai: matmul_int(op); return;
  case Op::mmaf_scaled: matmul_scaled(op); return;
  case Op::scan: scan(op); return;
  case Op::print_tko: print(op); return;
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

void Planner::cat(const Operation& op) {
  const ValueId lhs = op.operands[0], rhs = op.operands[1];
  const auto dim = static_cast<std::size_t>(ir::int_attribute(op, "dim"));
  const std::size_t element = element_bytes(lhs);
  const Cell left = whole(lhs), right = whole(rhs), out = define(op.results[0]);
  const std::vector<std::int64_t> strides = row_major(type(op.results[0]).shape);
  const auto& first = type(lhs).shape;
  const auto& second = type(rhs).shape;
  add<CallStep>(copy_box({left, row_major(first)}, {out, strides}, first, element, op.loc));
  add<CallStep>(copy_box({right, row_major(second)}, {out, strides, first[dim] * strides[dim]},
                         second, element, op.loc));
}

void Planner::extract(const Operation& op) {
  const ValueId in = op.operands[0], out = op.results[0];
  const auto& whole_shape = type(in).shape;
  const auto& part = type(out).shape;
  if (part.empty()) {
    alias(out, in);
    return;
  }
  Box from{whole(in), row_major(whole_shape)};
  for (std::size_t a = 0; a < part.size(); ++a)
    from.index.push_back(
        {place(op.operands[1 + a]).cell, part[a] * from.strides[a], whole_shape[a] / part[a]});
  add<CallStep>(
      copy_box(std::move(from), {define(out), row_major(part)}, part, element_bytes(in), op.loc));
}

void Planner::insert(const Operation& op) {
  const ValueId part = op.operands[0], around = op.operands[1], out = op.results[0];
  const auto& whole_shape = type(around).shape;
  const auto& shape = type(part).shape;
  if (shape.empty()) {
    alias(out, part);
    return;
  }
  const Cell source = whole(part);
  Box to{define(out), row_major(whole_shape)};
  add<EndStep>(std::vector<Move>{move(around, to.cell)}, Flow::next);
  for (std::size_t a = 0; a < shape.size(); ++a)
    to.index.push_back(
        {place(op.operands[2 + a]).cell, shape[a] * to.strides[a], whole_shape[a] / shape[a]});
  add<CallStep>(
      copy_box({source, row_major(shape)}, std::move(to), shape, element_bytes(part), op.loc));
}

void Planner::pack(const Operation& op) {
  const ValueId in = op.operands[0], out = op.results[0];
  const bool packs = ir::bit_width(kind(in)) == 4, unpacks = ir::bit_width(kind(out)) == 4;
  const Cell from = whole(in), to = define(out);
  // The even element is in the low half of a byte.
  const std::size_t bytes = packs ? bytes_of(out) : bytes_of(in);
  add<CallStep>([=](Thread& t) {
    const std::byte* const x = t.at[from];
    std::byte* const y = t.at[to];
    if (packs == unpacks) {
      std::memcpy(y, x, bytes);
    } else if (packs) {
      for (std::size_t i = 0; i < bytes; ++i)
        y[i] = (x[2 * i] & std::byte{15}) | x[2 * i + 1] << 4U;
    } else {
      for (std::size_t i = 0; i < bytes; ++i) {
        y[2 * i] = x[i] & std::byte{15};
        y[2 * i + 1] = x[i] >> 4U;
      }
    }
  });
}

void Planner::print(const Operation& op) {
  struct Argument {
    Cell cell;
    TypeKind kind;
    std::vector<std::int64_t> shape;
  };
  std::vector<Argument> arguments;
  for (const ValueId v : ir::operand_group(op, 0))
    arguments.push_back({whole(v), kind(v), type(v).shape});
  add<CallStep>([arguments = std::move(arguments),
                 format = std::get<std::string>(op.attributes[0])](Thread& t) {
    std::vector<Printed> tiles;
    for (const Argument& a : arguments) tiles.push_back({t.at[a.cell], a.kind, a.shape});
    const std::string text = print_text(format, tiles);
    std::fwrite(text.data(), 1, text.size(),
                stdout); // one call: what other blocks print stays whole
    std::fflush(stdout);
  });
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

void Planner::matmul_int(const Operation& op) {
  const ValueId a = op.operands[0], b = op.operands[1], acc = op.operands[2];
  const std::vector<std::int64_t>&left = type(a).shape, &right = type(b).shape;
  const std::size_t r = left.size() - 2;
  const std::int64_t batch = r == 1 ? left[0] : 1, m = left[r], n = right[r + 1], k = left[r + 1];
  plan_.scratch_floats = std::max(plan_.scratch_floats, static_cast<std::size_t>((m + n) * k));
  const bool a_signed = ir::int_attribute(op, "signedness_lhs") != 0;
  const bool b_signed = ir::int_attribute(op, "signedness_rhs") != 0;
  const Cell x = whole(a), y = whole(b), out = define(op.results[0]);
  add<EndStep>(std::vector<Move>{move(acc, out)}, Flow::next);
  add<CallStep>([=, fn = kernels().int_matmul](Thread& t) {
    for (std::int64_t i = 0; i < batch; ++i)
      fn(t.at[out] + i * m * n * 4, t.at[x] + i * m * k, t.at[y] + i * k * n, m, n, k, a_signed,
         b_signed, t.scratch.data());
  });
}

void Planner::matmul_scaled(const Operation& op) {
  const ValueId a = op.operands[0], b = op.operands[1], acc = op.operands[2];
  const ValueId a_scale = op.operands[3], b_scale = op.operands[4];
  const WidenFn widen = kernels().widen(kind(a)), widen_scale = kernels().widen(kind(a_scale));
  const MatmulFn product = kernels().matmul(TypeKind::f32, TypeKind::f32);
  if (widen == nullptr || widen_scale == nullptr)
    refuse(op, fmt::format("no product of {} scaled by {}", ir::spelling(kind(a)),
                           ir::spelling(kind(a_scale))));
  const std::vector<std::int64_t>&left = type(a).shape, &right = type(b).shape;
  const std::size_t r = left.size() - 2;
  const auto size = [](std::int64_t v) { return static_cast<std::size_t>(v); };
  const std::size_t batch = r == 1 ? size(left[0]) : 1, m = size(left[r]), n = size(right[r + 1]),
                    k = size(left[r + 1]);
  const std::size_t blocks = size(type(a_scale).shape[r + 1]), width = k / blocks;
  plan_.scratch_floats = std::max(plan_.scratch_floats, (m + n) * (k + blocks));
  const Cell x = whole(a), y = whole(b), xs = whole(a_scale), ys = whole(b_scale);
  const Cell out = define(op.results[0]);
  add<EndStep>(std::vector<Move>{move(acc, out)}, Flow::next);
  add<CallStep>([=](Thread& t) {
    float* const wide_a = t.scratch.data();
    float* const wide_b = wide_a + m * k;
    float* const scale_a = wide_b + k * n;
    float* const scale_b = scale_a + m * blocks;
    for (std::size_t i = 0; i < batch; ++i) {
      widen(t.at[x] + i * m * k, wide_a, m * k);
      widen(t.at[y] + i * k * n, wide_b, k * n);
      widen_scale(t.at[xs] + i * m * blocks, scale_a, m * blocks);
      widen_scale(t.at[ys] + i * blocks * n, scale_b, blocks * n);
      for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t c = 0; c < k; ++c)
          wide_a[row * k + c] *= scale_a[row * blocks + c / width];
      }
      for (std::size_t row = 0; row < k; ++row) {
        for (std::size_t c = 0; c < n; ++c) wide_b[row * n + c] *= scale_b[row / width * n + c];
      }
      product(t.at[out] + i * m * n * sizeof(float), reinterpret_cast<const std::byte*>(wide_a),
              reinterpret_cast<const std::byte*>(wide_b), static_cast<std::int64_t>(m),
              static_cast<std::int64_t>(n), static_cast<std::int64_t>(k), nullptr);
    }
  });
}

CombineStep::Axis Planner::axis_of(const Operation& op) const {
  const std::vector<std::int64_t>& shape = type(op.operands[0]).shape;
  const auto dim = static_cast<std::size_t>(ir::int_attribute(op, "dim"));
  CombineStep::Axis axis{1, static_cast<std::size_t>(shape[dim]), 1};
  for (std::size_t a = 0; a < dim; ++a) axis.outer *= static_cast<std::size_t>(shape[a]);
  for (std::size_t a = dim + 1; a < shape.size(); ++a)
    axis.inner *= static_cast<std::size_t>(shape[a]);
  return axis;
}

void Planner::reduce(const Operation& op) {
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
      add<CallStep>([=, axis = axis_of(op)](Thread& t) {
        fn(t.at[out], t.at[in], axis.outer, axis.extent, axis.inner);
      });
      return;
    }
  }
  combine(op, axis_of(op), {});
}

void Planner::scan(const Operation& op) {
  combine(op, axis_of(op), {.keep = true, .reverse = ir::flag_attribute(op, "reverse")});
}

void Planner::combine(const Operation& op, CombineStep::Axis axis, CombineStep::Kind how) {
  const ir::Block& body = f_[op.regions[0]];
  std::vector<CombineStep::Operand> operands;
  Ends ends;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Cell in = whole(op.operands[i]);
    const Cell so_far = define(body.args[2 * i], false), next = define(body.args[2 * i + 1], false);
    operands.push_back({in, define(op.results[i]), so_far, next, element_bytes(op.operands[i])});
    ends.yield_to.push_back(so_far);
  }
  Steps steps = block(op.regions[0], ends);
  add<CombineStep>(std::move(operands), axis, how, std::move(steps));
}

} // namespace cutile::cpu
