#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "cpu/access.hpp"
#include "cpu/element_run.hpp"
#include "cpu/steps.hpp"

// Turns the operations of a function into steps: decides where each value lives, which element-wise
// operations run together, and which copies can be saved.

namespace cutile::cpu {
namespace {

using ir::Op;
using ir::Operation;
using ir::Type;
using ir::TypeKind;
using ir::ValueId;

class Planner {
 public:
  Planner(const ir::Module& module, const ir::Function& function)
      : m_(module), f_(function), places_(function.values.size()) {}

  Plan make() {
    count_uses();
    for (const ValueId p : f_.params()) {
      const std::size_t bytes = bytes_of(p);
      plan_.params.emplace_back(define(p), bytes);
    }
    plan_.body = block(f_.body, {});
    return std::move(plan_);
  }

 private:
  /// Where a value lives.
  struct Place {
    Cell cell = no_cell;
    bool splat = false;                   ///< the cell holds one element, repeated
    std::size_t tensor = ~std::size_t{0}; ///< of a tensor_view or a view
    ir::BlockId block{};                  ///< that defines it
  };
  /// Where the values go that end a region.
  struct Ends {
    std::vector<Cell> yield_to{}; ///< results of an if, or `so far` cells of a reduction
    std::vector<Cell> continue_to{}, break_to{};
  };

  // Types.
  const Type& type(ValueId v) const { return m_.types[f_[v].type]; }
  TypeKind kind(ValueId v) const { return m_.types.element_kind(f_[v].type); }
  bool is_tile(ValueId v) const { return type(v).kind == TypeKind::tile; }
  std::size_t elements(ValueId v) const {
    return static_cast<std::size_t>(m_.types.elements(f_[v].type));
  }
  std::size_t element_bytes(ValueId v) const {
    return static_cast<std::size_t>(ir::storage_bytes(kind(v)));
  }
  std::size_t bytes_of(ValueId v) const { return elements(v) * element_bytes(v); }

  [[noreturn]] void refuse(const Operation& op, std::string_view why) const {
    throw KernelFault{op.loc,
                      fmt::format("the CPU device cannot run {}: {}", ir::def(op.op).name, why)};
  }

  void count_uses() {
    uses_.assign(f_.values.size(), 0);
    for (const ir::Block& b : f_.blocks) {
      for (const ir::OpId id : b.ops) {
        for (const ValueId v : f_[id].operands) ++uses_[v.index];
      }
    }
  }

  // Cells.
  Cell new_cell(std::size_t bytes, bool swappable = false) {
    plan_.cells.push_back({.bytes = bytes, .fill = {}, .swappable = swappable});
    return static_cast<Cell>(plan_.cells.size() - 1);
  }
  Cell constant_cell(std::span<const std::byte> pattern, std::size_t bytes) {
    std::string text(reinterpret_cast<const char*>(pattern.data()), pattern.size());
    const auto [it, added] = constants_.try_emplace({std::move(text), bytes}, no_cell);
    if (added) {
      it->second = new_cell(bytes);
      plan_.cells.back().fill.assign(pattern.begin(), pattern.end());
    }
    return it->second;
  }
  /// A cell of its own for `v`, written whole by its definition.
  Cell define(ValueId v, bool swappable = true) {
    Place& p = places_[v.index];
    p.cell = new_cell(bytes_of(v), swappable);
    p.block = block_;
    return p.cell;
  }
  Place& place(ValueId v) { return places_[v.index]; }
  void alias(ValueId v, ValueId source) {
    places_[v.index] = places_[source.index];
    if (places_[v.index].cell != no_cell) plan_.cells[places_[v.index].cell].swappable = false;
  }
  /// The cell of `v` with all elements written out.
  Cell whole(ValueId v) {
    const Place p = place(v);
    if (!p.splat) return p.cell;
    const std::size_t element = element_bytes(v), bytes = bytes_of(v);
    const std::vector<std::byte>& constant = plan_.cells[p.cell].fill;
    if (!constant.empty()) return constant_cell(std::vector<std::byte>(constant), bytes);
    const Cell full = new_cell(bytes);
    add<CallStep>([=](Thread& t) { fill_with(t.at[full], t.at[p.cell], element, bytes); });
    return full;
  }

  // Steps.
  template <class S, class... A> void add(A&&... args) {
    steps_->push_back(std::make_unique<S>(std::forward<A>(args)...));
  }

  Steps block(ir::BlockId id, const Ends& ends) {
    Steps steps;
    Steps* const outer_steps = std::exchange(steps_, &steps);
    const ir::BlockId outer_block = std::exchange(block_, id);
    std::vector<ir::OpId> outer_run = std::exchange(run_, {});
    const std::vector<ir::OpId>& ops = f_[id].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) operation(ops[i], i, ends);
    flush();
    steps_ = outer_steps;
    block_ = outer_block;
    run_ = std::move(outer_run);
    return steps;
  }

