// test: opt "--affine-super-vectorize=virtual-vector-size=4 test-fastest-varying=1"
// test: run-opt --entry=columns --arg=random:1 --arg=random:2

// Lanes down the columns.
func.func @columns(%a: memref<8x6xf32>, %b: memref<8x6xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<8x6xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i, %j] : memref<8x6xf32>
    }
  }
  return
}
