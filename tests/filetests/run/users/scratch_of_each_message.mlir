// An array of the function that each iteration fills by a recurrence, as hashes do with a message. The expected values are
// w[15] of w[0..3] = 4m + t, w[t] = w[t - 4] + w[t - 1], by a Python loop.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [112, 388, 664, 940, 1216, 1492]
func.func @recurrence(%a: memref<6x4xi32>, %b: memref<6xi32>) {
  %w = memref.alloca() : memref<16xi32>
  affine.for %m = 0 to 6 {
    affine.for %t = 0 to 4 {
      %x = affine.load %a[%m, %t] : memref<6x4xi32>
      affine.store %x, %w[%t] : memref<16xi32>
    }
    affine.for %t = 4 to 16 {
      %x = affine.load %w[%t - 4] : memref<16xi32>
      %y = affine.load %w[%t - 1] : memref<16xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %w[%t] : memref<16xi32>
    }
    %r = affine.load %w[15] : memref<16xi32>
    affine.store %r, %b[%m] : memref<6xi32>
  }
  return
}
