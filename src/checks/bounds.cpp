#include "checks/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "ir/builder.hpp"

namespace cutile::checks {
namespace {

using ir::Op;
using ir::ValueId;
using trace::Bound;
using trace::TileCount;

class Placer {
 public:
  explicit Placer(trace::TracedKernel& kernel)
      : kernel_(kernel), f_(kernel.module.functions.front()) {}

  void run() {
    for (std::uint32_t b = 0; b < f_.blocks.size(); ++b) {
      const std::vector<ir::OpId> ops = f_[ir::BlockId{b}].ops;
      for (const ir::OpId op : ops) {
        if (f_[op].op == Op::load_view_tko) check_load({b}, op);
      }
    }
  }

 private:
  const ir::Operation* def(ValueId v) const { return f_[v].def.valid() ? &f_[f_[v].def] : nullptr; }

  /// Value of a scalar integer constant.
  std::optional<std::int64_t> constant(ValueId v) const {
    const ir::Operation* op = def(v);
    if (op == nullptr || op->op != Op::constant) return std::nullopt;
    const ir::Constant& c = kernel_.module[std::get<ir::ConstantId>(op->attributes[0])];
    if (c.data.size() != sizeof(std::int32_t)) return std::nullopt;
    std::int32_t value = 0;
    std::memcpy(&value, c.data.data(), sizeof value);
    return value;
  }

  /// The `for` whose induction variable `v` is.
  const ir::Operation* loop_of(ValueId v) const {
    const ir::Value& value = f_[v];
    if (value.def.valid() || value.index != 0 || !f_[value.block].parent.valid()) return nullptr;
    const ir::Operation& op = f_[f_[value.block].parent];
    return op.op == Op::for_ ? &op : nullptr;
  }

  bool non_negative(ValueId v) const {
    if (kernel_.bounds.contains(v.index)) return true;
    if (const auto c = constant(v)) return *c >= 0;
    if (const ir::Operation* loop = loop_of(v)) return non_negative(loop->operands[0]);
    const ir::Operation* op = def(v);
    return op != nullptr &&
           (op->op == Op::get_tile_block_id || op->op == Op::get_index_space_shape);
  }

  /// A value that is itself an exclusive bound.
  std::optional<Bound> as_bound(ValueId v) const {
    if (const auto c = constant(v)) return Bound{.kind = Bound::Kind::constant, .value = *c};
    const ir::Operation* op = def(v);
    if (op == nullptr) {
      // An entry parameter: a scalar argument.
      if (f_[v].block == f_.body) {
        const trace::ParamSource& source = kernel_.params[f_[v].index];
        if (source.kind == trace::ParamSource::Kind::scalar)
          return Bound{.kind = Bound::Kind::scalar, .value = source.arg};
      }
      return std::nullopt;
    }
    if (op->op == Op::get_num_tile_blocks)
      return Bound{.kind = Bound::Kind::grid, .value = f_[v].index};
    if (op->op == Op::get_index_space_shape)
      return Bound{.kind = Bound::Kind::tiles, .tiles = count(op->operands[0], f_[v].index)};
    return std::nullopt;
  }

  /// An exclusive upper bound of a non-negative value.
  std::optional<Bound> bound(ValueId v) const {
    if (const auto known = kernel_.bounds.find(v.index); known != kernel_.bounds.end())
      return known->second;
    if (const auto c = constant(v))
      return *c >= 0 ? std::optional(Bound{.kind = Bound::Kind::constant, .value = *c + 1})
                     : std::nullopt;
    if (const ir::Operation* loop = loop_of(v))
      return non_negative(v) ? as_bound(loop->operands[1]) : std::nullopt;
    const ir::Operation* op = def(v);
    if (op != nullptr && op->op == Op::get_tile_block_id)
      return Bound{.kind = Bound::Kind::grid, .value = f_[v].index};
    return std::nullopt;
  }

  TileCount count(ValueId view, std::size_t axis) const {
    const ir::Type& type = kernel_.module.types[f_[view].type];
    const std::vector<std::int64_t>& step =
        type.kind == ir::TypeKind::strided_view ? type.strides : type.shape;
    return {.arg = kernel_.view_args.at(view.index),
            .axis = static_cast<int>(axis),
            .tile = static_cast<int>(step[axis])};
  }

  void check_load(ir::BlockId block, ir::OpId id) {
    const ir::Operation op = f_[id];
    const ValueId view = ir::operand(op, 0);
    const auto indices = ir::operand_group(op, 1);
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      const TileCount limit = count(view, axis);
      const std::optional<Bound> known = bound(indices[axis]);
      if (!known) {
        assert_before(block, id, view, axis, indices[axis], op.loc);
      } else if (known->kind != Bound::Kind::tiles || known->tiles != limit) {
        const bool asked = std::any_of(kernel_.checks.begin(), kernel_.checks.end(),
                                       [&](const trace::LaunchCheck& c) {
                                         return c.kind == trace::LaunchCheck::Kind::index &&
                                                c.bound == *known && c.limit == limit;
                                       });
        if (!asked) kernel_.checks.push_back({.bound = *known, .limit = limit, .at = op.loc});
      }
    }
  }

  void assert_before(ir::BlockId block, ir::OpId load, ValueId view, std::size_t axis,
                     ValueId index, SourceLoc at) {
    ir::Builder b(kernel_.module, 0);
    const std::size_t old_size = f_[block].ops.size();
    {
      const auto in = b.enter(block);
      const ir::TypeId index_type = b.type(index);
      const std::vector<ir::TypeId> counts(kernel_.module.types[b.type(view)].shape.size(),
                                           index_type);
      const ir::OpId shape = b.emit(Op::get_index_space_shape, std::span(&view, 1), counts, {}, at);
      const ValueId limit = b.function()[shape].results[axis];
      // Unsigned, so that a negative index fails too.
      const ValueId inside =
          b.value(Op::cmpi, {index, limit}, b.types().tile(ir::TypeKind::i1),
                  {{"comparison_predicate", static_cast<std::int64_t>(ir::Comparison::less_than)},
                   {"signedness", static_cast<std::int64_t>(ir::Signedness::unsigned_)}},
                  at);
      b.emit(
          Op::assert_, std::span(&inside, 1), {},
          {{"message",
            fmt::format(
                "{}:{}: load of argument {}: the index along axis {} is outside the grid of tiles",
                at.file, at.line, kernel_.view_args.at(view.index) + 1, axis)}},
          at);
    }
    // Move what was appended in front of the load.
    std::vector<ir::OpId>& ops = f_[block].ops;
    const auto position = std::find(ops.begin(), ops.end(), load);
    std::rotate(position, ops.begin() + static_cast<std::ptrdiff_t>(old_size), ops.end());
  }

  trace::TracedKernel& kernel_;
  ir::Function& f_;
};

} // namespace

void place_bounds_checks(trace::TracedKernel& kernel) { Placer(kernel).run(); }

} // namespace cutile::checks