  void operation(ir::OpId id, std::size_t position, const Ends& ends) {
    const Operation& op = f_[id];
    if (ir::def(op.op).has(ir::elementwise)) {
      if (!run_.empty() && elements(op.results[0]) != elements(f_[run_.front()].results[0]))
        flush();
      run_.push_back(id);
      // Given its place now, so that shape changes of it can be aliases; the run may still decide
      // to keep it in a chunk.
      define(op.results[0]);
      return;
    }
    if (op.op == Op::constant) {
      constant(op);
      return;
    }
    const bool reshapes_scalar =
        (op.op == Op::reshape || op.op == Op::broadcast) && elements(op.operands[0]) == 1;
    if (op.op == Op::reshape || op.op == Op::assume || reshapes_scalar) {
      Place& p = places_[op.results[0].index];
      const bool in_run = std::any_of(
          run_.begin(), run_.end(), [&](ir::OpId r) { return f_[r].results[0] == op.operands[0]; });
      // A scalar that is repeated inside the run that makes it would be needed before it is there.
      if (in_run && op.op != Op::assume) flush();
      alias(op.results[0], op.operands[0]);
      if (is_tile(op.results[0]) && elements(op.results[0]) > 1 && elements(op.operands[0]) == 1)
        p.splat = true;
      return;
    }
    if (op.op == Op::make_token || op.op == Op::join_tokens) return;
    if (op.op == Op::store_view_tko) {
      store(op);
      return;
    }
    flush();
    rest(op, position, ends);
  }

  void constant(const Operation& op) {
    const ValueId v = op.results[0];
    const ir::Constant& c = m_[std::get<ir::ConstantId>(op.attributes[0])];
    const std::size_t element = element_bytes(v);
    Place& p = places_[v.index];
    p.splat = elements(v) > 1 && c.data.size() == element;
    p.cell = constant_cell(c.data, p.splat ? element : bytes_of(v));
    p.block = block_;
  }

  /// Emits the element-wise operations gathered so far.
  void flush() {
    const std::vector<ir::OpId> run = std::exchange(run_, {});
    if (!run.empty()) emit_run(run);
  }

  /// The values of a run that nothing outside it reads live in chunks.
  void emit_run(const std::vector<ir::OpId>& run) {
    const std::size_t n = elements(f_[run.front()].results[0]);
    const std::size_t width = std::min(n, chunk_elements);
    std::map<std::uint32_t, std::size_t> last_use; // of values made in the run, by position
    std::map<std::uint32_t, std::uint32_t> inner_uses;
    for (std::size_t i = 0; i < run.size(); ++i) {
      for (const ValueId v : f_[run[i]].operands) {
        last_use[v.index] = i;
        ++inner_uses[v.index];
      }
    }
    std::vector<ElementRun::Spread> spreads;
    std::map<std::pair<Cell, std::size_t>, Cell> spread_cells;
    std::vector<Cell> free_chunks;
    std::map<std::uint32_t, Cell> chunk_of;
    std::vector<ElementRun::Item> items;
    const auto operand = [&](ValueId v) -> ElementRun::Operand {
      if (const auto chunk = chunk_of.find(v.index); chunk != chunk_of.end())
        return {chunk->second, 0};
      const Place& p = place(v);
      const std::size_t element = element_bytes(v);
      if (!p.splat) return {p.cell, element};
      const std::vector<std::byte>& constant = plan_.cells[p.cell].fill;
      if (!constant.empty())
        return {constant_cell(std::vector<std::byte>(constant), width * element), 0};
      const auto [it, added] = spread_cells.try_emplace({p.cell, element}, no_cell);
      if (added) {
        it->second = new_cell(width * element);
        spreads.push_back({p.cell, it->second, element});
      }
      return {it->second, 0};
    };
    for (std::size_t i = 0; i < run.size(); ++i) {
      const Operation& op = f_[run[i]];
      const ValueId result = op.results[0];
      ElementRun::Item item{.fn = element_fn(op),
                            .out = {},
                            .in = {},
                            .count = static_cast<int>(op.operands.size()),
                            .at = op.loc,
                            .name = ir::def(op.op).name.data()};
      for (std::size_t o = 0; o < op.operands.size(); ++o) item.in[o] = operand(op.operands[o]);
      // Chunks whose value was read for the last time are free, for this result too.
      for (const ValueId v : op.operands) {
        if (const auto chunk = chunk_of.find(v.index);
            chunk != chunk_of.end() && last_use[v.index] == i) {
          free_chunks.push_back(chunk->second);
          chunk_of.erase(chunk);
        }
      }
      const bool only_inside =
          n > width && uses_[result.index] > 0 && inner_uses[result.index] == uses_[result.index];
      if (only_inside) {
        if (free_chunks.empty()) free_chunks.push_back(new_cell(width * sizeof(std::uint64_t)));
        chunk_of[result.index] = free_chunks.back();
        free_chunks.pop_back();
        plan_.cells[place(result).cell].bytes = 0; // its own memory is not needed
        item.out = {chunk_of[result.index], 0};
      } else {
        item.out = {place(result).cell, element_bytes(result)};
      }
      items.push_back(item);
    }
    add<ElementRun>(n, std::move(spreads), std::move(items));
  }

