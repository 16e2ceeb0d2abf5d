#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "bytecode/kernel.hpp"
#include "bytecode/tool.hpp"
#include "bytecode/writer.hpp"
#include "ir/verifier.hpp"

// One module for each rule that breaks it. Where NVIDIA's tools are installed they must refuse it
// too, but for the rules marked as ours.

namespace cutile::testing {

struct Rejection {
  std::string name;
  std::string message; ///< part of what verify says
  std::function<void(Kernel&)> build;
  /// It cannot be written, or tileirdisasm takes it: the rule is one of older versions, or of the
  /// back end.
  bool ours = false;

  friend void PrintTo(const Rejection& r, std::ostream* out) { *out << r.name; }
};

using Named = Builder::Named;
template <class Enum> Named named(std::string_view name, Enum e) {
  return {name, static_cast<std::int64_t>(e)};
}
inline const Named weak = named("memory_ordering_semantics", MemoryOrdering::weak);
inline const Named relaxed = named("memory_ordering_semantics", MemoryOrdering::relaxed);
inline const Named device = named("memory_scope", MemoryScope::device);
inline const Named as_signed = named("signedness", Signedness::signed_);
inline const Named as_unsigned = named("signedness", Signedness::unsigned_);
inline Named rounding(RoundingMode m) { return named("rounding_mode", m); }

inline ValueId view_of(Kernel& k, Type view, Op make = Op::make_partition_view) {
  const ValueId tensor = k.tensor({16, 64}, {64, 1});
  view.element = k.b.type(tensor);
  return k.result(k.ops(make, {{tensor}}, {k.m.types.intern(view)}));
}
inline ValueId partition(Kernel& k) {
  return view_of(k, {.kind = TypeKind::partition_view, .shape = {4, 8}, .dim_map = {0, 1}});
}

/// A reduction of `n` tiles whose body `fill` writes.
inline OpId reduction(Kernel& k, std::string_view operand, std::string_view result,
                      std::int64_t dim, TypeKind identity,
                      std::initializer_list<std::string_view> args,
                      const std::function<Builder::Group(BlockId)>& fill) {
  const OpId op =
      k.ops(Op::reduce, {{k.c(operand)}}, k.ts({result}),
            {{"dim", dim}, {"identities", std::vector<Literal>{{k.m.types.scalar(identity), 0}}}});
  const BlockId body = k.b.add_region(op, k.ts(args));
  const auto in = k.b.enter(body);
  k.end(Op::yield, fill(body));
  return op;
}
inline OpId for_op(Kernel& k, const Builder::Group& inits = {}, const Types& results = {}) {
  return k.ops(Op::for_, {{k.n}, {k.n}, {k.n}, inits}, results);
}
/// Fills a region of `op` with a terminator.
inline void body(Kernel& k, OpId op, const Types& args, Op terminator,
                 const Builder::Group& values = {}) {
  const auto in = k.b.enter(k.b.add_region(op, args));
  k.end(terminator, values);
}
inline void if_then(Kernel& k, Op terminator, const Builder::Group& values = {}) {
  const OpId op = k.ops(Op::if_, {{k.c("tile<i1>")}}, {});
  body(k, op, {}, terminator, values);
  k.b.function()[op].regions.push_back({});
}
inline void assume(Kernel& k, ValueId v, Predicate p) {
  k.b.value(Op::assume, {v}, k.b.type(v), {{"predicate", std::move(p)}});
}
inline void atomic(Kernel& k, std::string_view element, AtomicMode mode) {
  const std::string tile = "tile<" + std::string(element) + ">";
  k.ops(Op::atomic_rmw_tko, {{k.pointers(element, "", 0)}, {k.c(tile)}, {}, {}},
        k.ts({tile, "token"}), {relaxed, device, named("mode", mode)});
}

inline Module module_of(const Rejection& r) {
  Module m;
  Kernel k(m, "k");
  r.build(k);
  k.end(Op::return_);
  return m;
}

inline std::vector<Rejection> joined(std::initializer_list<std::vector<Rejection>> lists) {
  std::vector<Rejection> out;
  for (const auto& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

class Rejects : public ::testing::TestWithParam<Rejection> {
 protected:
  static void check_message() {
    std::vector<std::string> messages;
    for (const Diagnostic& d : verify(module_of(GetParam()))) messages.push_back(d.message);
    EXPECT_THAT(messages, ::testing::Contains(::testing::HasSubstr(GetParam().message)));
  }
  static void check_tool() {
    if (GetParam().ours) GTEST_SKIP() << "a rule of our own, or one of older versions";
    const auto tool = find_tileiras();
    if (!tool) GTEST_SKIP() << no_tool;
    const auto file = bytecode::write(module_of(GetParam()), V13_5);
    ASSERT_TRUE(file) << file.failure().message;
    const auto run = disassemble(*tool, *file);
    EXPECT_FALSE(run.good()) << run.output;
  }
};

} // namespace cutile::testing
