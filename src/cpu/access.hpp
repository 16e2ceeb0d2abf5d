#pragma once

#include <optional>

#include "cpu/plan.hpp"

namespace cutile::cpu {

/// How a tile of a view lies in its tensor.
struct ViewShape {
  std::size_t tensor = 0; ///< in Thread::tensors
  std::size_t element = 0;
  std::vector<std::int64_t> tile,
      step; ///< extents, and elements between neighbouring tiles, per tile axis
  std::vector<std::size_t> axis;      ///< tensor axis of each tile axis
  std::array<std::byte, 8> padding{}; ///< one element
  bool is_bool = false;               ///< any byte but 0 loads as 1
  bool is_4bit = false; ///< packed in pairs, the even element in the low half of a byte
};

/// A tile of a view at an index known at run time.
class ViewAccess {
 public:
  ViewAccess(ViewShape shape, std::vector<Cell> index, int index_bytes)
      : shape_(std::move(shape)), index_(std::move(index)), index_bytes_(index_bytes) {}

  /// Where the tile lies.
  struct Box {
    std::byte* base;                            ///< of its first element
    std::array<std::int64_t, max_rank> valid;   ///< elements inside the tensor, per tile axis
    std::array<std::int64_t, max_rank> strides; ///< bytes
  };
  [[nodiscard]] Box box(const Thread& thread) const;
  /// Whether the tile is whole and its elements lie side by side in row-major order.
  [[nodiscard]] bool is_direct(const Box& box) const;
  void load(const Box& box, std::byte* out) const;
  void store(const Box& box, const std::byte* in) const;
  [[nodiscard]] const ViewShape& shape() const { return shape_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  ViewShape shape_;
  std::vector<Cell> index_;
  int index_bytes_;
};

/// Any byte but 0 becomes 1.
void make_bools(std::byte* bytes, std::size_t n);

/// A tile whose elements are reached one by one: gathered along an axis, of four bits, or updated
/// atomically.
class ScatteredAccess {
 public:
  /// `sparse` is the axis whose index is a tile of positions; the other indices of such a view
  /// count elements.
  ScatteredAccess(ViewShape shape, std::vector<Cell> index, int index_bytes,
                  std::optional<std::size_t> sparse)
      : shape_(std::move(shape)), index_(std::move(index)), index_bytes_(index_bytes),
        sparse_(sparse) {}

  /// Calls visit(number of the element, offset in bytes from `base`, which is -1 outside the
  /// tensor). Elements of four bits count as bytes.
  template <class F> void visit(const Thread& thread, F f) const {
    const Positions positions = locate(thread);
    std::array<std::size_t, max_rank> at{};
    const std::size_t rank = positions.size();
    std::size_t count = 1;
    for (const auto& axis : positions) count *= axis.size();
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t offset = 0;
      for (std::size_t a = 0; a < rank; ++a) {
        const std::int64_t o = positions[a][at[a]];
        offset = o < 0 || offset < 0 ? -1 : offset + o;
      }
      f(i, offset);
      for (std::size_t a = rank; a-- > 0;) {
        if (++at[a] < positions[a].size()) break;
        at[a] = 0;
      }
    }
  }
  void load(const Thread& thread, std::byte* out) const;
  void store(const Thread& thread, const std::byte* in) const;
  [[nodiscard]] std::byte* base(const Thread& thread) const {
    return thread.tensors[shape_.tensor].base;
  }

 private:
  /// For each tile axis the offsets of its elements.
  using Positions = std::vector<std::vector<std::int64_t>>;
  [[nodiscard]] Positions locate(const Thread& thread) const;

  ViewShape shape_;
  std::vector<Cell> index_;
  int index_bytes_;
  std::optional<std::size_t> sparse_;
};

/// Loads a tile; where nothing may be written before its last use, a tile that lies contiguous in
/// memory is used in place.
class LoadStep final : public Step {
 public:
  LoadStep(ViewAccess access, Cell out, bool may_alias)
      : access_(std::move(access)), out_(out), may_alias_(may_alias) {}
  Flow run(Thread& thread) const override;

 private:
  ViewAccess access_;
  Cell out_;
  bool may_alias_;
};

/// Stores a tile, unless its elements were computed in place.
class StoreStep final : public Step {
 public:
  StoreStep(ViewAccess access, Cell in) : access_(std::move(access)), in_(in) {}
  Flow run(Thread& thread) const override;

 private:
  ViewAccess access_;
  Cell in_;
};

/// Before an element-wise run whose result is stored: lets the run write straight to memory where
/// that is possible. The inputs of the run may lie in memory too: then they must be the same
/// elements or others altogether.
class BindStore final : public Step {
 public:
  struct Input {
    Cell cell;
    std::size_t bytes;
  };
  BindStore(ViewAccess access, Cell out, std::vector<Input> inputs)
      : access_(std::move(access)), out_(out), inputs_(std::move(inputs)) {}
  Flow run(Thread& thread) const override;

 private:
  ViewAccess access_;
  Cell out_;
  std::vector<Input> inputs_; ///< those that may lie in memory
};

} // namespace cutile::cpu
