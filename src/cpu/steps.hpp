#pragma once

#include <functional>
#include <optional>

#include "cpu/isa/kernels.hpp"
#include "cpu/plan.hpp"

// Steps other than element-wise runs and accesses.

namespace cutile::cpu {

/// A step that is one function of the thread.
class CallStep final : public Step {
 public:
  explicit CallStep(std::function<void(Thread&)> call) : call_(std::move(call)) {}
  Flow run(Thread& thread) const override {
    call_(thread);
    return Flow::next;
  }

 private:
  std::function<void(Thread&)> call_;
};

/// Copies elements in an order: element (i, j, ...) of the result is at i * strides[0] + j *
/// strides[1] + ... of the source.
class StridedCopy final : public Step {
 public:
  StridedCopy(Cell from, Cell to, std::size_t element, std::vector<std::int64_t> shape,
              std::vector<std::int64_t> strides)
      : from_(from), to_(to), element_(element), shape_(std::move(shape)),
        strides_(std::move(strides)) {}
  Flow run(Thread& thread) const override;

 private:
  Cell from_, to_;
  std::size_t element_;
  std::vector<std::int64_t> shape_, strides_; ///< strides in elements
};

/// acc + a * b, in the accumulator's own memory where nobody needs it afterwards.
class MatmulStep final : public Step {
 public:
  struct Shape {
    std::int64_t batch, m, n, k;
    std::size_t operand, accumulator; ///< bytes of an element
  };
  MatmulStep(MatmulFn fn, Shape shape, Cell a, Cell b, Move acc)
      : fn_(fn), shape_(shape), a_(a), b_(b), acc_(acc) {}
  Flow run(Thread& thread) const override;

 private:
  MatmulFn fn_;
  Shape shape_;
  Cell a_, b_;
  Move acc_; ///< from the old accumulator to the result
};

/// A reduction or scan whose body is any code: arguments 2i (so far) and 2i + 1 (next element) of
/// operand i are cells.
class CombineStep final : public Step {
 public:
  struct Operand {
    Cell in, out, so_far, next;
    std::size_t element;
  };
  /// The axis with `extent` elements, what lies before it and after it.
  struct Axis {
    std::size_t outer, extent, inner;
  };
  struct Kind {
    bool keep = false;    ///< a scan: each intermediate value is a result
    bool reverse = false; ///< from the last element on
  };
  CombineStep(std::vector<Operand> operands, Axis axis, Kind kind, Steps body)
      : operands_(std::move(operands)), axis_(axis), kind_(kind), body_(std::move(body)) {}
  Flow run(Thread& thread) const override;

 private:
  std::vector<Operand> operands_;
  Axis axis_;
  Kind kind_;
  Steps body_;
};

class ForStep final : public Step {
 public:
  struct Bounds {
    Cell lower, upper, step, variable;
    int bytes;
    bool is_unsigned;
  };
  ForStep(Bounds bounds, std::vector<Move> enter, std::vector<Move> leave, Steps body)
      : bounds_(bounds), enter_(std::move(enter)), leave_(std::move(leave)),
        body_(std::move(body)) {}
  Flow run(Thread& thread) const override;

 private:
  Bounds bounds_;
  std::vector<Move> enter_, leave_;
  Steps body_;
};

class LoopStep final : public Step {
 public:
  LoopStep(std::vector<Move> enter, Steps body)
      : enter_(std::move(enter)), body_(std::move(body)) {}
  Flow run(Thread& thread) const override;

 private:
  std::vector<Move> enter_;
  Steps body_;
};

class IfStep final : public Step {
 public:
  IfStep(Cell condition, Steps then, Steps otherwise)
      : condition_(condition), then_(std::move(then)), otherwise_(std::move(otherwise)) {}
  Flow run(Thread& thread) const override {
    return run_steps(*thread.at[condition_] != std::byte{0} ? then_ : otherwise_, thread);
  }

 private:
  Cell condition_;
  Steps then_, otherwise_;
};

/// Ends a region: hands values on and says where control goes.
class EndStep final : public Step {
 public:
  EndStep(std::vector<Move> moves, Flow flow) : moves_(std::move(moves)), flow_(flow) {}
  Flow run(Thread& thread) const override {
    run_moves(moves_, thread);
    return flow_;
  }

 private:
  std::vector<Move> moves_;
  Flow flow_;
};

} // namespace cutile::cpu
