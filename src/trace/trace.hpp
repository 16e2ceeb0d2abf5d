#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cutile/detail/trace_api.hpp"
#include "cutile/error.hpp"
#include "ir/builder.hpp"
#include "trace/kernel_spec.hpp"

namespace cutile::trace {

[[nodiscard]] ir::TypeKind element_kind(DType dtype);

/// The recording of one kernel. Operations go straight into SSA form: each open region keeps the
/// current value of the slots that it read from outside or assigned. A slot read in a loop gets a
/// block argument at once; closing the loop drops the arguments of slots that never changed.
class Trace {
 public:
  Trace(std::string_view kernel, SourceLoc at, std::span<const ArgSpec> args,
        const KernelHints& hints);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace();

  /// The trace that runs on this thread. Throws UsageError when none does: a tile outside a kernel.
  static Trace& current();

  /// Ends the kernel. Fails with all mistakes found, one a line.
  [[nodiscard]] Result<TracedKernel> finish();

  [[nodiscard]] detail::TensorParam tensor(int arg) const {
    return {static_cast<std::uint32_t>(arg)};
  }
  [[nodiscard]] detail::Slot scalar(int arg);

  // Slots.
  detail::Slot declare(ir::ValueId value); ///< a new slot; an invalid value leaves it unassigned
  [[nodiscard]] ir::ValueId read(detail::Slot slot, SourceLoc at = {});
  void write(detail::Slot slot, ir::ValueId value);

  // Emission.
  [[nodiscard]] ir::Builder& builder() { return builder_; }
  [[nodiscard]] ir::TypeTable& types() { return builder_.types(); }
  [[nodiscard]] ir::TypeId type_of(ir::ValueId value) { return builder_.type(value); }
  [[nodiscard]] ir::TypeId tile(detail::TileType type);
  /// The type of `value` with another element.
  [[nodiscard]] ir::TypeId with_element(ir::ValueId value, ir::TypeKind element);
  /// A splat, defined once before everything else.
  ir::ValueId constant(ir::TypeId type, std::uint64_t bits, SourceLoc at);
  ir::ValueId index_constant(std::int32_t value, SourceLoc at) {
    return constant(types().tile(ir::TypeKind::i32), static_cast<std::uint32_t>(value), at);
  }
  /// Emits at the start of the kernel whatever `emit` emits.
  template <class Emit> auto in_prologue(Emit emit) {
    const auto guard = builder_.enter(prologue_);
    return emit();
  }

  void error(SourceLoc at, std::string_view message);
  /// The place, or that of the operation before where it is not known.
  [[nodiscard]] SourceLoc place(SourceLoc at) {
    if (at.line != 0) last_place_ = at;
    return last_place_;
  }

  // Regions (control.cpp).
  void begin_for(ir::ValueId lower, ir::ValueId upper, ir::ValueId step, SourceLoc at);
  void begin_loop(SourceLoc at);
  void begin_if(ir::ValueId condition, SourceLoc at);
  void begin_else();
  void end_if();
  void end_loop(); ///< closes a `for` or `loop`
  void exit_loop(ir::Op op, SourceLoc at);
  void return_kernel(SourceLoc at);
  /// A reduction or scan: its body is the block that is open afterwards.
  void begin_combine(detail::CombineKind kind, const std::vector<ir::ValueId>& tiles, int axis,
                     std::span<const std::uint64_t> identities, SourceLoc at);
  std::vector<ir::ValueId> end_combine(std::vector<ir::ValueId> values, SourceLoc at);
  [[nodiscard]] std::size_t depth() const { return frames_.size(); }
  void close_to(std::size_t depth);
  [[nodiscard]] ir::ValueId induction() const { return frames_.back().induction; }

