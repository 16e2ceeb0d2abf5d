entry @plain(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_1_i8 = constant <i8: 1> : tile<4xi8>
  %0 = addi %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %1 = subi %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %2 = muli %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %3 = mulhii %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %4 = andi %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %5 = ori %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %6 = xori %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %7 = shli %cst_1_i8, %cst_1_i8 : tile<4xi8>
  %8 = absi %cst_1_i8 : tile<4xi8>
  %9 = negi %cst_1_i8 : tile<4xi8>
  %cst_1_i16 = constant <i16: 1> : tile<4xi16>
  %10 = addi %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %11 = subi %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %12 = muli %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %13 = mulhii %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %14 = andi %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %15 = ori %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %16 = xori %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %17 = shli %cst_1_i16, %cst_1_i16 : tile<4xi16>
  %18 = absi %cst_1_i16 : tile<4xi16>
  %19 = negi %cst_1_i16 : tile<4xi16>
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %20 = addi %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %21 = subi %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %22 = muli %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %23 = mulhii %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %24 = andi %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %25 = ori %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %26 = xori %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %27 = shli %cst_1_i32, %cst_1_i32 : tile<4xi32>
  %28 = absi %cst_1_i32 : tile<4xi32>
  %29 = negi %cst_1_i32 : tile<4xi32>
  %cst_1_i64 = constant <i64: 1> : tile<i64>
  %30 = addi %cst_1_i64, %cst_1_i64 : tile<i64>
  %31 = subi %cst_1_i64, %cst_1_i64 : tile<i64>
  %32 = muli %cst_1_i64, %cst_1_i64 : tile<i64>
  %33 = mulhii %cst_1_i64, %cst_1_i64 : tile<i64>
  %34 = andi %cst_1_i64, %cst_1_i64 : tile<i64>
  %35 = ori %cst_1_i64, %cst_1_i64 : tile<i64>
  %36 = xori %cst_1_i64, %cst_1_i64 : tile<i64>
  %37 = shli %cst_1_i64, %cst_1_i64 : tile<i64>
  %38 = absi %cst_1_i64 : tile<i64>
  %39 = negi %cst_1_i64 : tile<i64>
  return
}
entry @overflow(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %0 = addi %cst_1_i32, %cst_1_i32 overflow<no_signed_wrap> : tile<4xi32>
  %1 = subi %cst_1_i32, %cst_1_i32 overflow<no_signed_wrap> : tile<4xi32>
  %2 = muli %cst_1_i32, %cst_1_i32 overflow<no_signed_wrap> : tile<4xi32>
  %3 = shli %cst_1_i32, %cst_1_i32 overflow<no_signed_wrap> : tile<4xi32>
  %4 = trunci %cst_1_i32 overflow<no_signed_wrap> : tile<4xi32> -> tile<4xi8>
  %5 = addi %cst_1_i32, %cst_1_i32 overflow<no_unsigned_wrap> : tile<4xi32>
  %6 = subi %cst_1_i32, %cst_1_i32 overflow<no_unsigned_wrap> : tile<4xi32>
  %7 = muli %cst_1_i32, %cst_1_i32 overflow<no_unsigned_wrap> : tile<4xi32>
  %8 = shli %cst_1_i32, %cst_1_i32 overflow<no_unsigned_wrap> : tile<4xi32>
  %9 = trunci %cst_1_i32 overflow<no_unsigned_wrap> : tile<4xi32> -> tile<4xi8>
  %10 = addi %cst_1_i32, %cst_1_i32 overflow<no_wrap> : tile<4xi32>
  %11 = subi %cst_1_i32, %cst_1_i32 overflow<no_wrap> : tile<4xi32>
  %12 = muli %cst_1_i32, %cst_1_i32 overflow<no_wrap> : tile<4xi32>
  %13 = shli %cst_1_i32, %cst_1_i32 overflow<no_wrap> : tile<4xi32>
  %14 = trunci %cst_1_i32 overflow<no_wrap> : tile<4xi32> -> tile<4xi8>
  return
}
entry @sign(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %0 = divi %cst_1_i32, %cst_1_i32 unsigned : tile<4xi32>
  %1 = remi %cst_1_i32, %cst_1_i32 unsigned : tile<4xi32>
  %2 = maxi %cst_1_i32, %cst_1_i32 unsigned : tile<4xi32>
  %3 = mini %cst_1_i32, %cst_1_i32 unsigned : tile<4xi32>
  %4 = shri %cst_1_i32, %cst_1_i32 unsigned : tile<4xi32>
  %5 = divi %cst_1_i32, %cst_1_i32 signed : tile<4xi32>
  %6 = remi %cst_1_i32, %cst_1_i32 signed : tile<4xi32>
  %7 = maxi %cst_1_i32, %cst_1_i32 signed : tile<4xi32>
  %8 = mini %cst_1_i32, %cst_1_i32 signed : tile<4xi32>
  %9 = shri %cst_1_i32, %cst_1_i32 signed : tile<4xi32>
  %10 = divi %cst_1_i32, %cst_1_i32 signed rounding<negative_inf> : tile<4xi32>
  %11 = divi %cst_1_i32, %cst_1_i32 signed rounding<positive_inf> : tile<4xi32>
  %12 = divi %cst_1_i32, %cst_1_i32 unsigned rounding<positive_inf> : tile<4xi32>
  return
}
entry @negi_overflow(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %0 = negi %cst_1_i32 overflow<no_signed_wrap> : tile<4xi32>
  %cst_1_i32_0 = constant <i32: 1> : tile<4xi32>
  %1 = negi %cst_1_i32_0 overflow<no_wrap> : tile<4xi32>
  return
}
entry @compare(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4xf32>
  %0 = cmpi equal %cst_1_i32, %cst_1_i32, unsigned : tile<4xi32> -> tile<4xi1>
  %1 = cmpi equal %cst_1_i32, %cst_1_i32, signed : tile<4xi32> -> tile<4xi1>
  %2 = cmpf equal unordered %cst_f32, %cst_f32 : tile<4xf32> -> tile<4xi1>
  %3 = cmpf equal ordered %cst_f32, %cst_f32 : tile<4xf32> -> tile<4xi1>
  %cst_1_i32_0 = constant <i32: 1> : tile<4xi32>
  %cst_f32_1 = constant <f32: 1.401300e-45> : tile<4xf32>
  %4 = cmpi not_equal %cst_1_i32_0, %cst_1_i32_0, unsigned : tile<4xi32> -> tile<4xi1>
  %5 = cmpi not_equal %cst_1_i32_0, %cst_1_i32_0, signed : tile<4xi32> -> tile<4xi1>
  %6 = cmpf not_equal unordered %cst_f32_1, %cst_f32_1 : tile<4xf32> -> tile<4xi1>
  %7 = cmpf not_equal ordered %cst_f32_1, %cst_f32_1 : tile<4xf32> -> tile<4xi1>
  %cst_1_i32_2 = constant <i32: 1> : tile<4xi32>
  %cst_f32_3 = constant <f32: 1.401300e-45> : tile<4xf32>
  %8 = cmpi less_than %cst_1_i32_2, %cst_1_i32_2, unsigned : tile<4xi32> -> tile<4xi1>
  %9 = cmpi less_than %cst_1_i32_2, %cst_1_i32_2, signed : tile<4xi32> -> tile<4xi1>
  %10 = cmpf less_than unordered %cst_f32_3, %cst_f32_3 : tile<4xf32> -> tile<4xi1>
  %11 = cmpf less_than ordered %cst_f32_3, %cst_f32_3 : tile<4xf32> -> tile<4xi1>
  %cst_1_i32_4 = constant <i32: 1> : tile<4xi32>
  %cst_f32_5 = constant <f32: 1.401300e-45> : tile<4xf32>
  %12 = cmpi less_than_or_equal %cst_1_i32_4, %cst_1_i32_4, unsigned : tile<4xi32> -> tile<4xi1>
  %13 = cmpi less_than_or_equal %cst_1_i32_4, %cst_1_i32_4, signed : tile<4xi32> -> tile<4xi1>
  %14 = cmpf less_than_or_equal unordered %cst_f32_5, %cst_f32_5 : tile<4xf32> -> tile<4xi1>
  %15 = cmpf less_than_or_equal ordered %cst_f32_5, %cst_f32_5 : tile<4xf32> -> tile<4xi1>
  %cst_1_i32_6 = constant <i32: 1> : tile<4xi32>
  %cst_f32_7 = constant <f32: 1.401300e-45> : tile<4xf32>
  %16 = cmpi greater_than %cst_1_i32_6, %cst_1_i32_6, unsigned : tile<4xi32> -> tile<4xi1>
  %17 = cmpi greater_than %cst_1_i32_6, %cst_1_i32_6, signed : tile<4xi32> -> tile<4xi1>
  %18 = cmpf greater_than unordered %cst_f32_7, %cst_f32_7 : tile<4xf32> -> tile<4xi1>
  %19 = cmpf greater_than ordered %cst_f32_7, %cst_f32_7 : tile<4xf32> -> tile<4xi1>
  %cst_1_i32_8 = constant <i32: 1> : tile<4xi32>
  %cst_f32_9 = constant <f32: 1.401300e-45> : tile<4xf32>
  %20 = cmpi greater_than_or_equal %cst_1_i32_8, %cst_1_i32_8, unsigned : tile<4xi32> -> tile<4xi1>
  %21 = cmpi greater_than_or_equal %cst_1_i32_8, %cst_1_i32_8, signed : tile<4xi32> -> tile<4xi1>
  %22 = cmpf greater_than_or_equal unordered %cst_f32_9, %cst_f32_9 : tile<4xf32> -> tile<4xi1>
  %23 = cmpf greater_than_or_equal ordered %cst_f32_9, %cst_f32_9 : tile<4xf32> -> tile<4xi1>
  return
}
entry @select(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %true = constant <i1: true> : tile<4xi1>
  %cst_f16 = constant <f16: 5.960460e-08> : tile<4xf16>
  %cst_f16_0 = constant <f16: 5.960460e-08> : tile<4xf16>
  %0 = select %true, %cst_f16, %cst_f16_0 : tile<4xi1>, tile<4xf16>
  %true_1 = constant <i1: true> : tile<i1>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  %1 = select %true_1, %cst_1_i32, %arg1 : tile<i1>, tile<i32>
  return
}
