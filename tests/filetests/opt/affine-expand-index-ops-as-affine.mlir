// test: opt --affine-expand-index-ops-as-affine
// test: run-opt --entry=copy --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
// test: run-opt --entry=no_symbol --arg=iota --arg=zeros
// remark: 20:12: this operation is not expanded

func.func @copy(%a: memref<12xi32>, %b: memref<3x4xi32>) {
  affine.for %t = 0 to 12 {
    %i:2 = affine.delinearize_index %t into (3, 4) : index, index
    %u = affine.linearize_index [%i#0, %i#1] by (3, 4) : index
    %x = affine.load %a[%u] : memref<12xi32>
    affine.store %x, %b[%i#0, %i#1] : memref<3x4xi32>
  }
  return
}

// The size is another one in each iteration, and so is no symbol.
func.func @no_symbol(%a: memref<12xindex>, %b: memref<12xindex>) {
  affine.for %t = 1 to 12 {
    %i:2 = affine.delinearize_index %t into (%t) : index, index
    memref.store %i#1, %b[%t] : memref<12xindex>
  }
  return
}
