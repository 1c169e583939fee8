// test: opt --affine-expand-index-ops
// test: run-opt --entry=rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
// remark: 10:12: this operation is not expanded: an affine operation uses its result as a dimension
// remark: 11:10: this operation is not expanded: an affine operation uses its result as a dimension

// Found by damage: the subscripts of affine.load were arith's, which are no dimensions in a loop.
func.func @rows(%a: memref<12xi32>, %b: memref<12xi32>) {
  affine.for %t = 0 to 12 {
    %i:2 = affine.delinearize_index %t into (3, 4) : index, index
    %u = affine.linearize_index [%i#0, %i#1] by (3, 4) : index
    %x = affine.load %a[%u] : memref<12xi32>
    %v = affine.linearize_index [%i#0, %i#1] by (3, 4) : index
    memref.store %x, %b[%v] : memref<12xi32>
  }
  return
}
