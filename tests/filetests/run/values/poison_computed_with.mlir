// An operation that computes with poison is a fault where that is looked for.
//
// test: error run --sanitize=uninit --arg=iota
// error: 9:10: this computes with poison
func.func @f(%x: memref<4xi32>) {
  %p = ub.poison : i32
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi32>
    %s = arith.addi %v, %p : i32
    affine.store %s, %x[%i] : memref<4xi32>
  }
  return
}
