entry @splats(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %false = constant <i1: false> : tile<i1>
  %true = constant <i1: true> : tile<i1>
  %false_0 = constant <i1: false> : tile<8xi1>
  %true_1 = constant <i1: true> : tile<8xi1>
  %cst_0_i8 = constant <i8: 0> : tile<i8>
  %cst_1_i8 = constant <i8: 1> : tile<i8>
  %cst_0_i16 = constant <i16: 0> : tile<4xi16>
  %cst_1_i16 = constant <i16: 1> : tile<4xi16>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  %cst_0_i64 = constant <i64: 0> : tile<2x2xi64>
  %cst_1_i64 = constant <i64: 1> : tile<2x2xi64>
  %cst_-1_i8 = constant <i8: -1> : tile<i8>
  %cst_-2147483648_i32 = constant <i32: -2147483648> : tile<i32>
  %cst_-1_i64 = constant <i64: -1> : tile<4xi64>
  %cst_1_f16 = constant <f16: 1.000000e+00> : tile<4xf16>
  %cst_bf16 = constant <bf16: -1.000000e+00> : tile<4xbf16>
  %cst_f64 = constant <f64: 3.1415926535897931> : tile<f64>
  %cst_tf32 = constant <tf32: 1.000980e+00> : tile<4xtf32>
  %cst_1_f8E4M3FN = constant <f8E4M3FN: 1.000000e+00> : tile<4xf8E4M3FN>
  %cst_f8E5M2 = constant <f8E5M2: -1.000000e+00> : tile<4xf8E5M2>
  return
}
entry @lists(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_i8 = constant <i8: "0x000306090C0F1215181B1E2124272A2D303336393C3F4245484B4E5154575A5D606366696C6F7275787B7E8184878A8D909396999C9FA2A5A8ABAEB1B4B7BABDC0C3C6C9CCCFD2D5D8DBDEE1E4E7EAEDF0F3F6F9FCFF0205080B0E1114171A1D202326292C2F3235383B3E4144474A4D505356595C5F6265686B6E7174777A7D"> : tile<128xi8>
  %cst_7_i8 = constant <i8: 7> : tile<2x1xi8>
  %cst_i1 = constant <i1: [true, false]> : tile<2xi1>
  %cst_i1_0 = constant <i1: [true, true, false, true, false, false, false, false, false, true, false, false, true, false, true, true]> : tile<16xi1>
  %cst_i8_1 = constant <i8: [1, 2, -1, -128]> : tile<4xi8>
  %cst_i32 = constant <i32: [[1, 2], [3, -1]]> : tile<2x2xi32>
  %cst_i16 = constant <i16: [[[1, 2]], [[3, 4]]]> : tile<2x1x2xi16>
  %cst_tf32 = constant <tf32: [1.000000e+00, -2.001950e+00]> : tile<2xtf32>
  %cst_f64 = constant <f64: [1.000000e+00, 0x7FF0000000000000]> : tile<2xf64>
  %cst_f8E4M3FN = constant <f8E4M3FN: [1.000000e+00, 1.953130e-03, 4.480000e+02, 0x7F]> : tile<4xf8E4M3FN>
  return
}
entry @f32_numbers(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: [1.000000e-01, 3.14159274, -0.000000e+00, 1.401300e-45, 3.40282347E+38, 0x7F800000, 0xFF800000, 0x7FC00000, 0x4B7FFFFF, 1.000000e+10, 0x4996B438, 1.015625, 9.53674316E-7, 123456.75, 1.000000e-03, -0.333333343]> : tile<16xf32>
  %cst_f16 = constant <f16: [1.015630e+00, 0x7C00, 9.997550e-02, 6.550400e+04]> : tile<4xf16>
  %cst_bf16 = constant <bf16: [9.960930e-02, 0x7F80, 0xFFC0, 3.140630e+00]> : tile<4xbf16>
  %cst_f64 = constant <f64: [1.000000e-01, 3.1415926535897931, 1.7976931348623157E+308, 0xFFF8000000000000]> : tile<4xf64>
  return
}
entry @scale_numbers(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f8E8M0FNU = constant <f8E8M0FNU: [5.877470e-39, 1.000000e+00, 2.000000e+00, 0xFF]> : tile<4xf8E8M0FNU>
  return
}
entry @four_bit_numbers(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f4E2M1FN = constant <f4E2M1FN: [0.000000e+00, 5.000000e-01, 1.000000e+00, 1.500000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 6.000000e+00, -0.000000e+00, -5.000000e-01, -1.000000e+00, -1.500000e+00, -2.000000e+00, -3.000000e+00, -4.000000e+00, -6.000000e+00]> : tile<16xf4E2M1FN>
  return
}
