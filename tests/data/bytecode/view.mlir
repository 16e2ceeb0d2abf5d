entry @tensors(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %tview = make_tensor_view %arg0, shape = [8, 4], strides = [4, 1] : tensor_view<8x4xf32, strides=[4,1]>
  %tview_0 = make_tensor_view %arg0, shape = [], strides = [] : tensor_view<f32>
  %tview_1 = make_tensor_view %arg0, shape = [%arg1, 8, %arg1], strides = [%arg1, %arg1, 1] : tile<i32> -> tensor_view<?x8x?xf32, strides=[?,?,1]>
  %tview_2 = make_tensor_view %arg0, shape = [%arg1, 8, %arg1], strides = [64, 8, 1] : tile<i32> -> tensor_view<?x8x?xf32, strides=[64,8,1]>
  %0:3 = get_tensor_shape %tview_1 : tensor_view<?x8x?xf32, strides=[?,?,1]> -> tile<i64>
  %tview_3 = make_tensor_view %arg0, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
  %1 = get_tensor_shape %tview_3 : tensor_view<128xf32, strides=[1]> -> tile<i32>
  %2 = addi %1, %arg1 : tile<i32>
  return
}
entry @partitions(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview = make_partition_view %tview : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %0 = make_token : token
  %1:2 = get_index_space_shape %pview : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>> -> tile<i32>
  %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %1#1] : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  %tile_0, %result_token_1 = load_view_tko relaxed device %pview[%cst_0_i32, %cst_0_i32] token = %0 : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  %2 = store_view_tko weak %tile, %pview[%cst_0_i32, %cst_0_i32] : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
  %3 = store_view_tko relaxed device %tile, %pview[%cst_0_i32, %cst_0_i32] token = %result_token : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
entry @paddings_and_maps(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i64 = constant <i64: 0> : tile<i64>
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview = make_partition_view %tview : partition_view<tile=(4x8), padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>>
  %tile, %result_token = load_view_tko weak %pview[%cst_0_i64, %cst_0_i64] : partition_view<tile=(4x8), padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>>, tile<i64> -> tile<4x8xf32>, token
  %tview_0 = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview_1 = make_partition_view %tview_0 : partition_view<tile=(4x8), padding_value = neg_zero, tensor_view<16x64xf32, strides=[64,1]>>
  %tile_2, %result_token_3 = load_view_tko weak %pview_1[%cst_0_i64, %cst_0_i64] : partition_view<tile=(4x8), padding_value = neg_zero, tensor_view<16x64xf32, strides=[64,1]>>, tile<i64> -> tile<4x8xf32>, token
  %tview_4 = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview_5 = make_partition_view %tview_4 : partition_view<tile=(4x8), padding_value = nan, tensor_view<16x64xf32, strides=[64,1]>>
  %tile_6, %result_token_7 = load_view_tko weak %pview_5[%cst_0_i64, %cst_0_i64] : partition_view<tile=(4x8), padding_value = nan, tensor_view<16x64xf32, strides=[64,1]>>, tile<i64> -> tile<4x8xf32>, token
  %tview_8 = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview_9 = make_partition_view %tview_8 : partition_view<tile=(4x8), padding_value = pos_inf, tensor_view<16x64xf32, strides=[64,1]>>
  %tile_10, %result_token_11 = load_view_tko weak %pview_9[%cst_0_i64, %cst_0_i64] : partition_view<tile=(4x8), padding_value = pos_inf, tensor_view<16x64xf32, strides=[64,1]>>, tile<i64> -> tile<4x8xf32>, token
  %tview_12 = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview_13 = make_partition_view %tview_12 : partition_view<tile=(4x8), padding_value = neg_inf, tensor_view<16x64xf32, strides=[64,1]>>
  %tile_14, %result_token_15 = load_view_tko weak %pview_13[%cst_0_i64, %cst_0_i64] : partition_view<tile=(4x8), padding_value = neg_inf, tensor_view<16x64xf32, strides=[64,1]>>, tile<i64> -> tile<4x8xf32>, token
  %tview_16 = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview_17 = make_partition_view %tview_16 : partition_view<tile=(4x8), padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>, dim_map=[1, 0]>
  %tile_18, %result_token_19 = load_view_tko weak %pview_17[%cst_0_i64, %cst_0_i64] : partition_view<tile=(4x8), padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i64> -> tile<4x8xf32>, token
  return
}
entry @hinted(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview = make_partition_view %tview : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %0 = make_token : token
  %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32] token = %0 optimization_hints = <sm_100 = {allow_tma = false, latency = 2}, sm_120 = {allow_tma = true}> : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  %1 = store_view_tko weak %tile, %pview[%cst_0_i32, %cst_0_i32] token = %0 optimization_hints = <sm_100 = {allow_tma = false, latency = 2}, sm_120 = {allow_tma = true}> : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
entry @in_bounds(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview = make_partition_view %tview : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %0 = make_token : token
  %tile, %result_token = load_view_tko weak %pview[%cst_0_i32, %cst_0_i32] token = %0 inbounds = [true, true] : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  %1 = store_view_tko weak %tile, %pview[%cst_0_i32, %cst_0_i32] token = %0 inbounds = [false, true] : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
entry @strided(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %sview = make_strided_view %tview : strided_view<tile=(4x8), traversal_strides=[2,8], padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>>
  %0:2 = get_index_space_shape %sview : strided_view<tile=(4x8), traversal_strides=[2,8], padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>> -> tile<i32>
  %tile, %result_token = load_view_tko weak %sview[%cst_0_i32, %cst_0_i32] : strided_view<tile=(4x8), traversal_strides=[2,8], padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> tile<4x8xf32>, token
  %tview_0 = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %sview_1 = make_strided_view %tview_0 : strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<16x64xf32, strides=[64,1]>, dim_map=[1, 0]>
  %1 = store_view_tko weak %tile, %sview_1[%cst_0_i32, %cst_0_i32] : tile<4x8xf32>, strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<16x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> token
  return
}
entry @gather(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_3_i32 = constant <i32: 3> : tile<4xi32>
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>, sparse_dim=0>
  %tile, %result_token = load_view_tko weak %gsview[%cst_3_i32, %cst_0_i32] : gather_scatter_view<tile=(4x8), padding_value = zero, tensor_view<16x64xf32, strides=[64,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x8xf32>, token
  %tview_0 = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %gsview_1 = make_gather_scatter_view %tview_0 : gather_scatter_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>, sparse_dim=0>
  %0 = store_view_tko weak %tile, %gsview_1[%cst_3_i32, %cst_0_i32] : tile<4x8xf32>, gather_scatter_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
  return
}
entry @atomic_reductions(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview = make_partition_view %tview : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4x8xf32>
  %0 = atomic_red_view_tko relaxed device %pview[%cst_0_i32, %cst_0_i32], addf, %cst_f32 : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
  %1 = make_token : token
  %2 = atomic_red_view_tko relaxed device %pview[%cst_0_i32, %cst_0_i32], addf, %cst_f32 token = %1 : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
entry @atomic_in_bounds(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %tview = make_tensor_view %arg0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf32, strides=[64,1]>
  %pview = make_partition_view %tview : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4x8xf32>
  %0 = atomic_red_view_tko relaxed device %pview[%cst_0_i32, %cst_0_i32], addf, %cst_f32 inbounds = [true, false] : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1]>>, tile<i32> -> token
  return
}
entry @multimem(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = ptr_to_int %arg0 : tile<ptr<f32>> -> tile<i64>
  %1 = int_to_ptr %0 : tile<i64> -> tile<ptr<f32, <multicast>>>
  %tview = make_tensor_view %1, shape = [16, 64], strides = [64, 1] : tile<ptr<f32, <multicast>>> -> tensor_view<16x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
  %pview = make_partition_view %tview : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
  %2 = ptr_to_int %arg0 : tile<ptr<f32>> -> tile<i64>
  %3 = int_to_ptr %2 : tile<i64> -> tile<ptr<i32, <multicast>>>
  %tview_0 = make_tensor_view %3, shape = [16, 64], strides = [64, 1] : tile<ptr<i32, <multicast>>> -> tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>
  %pview_1 = make_partition_view %tview_0 : partition_view<tile=(4x8), tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<4x8xf32>
  %cst_1_i32 = constant <i32: 1> : tile<4x8xi32>
  %4 = make_token : token
  %reduced_values, %result_token = multimem_load_reduce_view_tko weak %pview[%cst_0_i32, %cst_0_i32]  : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4x8xf32>, token
  %reduced_values_2, %result_token_3 = multimem_load_reduce_view_tko relaxed device %pview[%cst_0_i32, %cst_0_i32] token = %4 inbounds = [true, true] : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4x8xf32>, token
  %5 = multimem_reduce_view_tko relaxed device %pview, %cst_f32[%cst_0_i32, %cst_0_i32] token = %4  : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<4x8xf32>, tile<i32>, token -> token
  %6 = multimem_store_view_tko weak %pview, %cst_f32[%cst_0_i32, %cst_0_i32] token = %4  : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<4x8xf32>, tile<i32>, token -> token
  %7 = multimem_store_view_tko relaxed device %pview, %cst_f32[%cst_0_i32, %cst_0_i32]  : partition_view<tile=(4x8), tensor_view<16x64xf32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<4x8xf32>, tile<i32> -> token
  %reduced_values_4, %result_token_5 = multimem_load_reduce_view_tko weak %pview_1[%cst_0_i32, %cst_0_i32] token = %4  attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(4x8), tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4x8xi32>, token
  %8 = multimem_reduce_view_tko relaxed device %pview_1, %cst_1_i32[%cst_0_i32, %cst_0_i32] inbounds = [false, true] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(4x8), tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<4x8xi32>, tile<i32> -> token
  %reduced_values_6, %result_token_7 = multimem_load_reduce_view_tko weak %pview_1[%cst_0_i32, %cst_0_i32] token = %4  attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : partition_view<tile=(4x8), tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4x8xi32>, token
  %9 = multimem_reduce_view_tko relaxed device %pview_1, %cst_1_i32[%cst_0_i32, %cst_0_i32] inbounds = [false, true] attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : partition_view<tile=(4x8), tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<4x8xi32>, tile<i32> -> token
  %reduced_values_8, %result_token_9 = multimem_load_reduce_view_tko weak %pview_1[%cst_0_i32, %cst_0_i32] token = %4  attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(4x8), tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<4x8xi32>, token
  %10 = multimem_reduce_view_tko relaxed device %pview_1, %cst_1_i32[%cst_0_i32, %cst_0_i32] inbounds = [false, true] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(4x8), tensor_view<16x64xi32, strides=[64,1], #cuda_tile.ptr_attr<multicast>>>, tile<4x8xi32>, tile<i32> -> token
  return
}
