// One element too few for the test of the sizes: the last product reads behind the input.
// test: error run --device llvmpipe --arg=iota[7] --arg=iota[3] --arg=zeros[6]
// error: 10:12: reached outside a buffer 1 times
func.func @window(%x: memref<?xi32>, %w: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xi32>
  %k = memref.dim %w, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %k {
      %a = affine.load %x[%i + %j] : memref<?xi32>
      %b = affine.load %w[%j] : memref<?xi32>
      %c = affine.load %y[%i] : memref<?xi32>
      %p = arith.muli %a, %b : i32
      %s = arith.addi %c, %p : i32
      affine.store %s, %y[%i] : memref<?xi32>
    }
  }
  return
}
