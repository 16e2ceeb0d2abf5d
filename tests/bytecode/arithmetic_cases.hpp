#pragma once

#include "cases.hpp"

namespace cutile::testing {

inline Group float_cases() {
  const auto unary = [](std::vector<Op> list) {
    return [list](Kernel& k) {
      for (const char* type : {"tile<8xf32>", "tile<2x2xf16>", "tile<bf16>", "tile<4xf64>"}) {
        for (const Op o : list) k.op(o, {k.c(type, 0)}, type);
      }
    };
  };
  const auto rounding = [](RoundingMode m) { return Builder::Named{"rounding_mode", number(m)}; };
  using R = RoundingMode;
  return {
      "float",
      {
          {"unary", V13_1,
           unary({Op::absf, Op::ceil, Op::cos, Op::cosh, Op::exp, Op::exp2, Op::floor, Op::log,
                  Op::log2, Op::negf, Op::rsqrt, Op::sin, Op::sinh, Op::sqrt, Op::tan, Op::tanh})},
          {"binary", V13_1,
           [](Kernel& k) {
             for (const Op o :
                  {Op::addf, Op::subf, Op::mulf, Op::divf, Op::maxf, Op::minf, Op::remf, Op::pow}) {
               k.op(o, {k.c("tile<8xf32>"), k.c("tile<8xf32>")}, "tile<8xf32>");
               k.op(o, {k.c("tile<bf16>"), k.c("tile<bf16>")}, "tile<bf16>");
             }
             const ValueId v = k.c("tile<4xf64>");
             k.op(Op::fma, {v, v, v}, "tile<4xf64>");
           }},
          {"rounding", V13_1,
           [rounding](Kernel& k) {
             const ValueId v = k.c("tile<4xf32>");
             const char* t = "tile<4xf32>";
             for (const R mode : {R::nearest_even, R::zero, R::negative_inf, R::positive_inf}) {
               for (const Op o : {Op::addf, Op::subf, Op::mulf, Op::divf})
                 k.op(o, {v, v}, t, {rounding(mode)});
               k.op(Op::fma, {v, v, v}, t, {rounding(mode), {"flush_to_zero", true}});
               k.op(Op::sqrt, {v}, t, {rounding(mode)});
             }
             k.op(Op::divf, {v, v}, t, {rounding(R::approx)});
             k.op(Op::divf, {v, v}, t, {rounding(R::full), {"flush_to_zero", true}});
             k.op(Op::sqrt, {v}, t, {rounding(R::approx), {"flush_to_zero", true}});
           }},
          {"flush_and_nan", V13_1,
           [](Kernel& k) {
             const ValueId v = k.c("tile<4xf32>");
             const char* t = "tile<4xf32>";
             for (const Op o : {Op::addf, Op::subf, Op::mulf, Op::divf, Op::maxf, Op::minf})
               k.op(o, {v, v}, t, {{"flush_to_zero", true}});
             for (const Op o : {Op::exp2, Op::rsqrt, Op::sqrt})
               k.op(o, {v}, t, {{"flush_to_zero", true}});
             for (const Op o : {Op::maxf, Op::minf}) {
               k.op(o, {v, v}, t, {{"propagate_nan", true}});
               k.op(o, {v, v}, t, {{"propagate_nan", true}, {"flush_to_zero", true}});
             }
           }},
          {"atan2", V13_2,
           [](Kernel& k) {
             k.op(Op::atan2, {k.c("tile<4xf32>"), k.c("tile<4xf32>")}, "tile<4xf32>");
           }},
          {"tanh_approx", V13_2,
           [rounding](Kernel& k) {
             k.op(Op::tanh, {k.c("tile<4xf32>")}, "tile<4xf32>", {rounding(R::approx)});
           }},
          {"exp_approx", V13_3,
           [rounding](Kernel& k) {
             k.op(Op::exp, {k.c("tile<4xf32>")}, "tile<4xf32>", {rounding(R::approx)});
           }},
          {"fpowi", V13_4,
           [](Kernel& k) {
             k.op(Op::fpowi, {k.c("tile<4xf32>"), k.c("tile<4xi32>")}, "tile<4xf32>");
           }},
      }};
}

inline Group integer_cases() {
  const auto overflow = [](IntegerOverflow o) { return Builder::Named{"overflow", number(o)}; };
  const auto sign = [](Signedness s) { return Builder::Named{"signedness", number(s)}; };
  return {"integer",
          {
              {"plain", V13_1,
               [](Kernel& k) {
                 for (const char* t : {"tile<4xi8>", "tile<4xi16>", "tile<4xi32>", "tile<i64>"}) {
                   const ValueId v = k.c(t);
                   for (const Op o : {Op::addi, Op::subi, Op::muli, Op::mulhii, Op::andi, Op::ori,
                                      Op::xori, Op::shli})
                     k.op(o, {v, v}, t);
                   for (const Op o : {Op::absi, Op::negi}) k.op(o, {v}, t);
                 }
               }},
              {"overflow", V13_1,
               [overflow](Kernel& k) {
                 const ValueId v = k.c("tile<4xi32>");
                 for (const auto mode :
                      {IntegerOverflow::no_signed_wrap, IntegerOverflow::no_unsigned_wrap,
                       IntegerOverflow::no_wrap}) {
                   for (const Op o : {Op::addi, Op::subi, Op::muli, Op::shli})
                     k.op(o, {v, v}, "tile<4xi32>", {overflow(mode)});
                   k.op(Op::trunci, {v}, "tile<4xi8>", {overflow(mode)});
                 }
               }},
              {"sign", V13_1,
               [sign](Kernel& k) {
                 const ValueId v = k.c("tile<4xi32>");
                 for (const Signedness s : {Signedness::unsigned_, Signedness::signed_}) {
                   for (const Op o : {Op::divi, Op::remi, Op::maxi, Op::mini, Op::shri})
                     k.op(o, {v, v}, "tile<4xi32>", {sign(s)});
                 }
                 const auto round = [](RoundingMode m) {
                   return Builder::Named{"rounding", number(m)};
                 };
                 k.op(Op::divi, {v, v}, "tile<4xi32>",
                      {sign(Signedness::signed_), round(RoundingMode::negative_inf)});
                 k.op(Op::divi, {v, v}, "tile<4xi32>",
                      {sign(Signedness::signed_), round(RoundingMode::positive_inf)});
                 k.op(Op::divi, {v, v}, "tile<4xi32>",
                      {sign(Signedness::unsigned_), round(RoundingMode::positive_inf)});
               }},
              {"negi_overflow", V13_2,
               [overflow](Kernel& k) {
                 k.op(Op::negi, {k.c("tile<4xi32>")}, "tile<4xi32>",
                      {overflow(IntegerOverflow::no_signed_wrap)});
                 k.op(Op::negi, {k.c("tile<4xi32>")}, "tile<4xi32>",
                      {overflow(IntegerOverflow::no_wrap)});
               }},
              {"compare", V13_1,
               [sign](Kernel& k) {
                 for (std::int64_t p = 0; p < 6; ++p) {
                   const ValueId i = k.c("tile<4xi32>"), f = k.c("tile<4xf32>");
                   for (const Signedness s : {Signedness::unsigned_, Signedness::signed_})
                     k.op(Op::cmpi, {i, i}, "tile<4xi1>", {{"comparison_predicate", p}, sign(s)});
                   for (const std::int64_t ordering : {0, 1})
                     k.op(Op::cmpf, {f, f}, "tile<4xi1>",
                          {{"comparison_predicate", p}, {"comparison_ordering", ordering}});
                 }
               }},
              {"select", V13_1,
               [](Kernel& k) {
                 k.op(Op::select, {k.c("tile<4xi1>"), k.c("tile<4xf16>"), k.c("tile<4xf16>")},
                      "tile<4xf16>");
                 k.op(Op::select, {k.c("tile<i1>"), k.c("tile<i32>"), k.n}, "tile<i32>");
               }},
          }};
}

inline Group conversion_cases() {
  const auto sign = [](Signedness s) { return Builder::Named{"signedness", number(s)}; };
  const Builder::Named as_signed = sign(Signedness::signed_),
                       as_unsigned = sign(Signedness::unsigned_);
  return {
      "conversion",
      {
          {"integers", V13_1,
           [=](Kernel& k) {
             k.op(Op::exti, {k.c("tile<4xi1>")}, "tile<4xi32>", {as_signed});
             k.op(Op::exti, {k.c("tile<4xi8>")}, "tile<4xi64>", {as_unsigned});
             k.op(Op::trunci, {k.c("tile<4xi64>")}, "tile<4xi1>");
             k.op(Op::bitcast, {k.c("tile<4xi32>")}, "tile<4xf32>");
             k.op(Op::bitcast, {k.c("tile<f16>")}, "tile<bf16>");
           }},
          {"floats", V13_1,
           [=](Kernel& k) {
             k.op(Op::ftof, {k.c("tile<4xf32>")}, "tile<4xbf16>");
             k.op(Op::ftof, {k.c("tile<4xf16>")}, "tile<4xf64>");
             k.op(Op::ftof, {k.c("tile<4xf32>")}, "tile<4xtf32>");
             k.op(Op::itof, {k.c("tile<4xi32>")}, "tile<4xf32>", {as_signed});
             k.op(Op::itof, {k.c("tile<4xi64>")}, "tile<4xf16>", {as_unsigned});
             k.op(Op::ftoi, {k.c("tile<4xf32>")}, "tile<4xi32>", {as_signed});
             k.op(Op::ftoi, {k.c("tile<4xf64>")}, "tile<4xi8>", {as_unsigned});
           }},
          {"eight_bit_floats", V13_1,
           [](Kernel& k) {
             k.op(Op::ftof, {k.c("tile<4xf32>")}, "tile<4xf8E4M3FN>");
             k.op(Op::ftof, {k.c("tile<4xf32>")}, "tile<4xf8E5M2>");
             k.op(Op::ftof, {k.c("tile<4xf8E5M2>")}, "tile<4xf16>");
           }},
          {"scales", V13_2,
           [](Kernel& k) {
             const auto round = [](RoundingMode m) {
               return Builder::Named{"rounding_mode", number(m)};
             };
             k.op(Op::ftof, {k.c("tile<4xf32>")}, "tile<4xf8E8M0FNU>", {round(RoundingMode::zero)});
             k.op(Op::ftof, {k.c("tile<4xf32>")}, "tile<4xf8E8M0FNU>",
                  {round(RoundingMode::positive_inf)});
             k.op(Op::ftof, {k.c("tile<4xf8E8M0FNU>", 127)}, "tile<4xf32>");
           },
           true},
          {"four_bit_floats", V13_3,
           [](Kernel& k) {
             k.op(Op::ftof, {k.c("tile<4xf32>")}, "tile<4xf4E2M1FN>");
             k.op(Op::ftof, {k.c("tile<4xf4E2M1FN>")}, "tile<4xf32>");
             k.op(Op::pack, {k.c("tile<8xf4E2M1FN>")}, "tile<4xi8>");
           },
           true},
          {"four_bit_integers", V13_3,
           [=](Kernel& k) {
             const ValueId four = k.op(Op::trunci, {k.c("tile<8xi32>")}, "tile<8xi4>");
             k.op(Op::exti, {four}, "tile<8xi16>", {as_signed});
             const ValueId bytes = k.op(Op::pack, {four}, "tile<4xi8>");
             k.op(Op::unpack, {bytes}, "tile<8xi4>");
             k.op(Op::pack, {k.c("tile<8xf32>")}, "tile<32xi8>");
             k.op(Op::unpack, {k.c("tile<32xi8>")}, "tile<8xf32>");
           }},
          {"saturating", V13_4,
           [=](Kernel& k) {
             k.op(Op::ftoi, {k.c("tile<4xf32>")}, "tile<4xi8>", {as_signed, {"saturating", true}});
             k.op(Op::ftoi, {k.c("tile<4xf32>")}, "tile<4xi32>",
                  {as_unsigned, {"saturating", true}});
           }},
          {"pointers", V13_1,
           [](Kernel& k) {
             const ValueId bits = k.op(Op::ptr_to_int, {k.floats}, "tile<i64>");
             k.op(Op::int_to_ptr, {bits}, "tile<ptr<f16>>");
             const ValueId p = k.pointers("i8", "4");
             const ValueId many = k.op(Op::ptr_to_int, {p}, "tile<4xi64>");
             k.op(Op::int_to_ptr, {many}, "tile<4xptr<i8>>");
             k.op(Op::offset, {p, k.c("tile<4xi32>")}, "tile<4xptr<i8>>");
             k.op(Op::offset, {k.floats, k.c("tile<i64>")}, "tile<ptr<f32>>");
           }},
      }};
}

} // namespace cutile::testing
