// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 1, 4, 2, 5, 3, 12, 12, 15, 0, 3, 0, 4, 5, 14, 14, 50]
// test: roundtrip
// Vectors of rank 2. The argument holds [[0, 1, 2], [3, 4, 5]].
func.func @matrices(%x: memref<2x3xf32>, %y: memref<18xf32>) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c14 = arith.constant 14 : index
  %zero = arith.constant 0.0 : f32
  %m = vector.load %x[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  // The transpose, in rows: 0, 3, 1, 4, 2, 5
  %t = vector.transpose %m, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %flat = vector.shape_cast %t : vector<3x2xf32> to vector<6xf32>
  vector.store %flat, %y[%c0] : memref<18xf32>, vector<6xf32>
  // Sums of rows: 3, 12
  %none = arith.constant dense<0.0> : vector<2xf32>
  %rows = vector.multi_reduction <add>, %m, %none [1] : vector<2x3xf32> to vector<2xf32>
  vector.store %rows, %y[%c6] : memref<18xf32>, vector<2xf32>
  // The second row's sum from 0 on: 12; from 3 on: 15
  %row = vector.extract %m[1] : vector<3xf32> from vector<2x3xf32>
  %sum = vector.reduction <add>, %row : vector<3xf32> into f32
  memref.store %sum, %y[%c8] : memref<18xf32>
  %three = vector.extract %row[0] : f32 from vector<3xf32>
  %more = vector.reduction <add>, %row, %three : vector<3xf32> into f32
  memref.store %more, %y[%c9] : memref<18xf32>
  // Outer product of [0, 1] and [3, 4]: 0, 0, 3, 4; its transpose: 0, 3, 0, 4
  %r0 = vector.extract_strided_slice %m {offsets = [0, 0], sizes = [1, 2], strides = [1, 1]}
      : vector<2x3xf32> to vector<1x2xf32>
  %u = vector.shape_cast %r0 : vector<1x2xf32> to vector<2xf32>
  %v = vector.extract_strided_slice %row {offsets = [0], sizes = [2], strides = [1]}
      : vector<3xf32> to vector<2xf32>
  %o = vector.outerproduct %u, %v : vector<2xf32>, vector<2xf32>
  %ot = vector.transpose %o, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  %oflat = vector.shape_cast %ot : vector<2x2xf32> to vector<4xf32>
  vector.store %oflat, %y[%c10] : memref<18xf32>, vector<4xf32>
  // M times its transpose: [[5, 14], [14, 50]]
  %acc = arith.constant dense<0.0> : vector<2x2xf32>
  %p = vector.contract {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %m, %m, %acc : vector<2x3xf32>, vector<2x3xf32> into vector<2x2xf32>
  %pflat = vector.shape_cast %p : vector<2x2xf32> to vector<4xf32>
  vector.store %pflat, %y[%c14] : memref<18xf32>, vector<4xf32>
  return
}
