// A sum of sizes may leave 64 bits: the test compares differences of sizes, which do not.
// test: opt --affine-guard-bounds --affine-mark-inbounds --canonicalize
// test: run --entry=window --arg=iota[8] --arg=iota[3] --arg=zeros[6]
// expect: arg 2 = [5, 8, 11, 14, 17, 20]
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
