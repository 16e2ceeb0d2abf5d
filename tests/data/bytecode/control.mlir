entry @reduce(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4x8xf32>
  %reduce = reduce %cst_f32 dim=1 identities=[0.000000e+00 : f32] : tile<4x8xf32> -> tile<4xf32> 
  (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
    %0 = addf %reduce_lhs, %reduce_rhs  : tile<f32>
    yield %0 : tile<f32>
  }
  %cst_1_i8 = constant <i8: 1> : tile<8xi8>
  %cst_1_i32 = constant <i32: 1> : tile<8xi32>
  %reduce_0:2 = reduce %cst_1_i8, %cst_1_i32 dim=0 identities=[-1 : i8, -2147483648 : i32] : tile<8xi8>, tile<8xi32> -> tile<i8>, tile<i32> 
  (%reduce_lhs0: tile<i8>, %reduce_rhs0: tile<i8>, %reduce_lhs1: tile<i32>, %reduce_rhs1: tile<i32>) {
    %0 = addi %reduce_lhs0, %reduce_rhs0 : tile<i8>
    %1 = addi %reduce_lhs1, %reduce_rhs1 : tile<i32>
    yield %0, %1 : tile<i8>, tile<i32>
  }
  return
}
entry @identities(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f16 = constant <f16: 5.960460e-08> : tile<8xf16>
  %reduce = reduce %cst_f16 dim=0 identities=[0xFC00 : f16] : tile<8xf16> -> tile<f16> 
  (%reduce_lhs: tile<f16>, %reduce_rhs: tile<f16>) {
    %0 = addf %reduce_lhs, %reduce_rhs  : tile<f16>
    yield %0 : tile<f16>
  }
  %cst_bf16 = constant <bf16: 9.183550e-41> : tile<8xbf16>
  %reduce_0 = reduce %cst_bf16 dim=0 identities=[0x7F80 : bf16] : tile<8xbf16> -> tile<bf16> 
  (%reduce_lhs: tile<bf16>, %reduce_rhs: tile<bf16>) {
    %0 = addf %reduce_lhs, %reduce_rhs  : tile<bf16>
    yield %0 : tile<bf16>
  }
  %cst_f64 = constant <f64: 4.940660e-324> : tile<8xf64>
  %reduce_1 = reduce %cst_f64 dim=0 identities=[1.000000e+00] : tile<8xf64> -> tile<f64> 
  (%reduce_lhs: tile<f64>, %reduce_rhs: tile<f64>) {
    %0 = addf %reduce_lhs, %reduce_rhs  : tile<f64>
    yield %0 : tile<f64>
  }
  %cst_f32 = constant <f32: 1.401300e-45> : tile<8xf32>
  %reduce_2 = reduce %cst_f32 dim=0 identities=[1.000000e-01 : f32] : tile<8xf32> -> tile<f32> 
  (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
    %0 = addf %reduce_lhs, %reduce_rhs  : tile<f32>
    yield %0 : tile<f32>
  }
  %cst_1_i64 = constant <i64: 1> : tile<8xi64>
  %reduce_3 = reduce %cst_1_i64 dim=0 identities=[-1] : tile<8xi64> -> tile<i64> 
  (%reduce_lhs: tile<i64>, %reduce_rhs: tile<i64>) {
    %0 = addi %reduce_lhs, %reduce_rhs : tile<i64>
    yield %0 : tile<i64>
  }
  %cst_1_i16 = constant <i16: 1> : tile<8xi16>
  %reduce_4 = reduce %cst_1_i16 dim=0 identities=[-32768 : i16] : tile<8xi16> -> tile<i16> 
  (%reduce_lhs: tile<i16>, %reduce_rhs: tile<i16>) {
    %0 = addi %reduce_lhs, %reduce_rhs : tile<i16>
    yield %0 : tile<i16>
  }
  %true = constant <i1: true> : tile<8xi1>
  %reduce_5 = reduce %true dim=0 identities=[true] : tile<8xi1> -> tile<i1> 
  (%reduce_lhs: tile<i1>, %reduce_rhs: tile<i1>) {
    %0 = addi %reduce_lhs, %reduce_rhs : tile<i1>
    yield %0 : tile<i1>
  }
  return
}
entry @scan(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4x8xf32>
  %0 = scan %cst_f32 dim=1 reverse=false identities=[0.000000e+00 : f32] : tile<4x8xf32> -> tile<4x8xf32> 
  (%arg4: tile<f32>, %arg5: tile<f32>) {
    %2 = addf %arg4, %arg5  : tile<f32>
    yield %2 : tile<f32>
  }
  %cst_f32_0 = constant <f32: 1.401300e-45> : tile<4x8xf32>
  %1 = scan %cst_f32_0 dim=1 reverse=true identities=[0.000000e+00 : f32] : tile<4x8xf32> -> tile<4x8xf32> 
  (%arg4: tile<f32>, %arg5: tile<f32>) {
    %2 = addf %arg4, %arg5  : tile<f32>
    yield %2 : tile<f32>
  }
  return
}
entry @scan_of_two(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<8xf32>
  %cst_1_i32 = constant <i32: 1> : tile<8xi32>
  %0:2 = scan %cst_f32, %cst_1_i32 dim=0 reverse=false identities=[0.000000e+00 : f32, 0 : i32] : tile<8xf32>, tile<8xi32> -> tile<8xf32>, tile<8xi32> 
  (%arg4: tile<f32>, %arg5: tile<f32>, %arg6: tile<i32>, %arg7: tile<i32>) {
    %1 = addf %arg4, %arg5  : tile<f32>
    %2 = addi %arg6, %arg7 : tile<i32>
    yield %1, %2 : tile<f32>, tile<i32>
  }
  return
}
entry @for_loops(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  for %loopIdx in (%cst_0_i32 to %arg1, step %cst_1_i32) : tile<i32> {
  }
  %cst_0_i32_0 = constant <i32: 0> : tile<i32>
  %cst_1_i32_1 = constant <i32: 1> : tile<i32>
  %for:2 = for %loopIdx in (%cst_0_i32_0 to %arg1, step %cst_1_i32_1) : tile<i32> iter_values(%iterArg0 = %arg3, %iterArg1 = %arg1) -> (tile<f32>, tile<i32>) {
    %2 = addi %loopIdx, %iterArg1 : tile<i32>
    continue %iterArg0, %2 : tile<f32>, tile<i32>
  }
  %0 = addi %for#1, %arg1 : tile<i32>
  %1 = addf %for#0, %arg3  : tile<f32>
  return
}
entry @unsigned_for(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  %for = for unsigned %loopIdx in (%cst_0_i32 to %arg1, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %arg3) -> (tile<f32>) {
    continue %iterArg0 : tile<f32>
  }
  return
}
entry @ifs(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = trunci %arg1 : tile<i32> -> tile<i1>
  if %0 {
  }
  %1:2 = if %0 -> (tile<f32>, tile<i32>) {
    yield %arg3, %arg1 : tile<f32>, tile<i32>
  } else {
    yield %arg3, %arg1 : tile<f32>, tile<i32>
  }
  %2 = addi %1#1, %arg1 : tile<i32>
  if %0 {
    return
  }
  return
}
entry @loops(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  loop {
    break
  }
  %0:2 = loop iter_values(%arg4 = %arg1) : tile<i32> -> tile<f32>, tile<i1> {
    %2 = trunci %arg4 : tile<i32> -> tile<i1>
    if %2 {
      break %arg3, %2 : tile<f32>, tile<i1>
    }
    %3 = addi %arg4, %arg1 : tile<i32>
    continue %3 : tile<i32>
  }
  %1 = loop : tile<f32> {
    break %arg3 : tile<f32>
  }
  loop iter_values(%arg4 = %arg1, %arg5 = %arg3) : tile<i32>, tile<f32> {
    break
  }
  return
}
entry @continue_in_if(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  %for = for %loopIdx in (%cst_0_i32 to %arg1, step %cst_1_i32) : tile<i32> iter_values(%iterArg0 = %arg3) -> (tile<f32>) {
    %0 = trunci %loopIdx : tile<i32> -> tile<i1>
    if %0 {
      continue %iterArg0 : tile<f32>
    } else {
    }
    continue %iterArg0 : tile<f32>
  }
  return
}
entry @bare_continue_in_if(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_1_i32 = constant <i32: 1> : tile<i32>
  for %loopIdx in (%cst_0_i32 to %arg1, step %cst_1_i32) : tile<i32> {
    %0 = trunci %arg1 : tile<i32> -> tile<i1>
    if %0 {
      continue
    } else {
    }
  }
  return
}
entry @return_in_loop(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  loop {
    %0 = trunci %arg1 : tile<i32> -> tile<i1>
    if %0 {
      return
    }
  }
  return
}
