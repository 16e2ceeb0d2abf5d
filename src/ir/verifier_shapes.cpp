#include "ir/verifier_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace cutile::ir {
namespace {

class Shapes {
 public:
  Shapes(const Module& m, const Function& f, const Operation& op) : m_(m), f_(f), op_(op) {}

  std::string check() const {
    switch (op_.op) {
    case Op::addf:
    case Op::subf:
    case Op::mulf:
    case Op::fma: return float_options(3);
    case Op::divf: return float_options(5);
    case Op::sqrt: return float_options(4);
    case Op::exp2:
    case Op::rsqrt:
    case Op::maxf:
    case Op::minf: return flush();
    case Op::exp:
    case Op::tanh: return approx_only_f32();
    case Op::divi: return division();
    case Op::negi:
      return int_attribute(op_, "overflow") == 2 ? "no_unsigned_wrap does not apply to a negation"
                                                 : "";
    case Op::trunci: return width(0) > result_width() ? "" : "the result must be narrower";
    case Op::exti: return width(0) < result_width() ? "" : "the result must be wider";
    case Op::ftof: return in(0).element != out().element ? "" : "the types must differ";
    case Op::bitcast:
      return width(0) == result_width() ? "" : "both elements must have the same width";
    case Op::iota: return iota();
    case Op::constant:
      return m_[std::get<ConstantId>(op_.attributes[0])].type == f_[op_.results[0]].type
                 ? ""
                 : "the value has another type";
    case Op::reshape:
      return m_.types.elements(f_[op_.operands[0]].type) ==
                         m_.types.elements(f_[op_.results[0]].type) &&
                     in(0).element == out().element
                 ? ""
                 : "both shapes must have the same number of elements";
    case Op::broadcast: return broadcast();
    case Op::permute: return permute();
    case Op::cat: return cat();
    case Op::extract: return slice(in(0), out(), operand_group(op_, 1).size());
    case Op::insert: return slice(in(1), in(0), operand_group(op_, 2).size());
    case Op::select:
      return in(1) == in(2) && in(1) == out() ? ""
                                              : "both values and the result must have one type";
    case Op::cmpf:
    case Op::cmpi: return in(0) == in(1) ? "" : "both operands must have one type";
    case Op::mmaf:
    case Op::mmai: return mma();
    case Op::reduce:
    case Op::scan: return reduce();
    case Op::make_tensor_view: return tensor_view();
    case Op::make_partition_view:
      return out().kind == TypeKind::partition_view && same_tensor()
                 ? ""
                 : "the view is over another tensor";
    case Op::make_strided_view:
      return out().kind == TypeKind::strided_view && same_tensor()
                 ? ""
                 : "the view is over another tensor";
    case Op::make_gather_scatter_view:
      return out().kind == TypeKind::gather_scatter_view && same_tensor()
                 ? ""
                 : "the view is over another tensor";
    case Op::get_index_space_shape:
      return op_.results.size() == in(0).shape.size() ? "" : "needs one result per axis";
    case Op::get_tensor_shape:
      return op_.results.size() == in(0).shape.size() ? "" : "needs one result per axis";
    case Op::load_view_tko: return access(in(0), out(), operand_group(op_, 1), 2);
    case Op::store_view_tko: return access(in(1), in(0), operand_group(op_, 2), 3);
    case Op::load_ptr_tko: return pointers(f_[op_.results[0]].type, 2);
    case Op::store_ptr_tko: return pointers(f_[op_.operands[1]].type, 3);
    case Op::join_tokens: return op_.operands.size() >= 2 ? "" : "needs at least two tokens";
    case Op::for_: return loop_for();
    case Op::loop:
      return same(operand_group(op_, 0), f_[op_.regions[0]].args)
                 ? ""
                 : "the values carried differ from the region's arguments";
    default: return "";
    }
  }

