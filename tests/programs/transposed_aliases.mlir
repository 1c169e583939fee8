// The whole of one buffer as a matrix and as its transpose: a copy from one to
// the other reads below the diagonal what it has written above it.
//     m[j, i] = m[i, j] + 1     for 0 <= i, j < 70, row by row   (m is 70 × 70)

func.func @transposed_aliases(%m: memref<70x70xi32>) {
  %one = arith.constant 1 : i32
  %mt = memref.reinterpret_cast %m to offset: [0], sizes: [70, 70], strides: [1, 70]
      : memref<70x70xi32> to memref<70x70xi32, strided<[1, 70]>>
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 70 {
      %x = affine.load %m[%i, %j] : memref<70x70xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %mt[%i, %j] : memref<70x70xi32, strided<[1, 70]>>
    }
  }
  return
}
