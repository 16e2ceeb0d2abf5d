entry @iota(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %0 = iota : tile<16xi32>
  %1 = iota : tile<256xi8>
  return
}
entry @moves(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_f32 = constant <f32: 1.401300e-45> : tile<2x4x8xf32>
  %reshape = reshape %cst_f32 : tile<2x4x8xf32> -> tile<64xf32>
  %reshape_0 = reshape %arg3 : tile<f32> -> tile<1x1xf32>
  %cst_f32_1 = constant <f32: 1.401300e-45> : tile<1x4x1xf32>
  %bcast = broadcast %cst_f32_1 : tile<1x4x1xf32> -> tile<2x4x8xf32>
  %0 = permute %cst_f32 [2, 0, 1] : tile<2x4x8xf32> -> tile<8x2x4xf32>
  %1 = cat %cst_f32, %cst_f32 dim = 1 : tile<2x4x8xf32>, tile<2x4x8xf32> -> tile<2x8x8xf32>
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %2 = extract %cst_f32[%cst_0_i32, %arg1, %cst_0_i32] : tile<2x4x8xf32> -> tile<1x2x8xf32>
  return
}
entry @insert(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %cst_0_i32 = constant <i32: 0> : tile<i32>
  %cst_f32 = constant <f32: 1.401300e-45> : tile<2x2xf32>
  %cst_f32_0 = constant <f32: 1.401300e-45> : tile<4x8xf32>
  %0 = insert %cst_f32, %cst_f32_0[%cst_0_i32, %arg1] : tile<2x2xf32>, tile<4x8xf32>
  return
}
entry @grid(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
  %gridSize_x, %gridSize_y, %gridSize_z = get_num_tile_blocks : tile<i32>
  return
}
entry @assume(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %assume = assume div_by<16>, %arg0 : tile<ptr<f32>>
  %assume_0 = assume div_by<1>, %arg1 : tile<i32>
  %cst_1_i32 = constant <i32: 1> : tile<8x8xi32>
  %assume_cst_1_i32 = assume div_by<4, every 2 along 1>, %cst_1_i32 : tile<8x8xi32>
  %assume_1 = assume bounded<0, ?>, %arg1 : tile<i32>
  %assume_2 = assume bounded<?, 100>, %arg1 : tile<i32>
  %assume_3 = assume bounded<-5, 7>, %arg1 : tile<i32>
  %cst_1_i32_4 = constant <i32: 1> : tile<8x8xi32>
  %assume_cst_1_i32_5 = assume same_elements<[2, 4]>, %cst_1_i32_4 : tile<8x8xi32>
  return
}
entry @assertion(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<ptr<i32>>, %arg3: tile<f32>) {
  %true = constant <i1: true> : tile<i1>
  assert %true, "a \22quote\22, a \\ and an \C3\A9\0A" : tile<i1>
  %true_0 = constant <i1: true> : tile<4xi1>
  assert %true_0, "in bounds" : tile<4xi1>
  return
}
