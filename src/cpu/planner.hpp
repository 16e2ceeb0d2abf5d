#pragma once

#include <fmt/format.h>

#include <map>

#include "cpu/access.hpp"
#include "cpu/element_run.hpp"
#include "cpu/steps.hpp"

// Turns the operations of a function into steps: decides where each value lives, which element-wise
// operations run together, and which copies can be saved.

namespace cutile::cpu {

using ir::Op;
using ir::Operation;
using ir::Type;
using ir::TypeKind;
using ir::ValueId;

class Planner {
 public:
  Planner(const ir::Module& module, const ir::Function& function)
      : m_(module), f_(function), places_(function.values.size()) {}

  Plan make();

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

  [[noreturn]] void refuse(const Operation& op, std::string_view why) const;

  // Cells.
  Cell new_cell(std::size_t bytes, bool swappable = false);
  Cell constant_cell(std::span<const std::byte> pattern, std::size_t bytes);
  /// A cell of its own for `v`, written whole by its definition.
  Cell define(ValueId v, bool swappable = true);
  Place& place(ValueId v) { return places_[v.index]; }
  void alias(ValueId v, ValueId source);
  /// The cell of `v` with all elements written out.
  Cell whole(ValueId v);

  // Steps, and element-wise operations gathered into runs.
  template <class S, class... A> void add(A&&... args) {
    steps_->push_back(std::make_unique<S>(std::forward<A>(args)...));
  }
  Steps block(ir::BlockId id, const Ends& ends);
  void operation(ir::OpId id, std::size_t position, const Ends& ends);
  void constant(const Operation& op);
  /// Emits the element-wise operations gathered so far.
  void flush();
  /// The values of a run that nothing outside it reads live in chunks.
  void emit_run(const std::vector<ir::OpId>& run);
  ElementKey element_key(const Operation& op) const;
  std::int64_t immediate(const Operation& op, const ElementKey& key) const;

  // Tensors, views and accesses: planner_memory.cpp.
  void tensor_view(const Operation& op);
  void index_space(const Operation& op);
  ViewShape view_shape(const Operation& op, ValueId view) const;
  ViewAccess access(const Operation& op, ValueId view, std::span<const ValueId> index);
  /// Whether tiles of the view are reached element by element: gathered, or of four bits.
  bool is_scattered(ValueId view) const;
  ScatteredAccess scattered(const Operation& op, ValueId view, std::span<const ValueId> index);
  void load(const Operation& op, std::size_t position);
  /// Whether nothing may write memory between the operation at `position` of this block and the
  /// last use of its result.
  bool undisturbed(ValueId v, std::size_t position) const;
  void store(const Operation& op, ValueId tile, ValueId view, std::span<const ValueId> index);
  void atomic_reduce(const Operation& op, ir::AtomicMode mode, ValueId value, ValueId view,
                     std::span<const ValueId> index);

  // Pointers: planner_pointers.cpp.
  Cell optional_whole(const Operation& op, std::size_t group);
  void load_pointers(const Operation& op);
  void store_pointers(const Operation& op);
  void atomic(const Operation& op);
  void alloca(const Operation& op);
  void get_global(const Operation& op);

  // Operations that are steps of their own: planner_ops.cpp.
  void rest(const Operation& op, std::size_t position, const Ends& ends);
  void assertion(const Operation& op);
  void print(const Operation& op);
  void reorder(const Operation& op);
  void cat(const Operation& op);
  void extract(const Operation& op);
  void insert(const Operation& op);
  void pack(const Operation& op);
  void matmul(const Operation& op);
  void matmul_int(const Operation& op);
  void matmul_scaled(const Operation& op);
  CombineStep::Axis axis_of(const Operation& op) const;
  void reduce(const Operation& op);
  void scan(const Operation& op);
  void combine(const Operation& op, CombineStep::Axis axis, CombineStep::Kind how);

  // Regions and the values handed between them: planner_control.cpp.
  /// Whether `v` may give its memory away at its last use, in this block.
  bool can_give(ValueId v);
  Move move(ValueId from, Cell to);
  /// Hands `values` to `targets`; values without a cell (tokens) have none there either.
  std::vector<Move> moves(std::span<const ValueId> values, const std::vector<Cell>& targets);
  Move::Kind swappable(Cell a, Cell b) const;
  /// Cells for values that a region takes or gives; tokens have none.
  std::vector<Cell> define_all(std::span<const ValueId> values, ir::BlockId block);
  void loop_for(const Operation& op);
  void loop(const Operation& op);
  void branch(const Operation& op, const Ends& outer);

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

} // namespace cutile::cpu
