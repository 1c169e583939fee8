// Two values carried together: where the largest element of each row stands.
//     best[i] = max over j of a[i, j];   place[i] = the first j that has it
//     for 0 <= i < 33, 0 <= j < 29

func.func @argmax(%a: memref<33x29xf32>, %best: memref<33xf32>, %place: memref<33xi32>) {
  %nowhere = arith.constant -1 : i32
  %lowest = arith.constant 0xFF800000 : f32
  affine.for %i = 0 to 33 {
    %high, %where = affine.for %j = 0 to 29 iter_args(%h = %lowest, %w = %nowhere) -> (f32, i32) {
      %x = affine.load %a[%i, %j] : memref<33x29xf32>
      %j_i32 = arith.index_cast %j : index to i32
      %up = arith.cmpf ogt, %x, %h : f32
      %h1 = arith.select %up, %x, %h : f32
      %w1 = arith.select %up, %j_i32, %w : i32
      affine.yield %h1, %w1 : f32, i32
    }
    affine.store %high, %best[%i] : memref<33xf32>
    affine.store %where, %place[%i] : memref<33xi32>
  }
  return
}
