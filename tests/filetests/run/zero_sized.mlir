// A memref without elements is no mistake: its loops have no iterations.
//
// test: run --arg=zeros[0x3] --arg=ones
// expect: arg 1 = [1, 1, 1]
func.func @f(%x: memref<?x3xi32>, %y: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x3xi32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i, %j] : memref<?x3xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %x[%i, %j] : memref<?x3xi32>
    }
  }
  return
}