  ElementFn element_fn(const Operation& op) const {
    ElementKey key{.op = op.op, .in = kind(op.operands.back()), .out = kind(op.results[0])};
    using ir::RoundingMode;
    switch (op.op) {
    case Op::addf:
    case Op::subf:
    case Op::mulf:
    case Op::fma:
    case Op::divf:
    case Op::sqrt: {
      const auto mode = ir::enum_attribute<RoundingMode>(op, "rounding_mode");
      // approx and full promise less than the nearest value.
      if (mode != RoundingMode::nearest_even && mode != RoundingMode::approx &&
          mode != RoundingMode::full)
        refuse(op, "only rounding to nearest is there");
      break;
    }
    case Op::divi: key.mode = ir::int_attribute(op, "rounding"); break;
    case Op::cmpf:
    case Op::cmpi: key.mode = ir::int_attribute(op, "comparison_predicate"); break;
    default: break;
    }
    for (const ir::AttrDef& a : ir::def(op.op).attributes) {
      if (a.name == "flush_to_zero" && ir::flag_attribute(op, a.name))
        refuse(op, "flush_to_zero is not there");
      if (a.name == "signedness" || a.name == "comparison_ordering")
        key.flag = ir::int_attribute(op, a.name) != 0;
      if (a.name == "propagate_nan") key.flag = ir::flag_attribute(op, a.name);
    }
    const ElementFn fn = kernels().element(key);
    if (fn == nullptr)
      refuse(op,
             fmt::format("no kernel from {} to {}", ir::spelling(key.in), ir::spelling(key.out)));
    return fn;
  }

  // Views and accesses.
  ViewAccess access(const Operation& op, ValueId view, std::span<const ValueId> index) {
    const Type& t = type(view);
    if (t.kind == TypeKind::gather_scatter_view)
      refuse(op, "gather and scatter views are not there");
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
    return ViewAccess(std::move(shape), std::move(cells),
                      static_cast<int>(element_bytes(index[0])));
  }

