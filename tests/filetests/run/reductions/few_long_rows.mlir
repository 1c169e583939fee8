// Four sums of 65541 products each, no multiple of lanes or vectors, and what was there.
// test: run --arg=ones --arg=ones
// expect: arg 1 = [65542, 65542, 65542, 65542]
func.func @few(%a: memref<4x65541xi32>, %y: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 65541 {
      %x = affine.load %a[%i, %j] : memref<4x65541xi32>
      %p = arith.muli %x, %x : i32
      %s = affine.load %y[%i] : memref<4xi32>
      %t = arith.addi %s, %p : i32
      affine.store %t, %y[%i] : memref<4xi32>
    }
  }
  return
}
