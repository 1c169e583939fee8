// Even elements written, odd ones read: never the same element, so parallel.
// Then x[i] read and x[2 * i] written: the same element again and again.
//     x[2 * i] = x[2 * i + 1] + 1     for 0 <= i < 50
//     z[2 * i] = z[i] + 1             for i = 0, 1, ..., 49, in that order

func.func @strides_apart(%x: memref<100xi32>, %z: memref<100xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 50 {
    %a = affine.load %x[%i * 2 + 1] : memref<100xi32>
    %b = arith.addi %a, %one : i32
    affine.store %b, %x[%i * 2] : memref<100xi32>
  }
  affine.for %i = 0 to 50 {
    %a = affine.load %z[%i] : memref<100xi32>
    %b = arith.addi %a, %one : i32
    affine.store %b, %z[%i * 2] : memref<100xi32>
  }
  return
}