 private:
  const Type& type(ValueId v) const { return m_.types[f_[v].type]; }
  const Type& in(std::size_t i) const { return type(op_.operands[i]); }
  const Type& out() const { return type(op_.results[0]); }
  TypeKind kind(const Type& t) const { return m_.types[t.element].kind; }
  int width(std::size_t i) const { return bit_width(kind(in(i))); }
  int result_width() const { return bit_width(kind(out())); }
  bool same_tensor() const { return out().element == f_[op_.operands[0]].type; }
  bool same(std::span<const ValueId> a, std::span<const ValueId> b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](ValueId x, ValueId y) { return f_[x].type == f_[y].type; });
  }

  std::string flush() const {
    return flag_attribute(op_, "flush_to_zero") && kind(out()) != TypeKind::f32
               ? "flush_to_zero is for f32 only"
               : "";
  }
  std::string float_options(std::int64_t last) const {
    const std::int64_t mode = int_attribute(op_, "rounding_mode");
    if (mode > last) return "this rounding mode is not one of the operation's";
    if (mode >= 4 && kind(out()) != TypeKind::f32)
      return "rounding approx and full are for f32 only";
    return flush();
  }
  std::string approx_only_f32() const {
    const auto mode = enum_attribute<RoundingMode>(op_, "rounding_mode");
    if (mode != RoundingMode::full && mode != RoundingMode::approx)
      return "the rounding mode must be full or approx";
    return mode == RoundingMode::approx && kind(out()) != TypeKind::f32
               ? "rounding approx is for f32 only"
               : "";
  }
  std::string division() const {
    const auto mode = enum_attribute<RoundingMode>(op_, "rounding");
    if (mode < RoundingMode::zero || mode > RoundingMode::positive_inf)
      return "the rounding must be zero, negative_inf or positive_inf";
    const bool is_signed = enum_attribute<Signedness>(op_, "signedness") == Signedness::signed_;
    return mode == RoundingMode::negative_inf && !is_signed
               ? "rounding negative_inf is for signed division"
               : "";
  }
  std::string iota() const {
    if (out().shape.size() != 1) return "the result must have rank 1";
    const int bits = result_width();
    return bits < 32 && out().shape[0] > (std::int64_t{1} << static_cast<unsigned>(bits))
               ? "the numbers do not fit in the element type"
               : "";
  }
  std::string broadcast() const {
    if (in(0).shape.size() != out().shape.size() || in(0).element != out().element)
      return "both sides must have the same rank and element";
    for (std::size_t a = 0; a < in(0).shape.size(); ++a) {
      if (in(0).shape[a] != out().shape[a] && in(0).shape[a] != 1)
        return "only axes of extent 1 can be repeated";
    }
    return "";
  }
  std::string permute() const {
    const auto& order = std::get<std::vector<std::int32_t>>(op_.attributes[0]);
    if (in(0).shape.size() < 2 || order.size() != in(0).shape.size())
      return "the rank must be at least 2, with one entry per axis";
    std::vector<std::int32_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (sorted[i] != static_cast<std::int32_t>(i)) return "the order must name every axis once";
    }
    if (out().element != in(0).element || out().shape.size() != order.size())
      return "the result has the wrong type";
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (out().shape[i] != in(0).shape[static_cast<std::size_t>(order[i])])
        return "the result has the wrong shape";
    }
    return "";
  }
  std::string cat() const {
    const std::int64_t dim = int_attribute(op_, "dim");
    if (dim < 0 || static_cast<std::size_t>(dim) >= in(0).shape.size() ||
        in(1).shape.size() != in(0).shape.size())
      return "the axis does not exist";
    std::vector<std::int64_t> joined = in(0).shape;
    joined[static_cast<std::size_t>(dim)] += in(1).shape[static_cast<std::size_t>(dim)];
    std::vector<std::int64_t> other = in(1).shape;
    other[static_cast<std::size_t>(dim)] = in(0).shape[static_cast<std::size_t>(dim)];
    return joined == out().shape && other == in(0).shape && in(0).element == in(1).element &&
                   in(0).element == out().element
               ? ""
               : "the result's axis must be the sum, all others equal";
  }
  std::string slice(const Type& whole, const Type& part, std::size_t indices) const {
    if (whole.shape.size() != part.shape.size() || whole.element != part.element)
      return "both tiles must have the same rank and element";
    if (indices != whole.shape.size()) return "needs one index per axis";
    for (std::size_t a = 0; a < whole.shape.size(); ++a) {
      if (whole.shape[a] % part.shape[a] != 0) return "the slice's extents must divide the tile's";
    }
    return "";
  }
  std::string mma() const {
    const Type &a = in(0), &b = in(1), &c = in(2);
    const std::size_t rank = a.shape.size();
    if (rank < 2 || rank > 3 || b.shape.size() != rank || c.shape.size() != rank)
      return "all operands must have rank 2, or 3 with a batch";
    const std::size_t r = rank - 2;
    if (a.shape[r + 1] != b.shape[r] || a.shape[r] != c.shape[r] ||
        b.shape[r + 1] != c.shape[r + 1] ||
        (rank == 3 && (a.shape[0] != b.shape[0] || a.shape[0] != c.shape[0]))) {
      return "the shapes must be M x K, K x N and M x N";
    }
    if (f_[op_.results[0]].type != f_[op_.operands[2]].type)
      return "the result must have the accumulator's type";
    if (op_.op == Op::mmai) return "";
    if (a.element != b.element) return "both factors must have one element type";
    const TypeKind from = kind(a), to = kind(c);
    const bool good =
        from == TypeKind::f64 ? to == TypeKind::f64
        : from == TypeKind::f16 || from == TypeKind::f8e4m3fn || from == TypeKind::f8e5m2
            ? to == TypeKind::f16 || to == TypeKind::f32
            : to == TypeKind::f32;
    return good ? "" : "this element type does not accumulate in that one";
  }
  std::string reduce() const {
    const std::size_t n = op_.operands.size();
    const std::int64_t dim = int_attribute(op_, "dim");
    const auto& identities = std::get<std::vector<Literal>>(attribute(op_, "identities"));
    if (n == 0 || op_.results.size() != n || identities.size() != n)
      return "needs one result and one identity per operand";
    const std::vector<ValueId>& args = f_[op_.regions[0]].args;
    if (args.size() != 2 * n) return "the body takes two values per operand";
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<std::int64_t> shape = in(i).shape;
      if (dim < 0 || static_cast<std::size_t>(dim) >= shape.size() || shape != in(0).shape)
        return "the axis does not exist in every operand";
      if (op_.op == Op::reduce) shape.erase(shape.begin() + dim);
      const Type& result = type(op_.results[i]);
      if (result.shape != shape || result.element != in(i).element)
        return "a result has the wrong type";
      if (identities[i].type != in(i).element)
        return "an identity must have the operand's element type";
      for (const std::size_t a : {2 * i, 2 * i + 1}) {
        if (!type(args[a]).shape.empty() || type(args[a]).element != in(i).element)
          return "the body's arguments must be scalars of the operand's element";
      }
    }
    for (const OpId inner : f_[op_.regions[0]].ops) {
      if (!def(f_[inner].op).has(pure) && f_[inner].op != Op::yield)
        return "the body may only compute";
    }
    const std::vector<OpId>& body = f_[op_.regions[0]].ops;
    if (body.empty() || f_[body.back()].op != Op::yield || f_[body.back()].operands.size() != n)
      return "the body must yield one value per operand";
    return "";
  }
  std::string tensor_view() const {
    const Type& view = out();
    const auto shape = operand_group(op_, 1), strides = operand_group(op_, 2);
    const auto dynamics = [](const std::vector<std::int64_t>& v) {
      return static_cast<std::size_t>(std::count(v.begin(), v.end(), dynamic));
    };
    if (shape.size() != dynamics(view.shape) || strides.size() != dynamics(view.strides))
      return "needs one operand for each dynamic extent and stride";
    for (std::size_t i = 2; i < op_.operands.size(); ++i) {
      if (f_[op_.operands[i]].type != f_[op_.operands[1]].type)
        return "extents and strides must have one type";
    }
    return m_.types[in(0).element].element == view.element
               ? ""
               : "the pointer points at another element type";
  }
  std::string ordering(bool load) const {
    const auto order = enum_attribute<MemoryOrdering>(op_, "memory_ordering_semantics");
    const bool scope = !std::holds_alternative<std::monostate>(attribute(op_, "memory_scope"));
    if ((order == MemoryOrdering::weak) == scope)
      return "a weak access has no scope, every other needs one";
    if (order == MemoryOrdering::acq_rel ||
        order == (load ? MemoryOrdering::release : MemoryOrdering::acquire))
      return "this memory ordering does not apply";
    return "";
  }
  std::string access(const Type& view, const Type& tile, std::span<const ValueId> index,
                     std::size_t) const {
    if (index.size() != view.shape.size()) return "needs one index per axis of the view";
    const Type& tensor = m_.types[view.element];
    if (tile.shape != view.shape || tile.element != tensor.element)
      return "the tile differs from the view's";
    for (std::size_t a = 0; a < index.size(); ++a) {
      const bool sparse = view.kind == TypeKind::gather_scatter_view &&
                          static_cast<std::int32_t>(a) == view.sparse_dim;
      const std::vector<std::int64_t>& shape = type(index[a]).shape;
      if (sparse ? shape != std::vector<std::int64_t>{view.shape[a]} : !shape.empty())
        return "an index has the wrong shape";
      if (type(index[a]).element != type(index[0]).element) return "all indices must have one type";
    }
    return ordering(op_.op == Op::load_view_tko);
  }
  std::string pointers(TypeId value, std::size_t mask_group) const {
    const Type& p = in(0);
    const Type& v = m_.types[value];
    if (p.shape != v.shape || m_.types[p.element].element != v.element)
      return "the value must have the pointers' shape and pointee";
    const ValueId mask = operand(op_, op_.op == Op::load_ptr_tko ? 1 : mask_group - 1);
    if (mask.valid() && type(mask).shape != p.shape)
      return "the mask must have the pointers' shape";
    return ordering(op_.op == Op::load_ptr_tko);
  }
  std::string loop_for() const {
    const auto& args = f_[op_.regions[0]].args;
    if (in(0) != in(1) || in(0) != in(2)) return "bounds and step must have one type";
    if (args.empty() || f_[args[0]].type != f_[op_.operands[0]].type)
      return "the induction variable must have the bounds' type";
    const auto inits = operand_group(op_, 3);
    if (!same(inits, std::span(args).subspan(1)) || !same(inits, op_.results))
      return "the values carried differ from the region's arguments or the results";
    for (const ValueId v : inits) {
      if (type(v).kind == TypeKind::tensor_view || is_view(type(v).kind))
        return "a view cannot be carried";
    }
    return "";
  }

  const Module& m_;
  const Function& f_;
  const Operation& op_;
};

} // namespace

std::string check_shapes(const Module& module, const Function& function, const Operation& op) {
  return Shapes(module, function, op).check();
}

} // namespace cutile::ir