  // Tensors (memory.cpp).
  struct View {
    ir::ValueId value;
    int arg;
    std::vector<int> tile;
  };
  std::uint32_t view(int arg, std::span<const int> tile, detail::PaddingKind padding, SourceLoc at);
  /// A view whose tiles start at every element.
  std::uint32_t window(int arg, std::span<const int> tile, SourceLoc at);
  [[nodiscard]] const View& view(std::uint32_t id) const { return views_[id]; }
  ir::ValueId tile_count(std::uint32_t view, int axis, SourceLoc at);
  ir::ValueId extent(int arg, int axis, SourceLoc at);
  ir::ValueId block_id(int axis, SourceLoc at);
  ir::ValueId grid_size(int axis, SourceLoc at);
  ir::ValueId load(std::uint32_t view, std::span<const ir::ValueId> index, ir::TypeId type,
                   int latency, SourceLoc at);
  void store(std::uint32_t view, std::span<const ir::ValueId> index, ir::ValueId tile,
             SourceLoc at);
  void require(LaunchCheck check) { kernel_.checks.push_back(check); }
  void know_bound(ir::ValueId value, Bound bound) { kernel_.bounds[value.index] = bound; }

 private:
  struct Carried {
    std::uint32_t slot;
    ir::ValueId init, arg;
  };
  using Values = std::unordered_map<std::uint32_t, ir::ValueId>;
  struct Exit {
    ir::OpId op;
    Values values;
  };
  enum class FrameKind : std::uint8_t { body, loop, then_branch, else_branch, combine };
  struct Frame {
    FrameKind kind = FrameKind::body;
    ir::OpId op{};
    ir::BlockId block{};
    std::uint32_t first_slot = 0; ///< slots from here on were declared inside
    bool ended = false;           ///< by break or continue: nothing after it is reachable
    SourceLoc at{};
    ir::ValueId induction{};
    Values values{};
    std::vector<Carried> carried{};
    std::vector<Exit> exits{};
    Values then_values{}; ///< of the `then` branch while in the `else` branch
    bool then_ended = false;
  };

  ir::ValueId read_at(std::size_t frame, std::uint32_t slot);
  void open(FrameKind kind, ir::OpId op, ir::BlockId block, SourceLoc at);
  void end_here(); ///< what follows in this region cannot run
  void leave();    ///< pops the innermost frame and continues in the one around it
  void end_with(ir::Op terminator, std::vector<ir::ValueId> operands, SourceLoc at);
  [[nodiscard]] ir::ValueId resolve(ir::ValueId value);
  void add_params();
  ir::ValueId tensor_view(int arg);
  std::uint32_t add_view(int arg, std::span<const int> tile, ir::Op op, const ir::Type& type,
                         SourceLoc at);
  detail::Slot token_slot(int arg);
  std::array<ir::ValueId, 3> grid_values(ir::Op op, std::array<ir::ValueId, 3>& cache,
                                         SourceLoc at);

  std::string name_;
  SourceLoc at_;
  std::vector<ArgSpec> args_;
  TracedKernel kernel_;
  ir::Builder builder_;
  ir::BlockId prologue_;
  std::vector<Frame> frames_;
  std::uint32_t next_slot_ = 0;
  std::unordered_map<std::uint32_t, ir::ValueId> replaced_; ///< dropped loop arguments
  std::vector<std::string> errors_;
  SourceLoc last_place_;

  struct TensorValues {
    ir::ValueId pointer{}, view{};
    std::vector<ir::ValueId> extents{}, strides{};
    detail::Slot token{};
    bool has_token = false;
  };
  std::vector<TensorValues> tensors_;
  std::vector<ir::ValueId> scalars_;
  std::vector<View> views_;
  std::map<std::pair<int, std::uint32_t>, std::uint32_t> view_ids_; ///< by argument and type
  std::map<std::uint32_t, std::vector<ir::ValueId>> counts_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, ir::ValueId> constants_;
  std::array<ir::ValueId, 3> block_ids_{}, grid_sizes_{};
};

} // namespace cutile::trace
