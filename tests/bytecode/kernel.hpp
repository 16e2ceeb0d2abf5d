#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ir/builder.hpp"

namespace cutile::testing {

using namespace cutile::ir;

using Types = std::vector<TypeId>;

/// An entry under construction, with types spelled as in the text form. Its parameters are a
/// pointer to f32, an i32, a pointer to i32 and an f32.
class Kernel {
 public:
  Kernel(Module& module, const std::string& name)
      : m(module), b(Builder::entry(module, name, params(module))),
        floats(b.function().params()[0]), n(b.function().params()[1]),
        ints(b.function().params()[2]), x(b.function().params()[3]) {}

  TypeId t(std::string_view text) {
    const TypeId id = parse(text);
    if (!text.empty()) throw std::logic_error("type text goes on: " + std::string(text));
    return id;
  }
  Types ts(std::initializer_list<std::string_view> texts) {
    Types out;
    for (const std::string_view text : texts) out.push_back(t(text));
    return out;
  }

  /// A splat.
  ValueId c(std::string_view type, std::uint64_t bits = 1) { return b.constant(t(type), bits); }
  /// A tile of element-wise literals, `bytes` in storage order.
  ValueId list(std::string_view type, const std::vector<std::uint8_t>& bytes) {
    Constant value{.type = t(type), .data = {}};
    for (const std::uint8_t byte : bytes) value.data.push_back(std::byte{byte});
    return b.value(Op::constant, {}, value.type, {{"value", m.intern(value)}});
  }
  ValueId op(Op o, std::initializer_list<ValueId> operands, std::string_view type,
             std::initializer_list<Builder::Named> attributes = {}) {
    return b.value(o, operands, t(type), attributes);
  }
  OpId ops(Op o, const std::vector<Builder::Group>& groups, const Types& results,
           std::initializer_list<Builder::Named> attributes = {}) {
    return b.emit_groups(o, groups, results, attributes);
  }
  ValueId result(OpId id, std::size_t i = 0) { return b.function()[id].results[i]; }
  ValueId arg(BlockId block, std::size_t i) { return b.function()[block].args[i]; }
  void end(Op terminator, const Builder::Group& values = {}) { ops(terminator, {values}, {}); }

  ValueId token() { return op(Op::make_token, {}, "token"); }
  /// A tile of pointers to `element`, all equal.
  ValueId pointers(std::string_view element, const std::string& shape, std::size_t rank = 1) {
    const std::string pointer = "ptr<" + std::string(element) + ">";
    ValueId p = element == "f32" ? floats : op(Op::ptr_to_ptr, {floats}, "tile<" + pointer + ">");
    if (rank == 0) return p;
    std::string ones;
    for (std::size_t i = 0; i < rank; ++i) ones += "1x";
    p = op(Op::reshape, {p}, "tile<" + ones + pointer + ">");
    return op(Op::broadcast, {p}, "tile<" + shape + "x" + pointer + ">");
  }
  /// A tensor over `floats`, all extents static, rows dense.
  ValueId tensor(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
    const TypeId type = m.types.tensor_view(m.types.scalar(TypeKind::f32), shape, strides);
    return result(ops(Op::make_tensor_view, {{floats}, {}, {}}, {type}));
  }

  Module& m;
  Builder b;
  ValueId floats, n, ints, x;

 private:
  static Types params(Module& module) {
    TypeTable& types = module.types;
    const auto pointer = [&](TypeKind k) { return types.tile(types.pointer(types.scalar(k))); };
    return {pointer(TypeKind::f32), types.tile(TypeKind::i32), pointer(TypeKind::i32),
            types.tile(TypeKind::f32)};
  }

  static bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
  }
  TypeId parse(std::string_view& text) {
    if (take(text, "token")) return m.types.token();
    if (take(text, "ptr<")) {
      const TypeId pointee = parse(text);
      take(text, ">");
      return m.types.pointer(pointee);
    }
    if (take(text, "tile<")) {
      std::vector<std::int64_t> shape;
      while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
        std::size_t used = 0;
        shape.push_back(std::stoll(std::string(text), &used));
        text.remove_prefix(used + 1);
      }
      const TypeId element = parse(text);
      take(text, ">");
      return m.types.tile(element, shape);
    }
    // Longest spelling first: f8E4M3FN before f8.
    const std::string_view word = text.substr(0, text.find_first_of("<>,"));
    for (const TypeKind kind :
         {TypeKind::i1, TypeKind::i4, TypeKind::i8, TypeKind::i16, TypeKind::i32, TypeKind::i64,
          TypeKind::f16, TypeKind::bf16, TypeKind::f32, TypeKind::tf32, TypeKind::f64,
          TypeKind::f8e4m3fn, TypeKind::f8e5m2, TypeKind::f8e8m0fnu, TypeKind::f4e2m1fn,
          TypeKind::f8e5m3fnu}) {
      if (word == spelling(kind)) {
        text.remove_prefix(word.size());
        return m.types.scalar(kind);
      }
    }
    throw std::logic_error("no such type: " + std::string(word));
  }
};

} // namespace cutile::testing
