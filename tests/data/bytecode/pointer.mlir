global  @table alignment = 16 <i32: [1, 2, 3, 4]> : tile<4xi32>
entry @tokens(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = make_token : token
  %1 = make_token : token
  %2 = join_tokens %0, %1, %0 : token
  return
}
entry @loads(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %true = constant <i1: true> : tile<8xi1>
  %cst_0_f32 = constant <f32: 0.000000e+00> : tile<8xf32>
  %0 = make_token : token
  %result, %result_token = load_ptr_tko weak %bcast : tile<8xptr<f32>> -> tile<8xf32>, token
  %result_0, %result_token_1 = load_ptr_tko weak %bcast, %true token=%0 : tile<8xptr<f32>>, tile<8xi1> -> tile<8xf32>, token
  %result_2, %result_token_3 = load_ptr_tko weak %bcast, %true, %cst_0_f32 : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token
  %result_4, %result_token_5 = load_ptr_tko relaxed device %bcast, %true, %cst_0_f32 token=%0 : tile<8xptr<f32>>, tile<8xi1>, tile<8xf32> -> tile<8xf32>, token
  %result_6, %result_token_7 = load_ptr_tko acquire sys %bcast token=%0 : tile<8xptr<f32>> -> tile<8xf32>, token
  %result_8, %result_token_9 = load_ptr_tko weak %arg0 token=%0 optimization_hints = <sm_100 = {latency = 4}> : tile<ptr<f32>> -> tile<f32>, token
  return
}
entry @stores(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast = broadcast %reshape : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %true = constant <i1: true> : tile<8xi1>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<8xf32>
  %0 = make_token : token
  %1 = store_ptr_tko weak %bcast, %cst_f32 : tile<8xptr<f32>>, tile<8xf32> -> token
  %2 = store_ptr_tko weak %bcast, %cst_f32, %true token=%0 optimization_hints = <sm_100 = {latency = 4}> : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token
  %3 = store_ptr_tko release tl_blk %bcast, %cst_f32 token=%0 : tile<8xptr<f32>>, tile<8xf32> -> token
  return
}
entry @atomics(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = ptr_to_ptr %arg0 : tile<ptr<f32>> -> tile<ptr<i32>>
  %reshape = reshape %0 : tile<ptr<i32>> -> tile<1xptr<i32>>
  %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<8xptr<i32>>
  %cst_1_i32 = constant <i32: 1> : tile<8xi32>
  %true = constant <i1: true> : tile<8xi1>
  %1 = make_token : token
  %result, %result_token = atomic_rmw_tko relaxed device %bcast, and, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_0, %result_token_1 = atomic_rmw_tko relaxed device %bcast, or, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_2, %result_token_3 = atomic_rmw_tko relaxed device %bcast, xor, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_4, %result_token_5 = atomic_rmw_tko relaxed device %bcast, add, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_6, %result_token_7 = atomic_rmw_tko relaxed device %bcast, max, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_8, %result_token_9 = atomic_rmw_tko relaxed device %bcast, min, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_10, %result_token_11 = atomic_rmw_tko relaxed device %bcast, umax, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_12, %result_token_13 = atomic_rmw_tko relaxed device %bcast, umin, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_14, %result_token_15 = atomic_rmw_tko relaxed device %bcast, xchg, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %reshape_16 = reshape %arg0 : tile<ptr<f32>> -> tile<1xptr<f32>>
  %bcast_17 = broadcast %reshape_16 : tile<1xptr<f32>> -> tile<8xptr<f32>>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<8xf32>
  %result_18, %result_token_19 = atomic_rmw_tko acq_rel sys %bcast_17, addf, %cst_f32, %true : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> tile<8xf32>, token
  %result_20, %result_token_21 = atomic_cas_tko relaxed device %bcast, %cst_1_i32, %cst_1_i32 token=%1 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  %result_22, %result_token_23 = atomic_cas_tko acquire tl_blk %bcast, %cst_1_i32, %cst_1_i32, %true : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> tile<8xi32>, token
  return
}
entry @bf16_atomic(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = ptr_to_ptr %arg0 : tile<ptr<f32>> -> tile<ptr<bf16>>
  %reshape = reshape %0 : tile<ptr<bf16>> -> tile<1xptr<bf16>>
  %bcast = broadcast %reshape : tile<1xptr<bf16>> -> tile<8xptr<bf16>>
  %cst_bf16 = constant <bf16: 9.183550e-41> : tile<8xbf16>
  %result, %result_token = atomic_rmw_tko relaxed device %bcast, addf, %cst_bf16 : tile<8xptr<bf16>>, tile<8xbf16> -> tile<8xbf16>, token
  return
}
entry @print(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = print_tko "hello\0A" -> token
  %1 = print_tko "%d and %f, 100%%", %arg1, %arg3 : tile<i32>, tile<f32> -> token
  return
}
entry @print_in_order(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = make_token : token
  %1 = print_tko "%d", %arg1 token=%0 : tile<i32> -> token
  return
}
entry @global_array(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = get_global @table : tile<ptr<i32>>
  return
}
entry @scratch(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = alloca num_elem = 64, alignment = 16 : tile<ptr<f32>>
  %1 = alloca num_elem = 64, alignment = 4 global : tile<ptr<f32>>
  return
}
entry @dependent_launch(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = make_token : token
  %1 = gdc_wait_tko -> token
  %2 = gdc_wait_tko token = %0 -> token
  %3 = gdc_launch_dependents_tko -> token
  %4 = gdc_launch_dependents_tko token = %0 -> token
  %5 = memory_fence_alias_tko %0
  return
}
