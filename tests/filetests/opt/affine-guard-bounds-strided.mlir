// Twice a size may leave 64 bits: the test that proves accesses at every other element in range
// stands under one that sizes are small.
// test: opt --affine-guard-overflow --affine-guard-bounds --affine-mark-inbounds --canonicalize
// test: run --entry=pairs --arg=iota[9] --arg=zeros[4] --arg=4
// expect: arg 1 = [1, 5, 9, 13]
func.func @pairs(%x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i * 2] : memref<?xi32>
    %b = affine.load %x[%i * 2 + 1] : memref<?xi32>
    %s = arith.addi %a, %b : i32
    affine.store %s, %y[%i] : memref<?xi32>
  }
  return
}

// Subscripts that data chooses have no test, so that none of the sizes helps.
func.func @chosen(%x: memref<?xi32>, %at: memref<?xi32>, %n: index) {
  affine.for %i = 0 to %n {
    %p = affine.load %at[%i * 2] : memref<?xi32>
    %q = arith.index_cast %p : i32 to index
    %a = memref.load %x[%q] : memref<?xi32>
    affine.store %a, %at[%i * 2] : memref<?xi32>
  }
  return
}
