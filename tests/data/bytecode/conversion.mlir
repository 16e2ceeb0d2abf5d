entry @integers(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %true = constant <i1: true> : tile<4xi1>
  %0 = exti %true signed : tile<4xi1> -> tile<4xi32>
  %cst_1_i8 = constant <i8: 1> : tile<4xi8>
  %1 = exti %cst_1_i8 unsigned : tile<4xi8> -> tile<4xi64>
  %cst_1_i64 = constant <i64: 1> : tile<4xi64>
  %2 = trunci %cst_1_i64 : tile<4xi64> -> tile<4xi1>
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %3 = bitcast %cst_1_i32 : tile<4xi32> -> tile<4xf32>
  %cst_f16 = constant <f16: 5.960460e-08> : tile<f16>
  %4 = bitcast %cst_f16 : tile<f16> -> tile<bf16>
  return
}
entry @floats(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4xf32>
  %0 = ftof %cst_f32  : tile<4xf32> -> tile<4xbf16>
  %cst_f16 = constant <f16: 5.960460e-08> : tile<4xf16>
  %1 = ftof %cst_f16  : tile<4xf16> -> tile<4xf64>
  %cst_f32_0 = constant <f32: 1.401300e-45> : tile<4xf32>
  %2 = ftof %cst_f32_0  : tile<4xf32> -> tile<4xtf32>
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %3 = itof %cst_1_i32 signed  : tile<4xi32> -> tile<4xf32>
  %cst_1_i64 = constant <i64: 1> : tile<4xi64>
  %4 = itof %cst_1_i64 unsigned  : tile<4xi64> -> tile<4xf16>
  %cst_f32_1 = constant <f32: 1.401300e-45> : tile<4xf32>
  %5 = ftoi %cst_f32_1 signed  : tile<4xf32> -> tile<4xi32>
  %cst_f64 = constant <f64: 4.940660e-324> : tile<4xf64>
  %6 = ftoi %cst_f64 unsigned  : tile<4xf64> -> tile<4xi8>
  return
}
entry @eight_bit_floats(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4xf32>
  %0 = ftof %cst_f32  : tile<4xf32> -> tile<4xf8E4M3FN>
  %cst_f32_0 = constant <f32: 1.401300e-45> : tile<4xf32>
  %1 = ftof %cst_f32_0  : tile<4xf32> -> tile<4xf8E5M2>
  %cst_f8E5M2 = constant <f8E5M2: 1.525880e-05> : tile<4xf8E5M2>
  %2 = ftof %cst_f8E5M2  : tile<4xf8E5M2> -> tile<4xf16>
  return
}
entry @scales(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4xf32>
  %0 = ftof %cst_f32 rounding<zero> : tile<4xf32> -> tile<4xf8E8M0FNU>
  %cst_f32_0 = constant <f32: 1.401300e-45> : tile<4xf32>
  %1 = ftof %cst_f32_0 rounding<positive_inf> : tile<4xf32> -> tile<4xf8E8M0FNU>
  %cst_1_f8E8M0FNU = constant <f8E8M0FNU: 1.000000e+00> : tile<4xf8E8M0FNU>
  %2 = ftof %cst_1_f8E8M0FNU  : tile<4xf8E8M0FNU> -> tile<4xf32>
  return
}
entry @four_bit_floats(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4xf32>
  %0 = ftof %cst_f32  : tile<4xf32> -> tile<4xf4E2M1FN>
  %cst_f4E2M1FN = constant <f4E2M1FN: 5.000000e-01> : tile<4xf4E2M1FN>
  %1 = ftof %cst_f4E2M1FN  : tile<4xf4E2M1FN> -> tile<4xf32>
  %cst_f4E2M1FN_0 = constant <f4E2M1FN: 5.000000e-01> : tile<8xf4E2M1FN>
  %2 = pack %cst_f4E2M1FN_0 : tile<8xf4E2M1FN> -> tile<4xi8>
  return
}
entry @four_bit_integers(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_1_i32 = constant <i32: 1> : tile<8xi32>
  %0 = trunci %cst_1_i32 : tile<8xi32> -> tile<8xi4>
  %1 = exti %0 signed : tile<8xi4> -> tile<8xi16>
  %2 = pack %0 : tile<8xi4> -> tile<4xi8>
  %3 = unpack %2 : tile<4xi8> -> tile<8xi4>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<8xf32>
  %4 = pack %cst_f32 : tile<8xf32> -> tile<32xi8>
  %cst_1_i8 = constant <i8: 1> : tile<32xi8>
  %5 = unpack %cst_1_i8 : tile<32xi8> -> tile<8xf32>
  return
}
entry @saturating(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4xf32>
  %0 = ftoi %cst_f32 signed  saturating : tile<4xf32> -> tile<4xi8>
  %cst_f32_0 = constant <f32: 1.401300e-45> : tile<4xf32>
  %1 = ftoi %cst_f32_0 unsigned  saturating : tile<4xf32> -> tile<4xi32>
  return
}
entry @pointers(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = ptr_to_int %arg0 : tile<ptr<f32>> -> tile<i64>
  %1 = int_to_ptr %0 : tile<i64> -> tile<ptr<f16>>
  %2 = ptr_to_ptr %arg0 : tile<ptr<f32>> -> tile<ptr<i8>>
  %reshape = reshape %2 : tile<ptr<i8>> -> tile<1xptr<i8>>
  %bcast = broadcast %reshape : tile<1xptr<i8>> -> tile<4xptr<i8>>
  %3 = ptr_to_int %bcast : tile<4xptr<i8>> -> tile<4xi64>
  %4 = int_to_ptr %3 : tile<4xi64> -> tile<4xptr<i8>>
  %cst_1_i32 = constant <i32: 1> : tile<4xi32>
  %5 = offset %bcast, %cst_1_i32 : tile<4xptr<i8>>, tile<4xi32> -> tile<4xptr<i8>>
  %cst_1_i64 = constant <i64: 1> : tile<i64>
  %6 = offset %arg0, %cst_1_i64 : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>
  return
}