  static std::uint64_t padding_bits(ir::Padding padding, TypeKind kind) {
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

  /// Whether nothing may write memory between the operation at `position` of this block and the
  /// last use of its result.
  bool undisturbed(ValueId v, std::size_t position) const {
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

  void store(const Operation& op) {
    const ValueId tile = op.operands[0];
    const ValueId view = op.operands[1];
    const auto index = ir::operand_group(op, 2);
    // The result of a run that only this store reads can be computed where it belongs.
    const auto made = std::find_if(run_.begin(), run_.end(),
                                   [&](ir::OpId r) { return f_[r].results[0] == tile; });
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

  // Everything else.
  void rest(const Operation& op, std::size_t position, const Ends& ends) {
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
    case Op::assert_: {
      const Cell condition = whole(in[0]);
      const std::size_t n = elements(in[0]);
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
      return;
    }
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

  void tensor_view(const Operation& op) {
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

  void index_space(const Operation& op) {
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

  void reorder(const Operation& op) {
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

  /// Whether `v` may give its memory away at its last use, in this block.
  bool can_give(ValueId v) {
    const Place& p = place(v);
    return !p.splat && p.cell != no_cell && plan_.cells[p.cell].swappable && uses_[v.index] == 1 &&
           p.block == block_;
  }

  Move move(ValueId from, Cell to) {
    const Place& p = place(from);
    const std::size_t element = element_bytes(from), bytes = bytes_of(from);
    const Move::Kind kind = p.splat                                       ? Move::Kind::fill
                            : can_give(from) && plan_.cells[to].swappable ? Move::Kind::swap
                                                                          : Move::Kind::copy;
    return {kind, p.cell, to, bytes, element};
  }

  /// Hands `values` to `targets`; values without a cell (tokens) have none there either.
  std::vector<Move> moves(std::span<const ValueId> values, const std::vector<Cell>& targets) {
    std::vector<Move> out;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i] == no_cell || place(values[i]).cell == targets[i]) continue;
      Move m = move(values[i], targets[i]);
      // A source that is itself a destination must be saved first.
      if (m.kind != Move::Kind::fill &&
          std::find(targets.begin(), targets.end(), m.from) != targets.end()) {
        m.kind = Move::Kind::through_temporary;
        m.temporary = new_cell(m.bytes);
      }
      out.push_back(m);
    }
    return out;
  }

  void matmul(const Operation& op) {
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
    plan_.scratch_floats = std::max(
        plan_.scratch_floats,
        static_cast<std::size_t>(shape.m * shape.k + shape.k * shape.n + shape.m * shape.n));
    const Cell left_cell = whole(a), right_cell = whole(b);
    const Cell out = define(op.results[0]);
    add<MatmulStep>(fn, shape, left_cell, right_cell, move(acc, out));
  }

  void reduce(const Operation& op) {
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
      const ReduceFn fn = plain && !options
                              ? kernels().reduce(combine.op, kind(op.operands[0]), is_signed)
                              : nullptr;
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
      const Cell so_far = define(body.args[2 * i], false),
                 next = define(body.args[2 * i + 1], false);
      operands.push_back({in, define(op.results[i]), so_far, next, element_bytes(op.operands[i])});
      ends.yield_to.push_back(so_far);
    }
    Steps steps = block(op.regions[0], ends);
    add<ReduceStep>(std::move(operands), outer, extent, inner, std::move(steps));
  }

  /// Cells for values that a region takes or gives; tokens have none.
  std::vector<Cell> define_all(std::span<const ValueId> values, ir::BlockId block) {
    std::vector<Cell> cells;
    for (const ValueId v : values) {
      if (!is_tile(v)) {
        cells.push_back(no_cell);
        continue;
      }
      cells.push_back(define(v));
      places_[v.index].block = block;
    }
    return cells;
  }

  void loop_for(const Operation& op) {
    const ir::BlockId region = op.regions[0];
    const std::vector<ValueId>& args = f_[region].args;
    const Cell variable = define(args[0], false);
    Ends ends;
    ends.continue_to = define_all(std::span(args).subspan(1), region);
    const std::vector<Move> enter = moves(ir::operand_group(op, 3), ends.continue_to);
    Steps body = block(region, ends);
    const std::vector<Cell> results = define_all(op.results, block_);
    std::vector<Move> leave;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (results[i] != no_cell)
        leave.push_back({swappable(ends.continue_to[i], results[i]), ends.continue_to[i],
                         results[i], bytes_of(op.results[i]), element_bytes(op.results[i])});
    }
    const ForStep::Bounds bounds{.lower = place(op.operands[0]).cell,
                                 .upper = place(op.operands[1]).cell,
                                 .step = place(op.operands[2]).cell,
                                 .variable = variable,
                                 .bytes = static_cast<int>(element_bytes(args[0])),
                                 .is_unsigned = ir::flag_attribute(op, "unsignedCmp")};
    add<ForStep>(bounds, enter, std::move(leave), std::move(body));
  }

  Move::Kind swappable(Cell a, Cell b) const {
    return plan_.cells[a].swappable && plan_.cells[b].swappable ? Move::Kind::swap
                                                                : Move::Kind::copy;
  }

  void loop(const Operation& op) {
    const ir::BlockId region = op.regions[0];
    Ends ends;
    ends.continue_to = define_all(f_[region].args, region);
    ends.break_to = define_all(op.results, block_);
    const std::vector<Move> enter = moves(ir::operand_group(op, 0), ends.continue_to);
    Steps body = block(region, ends);
    add<LoopStep>(enter, std::move(body));
  }

  void branch(const Operation& op, const Ends& outer) {
    Ends ends = outer; // break and continue inside belong to the loop around
    ends.yield_to = define_all(op.results, block_);
    const Cell condition = place(op.operands[0]).cell;
    Steps then = block(op.regions[0], ends);
    Steps otherwise = op.regions[1].valid() ? block(op.regions[1], ends) : Steps{};
    add<IfStep>(condition, std::move(then), std::move(otherwise));
  }

  const ir::Module& m_;
  const ir::Function& f_;
  Plan plan_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> uses_;
  std::map<std::pair<std::string, std::size_t>, Cell> constants_;
  Steps* steps_ = nullptr;
  ir::BlockId block_{};
  std::vector<ir::OpId> run_;
};

} // namespace

Plan make_plan(const ir::Module& module, const ir::Function& function) {
  return Planner(module, function).make();
}

} // namespace cutile::cpu
