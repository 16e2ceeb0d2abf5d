entry @mmaf(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f16 = constant <f16: 5.960460e-08> : tile<16x16xf16>
  %cst_f16_0 = constant <f16: 5.960460e-08> : tile<16x32xf16>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<16x32xf32>
  %0 = mmaf %cst_f16, %cst_f16_0, %cst_f32 : tile<16x16xf16>, tile<16x32xf16>, tile<16x32xf32>
  %cst_f16_1 = constant <f16: 5.960460e-08> : tile<16x16xf16>
  %cst_f16_2 = constant <f16: 5.960460e-08> : tile<16x32xf16>
  %cst_f16_3 = constant <f16: 5.960460e-08> : tile<16x32xf16>
  %1 = mmaf %cst_f16_1, %cst_f16_2, %cst_f16_3 : tile<16x16xf16>, tile<16x32xf16>, tile<16x32xf16>
  %cst_bf16 = constant <bf16: 9.183550e-41> : tile<2x16x16xbf16>
  %cst_bf16_4 = constant <bf16: 9.183550e-41> : tile<2x16x32xbf16>
  %cst_f32_5 = constant <f32: 1.401300e-45> : tile<2x16x32xf32>
  %2 = mmaf %cst_bf16, %cst_bf16_4, %cst_f32_5 : tile<2x16x16xbf16>, tile<2x16x32xbf16>, tile<2x16x32xf32>
  %cst_1_tf32 = constant <tf32: 1.000000e+00> : tile<16x16xtf32>
  %cst_1_tf32_6 = constant <tf32: 1.000000e+00> : tile<16x32xtf32>
  %cst_f32_7 = constant <f32: 1.401300e-45> : tile<16x32xf32>
  %3 = mmaf %cst_1_tf32, %cst_1_tf32_6, %cst_f32_7 : tile<16x16xtf32>, tile<16x32xtf32>, tile<16x32xf32>
  %cst_f64 = constant <f64: 4.940660e-324> : tile<16x16xf64>
  %cst_f64_8 = constant <f64: 4.940660e-324> : tile<16x32xf64>
  %cst_f64_9 = constant <f64: 4.940660e-324> : tile<16x32xf64>
  %4 = mmaf %cst_f64, %cst_f64_8, %cst_f64_9 : tile<16x16xf64>, tile<16x32xf64>, tile<16x32xf64>
  %cst_f8E4M3FN = constant <f8E4M3FN: 1.953130e-03> : tile<16x32xf8E4M3FN>
  %cst_f8E4M3FN_10 = constant <f8E4M3FN: 1.953130e-03> : tile<32x32xf8E4M3FN>
  %cst_f32_11 = constant <f32: 1.401300e-45> : tile<16x32xf32>
  %5 = mmaf %cst_f8E4M3FN, %cst_f8E4M3FN_10, %cst_f32_11 : tile<16x32xf8E4M3FN>, tile<32x32xf8E4M3FN>, tile<16x32xf32>
  return
}
entry @mmai(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_1_i8 = constant <i8: 1> : tile<16x32xi8>
  %cst_1_i8_0 = constant <i8: 1> : tile<32x16xi8>
  %cst_1_i32 = constant <i32: 1> : tile<16x16xi32>
  %0 = mmai %cst_1_i8, %cst_1_i8_0, %cst_1_i32 unsigned signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
  %cst_1_i8_1 = constant <i8: 1> : tile<16x32xi8>
  %cst_1_i8_2 = constant <i8: 1> : tile<32x16xi8>
  %cst_1_i32_3 = constant <i32: 1> : tile<16x16xi32>
  %1 = mmai %cst_1_i8_1, %cst_1_i8_2, %cst_1_i32_3 signed signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
  return
}
entry @fast_acc(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f8E5M2 = constant <f8E5M2: 1.525880e-05> : tile<16x32xf8E5M2>
  %cst_f8E5M2_0 = constant <f8E5M2: 1.525880e-05> : tile<32x16xf8E5M2>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<16x16xf32>
  %0 = mmaf %cst_f8E5M2, %cst_f8E5M2_0, %cst_f32 fast_acc : tile<16x32xf8E5M2>, tile<32x16xf8E5M2>, tile<16x16xf32>
  return
}
entry @mmaf_scaled(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f8E4M3FN = constant <f8E4M3FN: 1.953130e-03> : tile<128x64xf8E4M3FN>
  %cst_f8E4M3FN_0 = constant <f8E4M3FN: 1.953130e-03> : tile<64x128xf8E4M3FN>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<128x128xf32>
  %cst_1_f8E8M0FNU = constant <f8E8M0FNU: 1.000000e+00> : tile<128x2xf8E8M0FNU>
  %cst_1_f8E8M0FNU_1 = constant <f8E8M0FNU: 1.000000e+00> : tile<2x128xf8E8M0FNU>
  %0 = mmaf_scaled %cst_f8E4M3FN, %cst_f8E4M3FN_0, %cst_f32, %cst_1_f8E8M0FNU, %cst_1_f8E8M0FNU_1 : tile<128x64xf8E4M3FN>, tile<64x128xf8E4M3FN>, tile<128x128xf32>, tile<128x2xf8E8M0FNU>, tile<2x128xf8E8M0FNU>
  return
}
