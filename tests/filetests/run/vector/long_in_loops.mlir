// Vectors of more than four elements, and of two dimensions, in loops that become kernels.
// test: run --entry=scaled --arg=iota --arg=zeros
// expect: arg 1 = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]
// test: run --entry=sums --arg=iota --arg=zeros
// expect: arg 1 = [28, 92, 156, 220]
// test: run --entry=turned --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]
// test: run --entry=carried --arg=iota --arg=zeros
// expect: arg 1 = [48, 52, 56, 60, 64, 68, 72, 76]
func.func @scaled(%x: memref<16xf32>, %y: memref<16xf32>) {
  %two = arith.constant dense<2.0> : vector<8xf32>
  %one = arith.constant 1.0 : f32
  %ones = vector.broadcast %one : f32 to vector<8xf32>
  affine.for %i = 0 to 2 {
    %v = affine.vector_load %x[%i * 8] : memref<16xf32>, vector<8xf32>
    %w = math.fma %v, %two, %ones : vector<8xf32>
    affine.vector_store %w, %y[%i * 8] : memref<16xf32>, vector<8xf32>
  }
  return
}
func.func @sums(%x: memref<4x8xi32>, %y: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    %v = vector.load %x[%i, %c0] : memref<4x8xi32>, vector<8xi32>
    %s = vector.reduction <add>, %v : vector<8xi32> into i32
    affine.store %s, %y[%i] : memref<4xi32>
  }
  return
}
func.func @turned(%x: memref<2x6xi32>, %y: memref<2x6xi32>) {
  affine.for %i = 0 to 2 {
    %v = affine.vector_load %x[%i, 0] : memref<2x6xi32>, vector<6xi32>
    %m = vector.shape_cast %v : vector<6xi32> to vector<2x3xi32>
    %t = vector.transpose %m, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
    %w = vector.shape_cast %t : vector<3x2xi32> to vector<6xi32>
    affine.vector_store %w, %y[%i, 0] : memref<2x6xi32>, vector<6xi32>
  }
  return
}
// A loop that carries such a vector runs on the host: the sum of four rows of eight.
func.func @carried(%x: memref<4x8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0> : vector<8xi32>
  affine.for %j = 0 to 1 {
    %sum = affine.for %i = 0 to 4 iter_args(%acc = %zero) -> (vector<8xi32>) {
      %v = vector.load %x[%i, %c0] : memref<4x8xi32>, vector<8xi32>
      %s = arith.addi %acc, %v : vector<8xi32>
      affine.yield %s : vector<8xi32>
    }
    affine.vector_store %sum, %y[%j] : memref<8xi32>, vector<8xi32>
  }
  return
}
