#pragma once

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
