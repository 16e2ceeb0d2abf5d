#include "ir/builder.hpp"

#include <gtest/gtest.h>

namespace cutile::ir {
namespace {

TEST(Types, EqualTypesHaveEqualIds) {
  TypeTable types;
  const std::int64_t shape[] = {4, 8};
  EXPECT_EQ(types.tile(TypeKind::f32, shape), types.tile(TypeKind::f32, shape));
  EXPECT_EQ(types.text(types.tile(TypeKind::f32, shape)), "tile<4x8xf32>");
  EXPECT_EQ(types.text(types.tile(types.pointer(types.scalar(TypeKind::bf16)))), "tile<ptr<bf16>>");
}

TEST(Ops, TheTableIsIndexedByOpcode) {
  for (const OpDef& d : all_ops())
    EXPECT_EQ(find_def(static_cast<std::uint64_t>(d.op)), &d) << d.name;
  EXPECT_EQ(find_def(0x19), nullptr);
  EXPECT_EQ(def(Op::addf).name, "addf");
  EXPECT_EQ(def(Op::for_).name, "for");
}

TEST(Builder, RemoveDeadDropsWhatNothingUses) {
  Module m;
  TypeTable& t = m.types;
  const TypeId i32 = t.tile(TypeKind::i32);
  Builder b = Builder::entry(m, "k", std::span(&i32, 1));
  const ValueId one = b.constant_i32(1);
  b.value(Op::addi, {one, b.function().params()[0]}, i32);
  b.emit_groups(Op::return_, {}, {});
  remove_dead(b.function());
  ASSERT_EQ(b.function()[b.function().body].ops.size(), 1U);
  EXPECT_EQ(b.function()[b.function()[b.function().body].ops[0]].op, Op::return_);
}

} // namespace
} // namespace cutile::ir
