// The callee gets the global it names itself, as a memref without a rank: element 0 becomes 7 in the first iteration,
// and the others copy that. The function calls itself, so that it is not inlined.
//
// test: run --entry=main --arg=zeros
// expect: arg 0 = [7, 7, 7, 7]
memref.global "private" @g : memref<4xi32> = dense<[1, 2, 3, 4]>
func.func private @f(%u: memref<*xi32>, %again: i1) {
  %g = memref.get_global @g : memref<4xi32>
  %a = memref.cast %u : memref<*xi32> to memref<?xi32>
  %seven = arith.constant 7 : i32
  affine.store %seven, %g[0] : memref<4xi32>
  affine.for %i = 1 to 4 {
    %x = affine.load %a[%i - 1] : memref<?xi32>
    affine.store %x, %g[%i] : memref<4xi32>
  }
  scf.if %again {
    %no = arith.constant false
    func.call @f(%u, %no) : (memref<*xi32>, i1) -> ()
  }
  return
}
func.func @main(%out: memref<4xi32>) {
  %g = memref.get_global @g : memref<4xi32>
  %u = memref.cast %g : memref<4xi32> to memref<*xi32>
  %yes = arith.constant true
  func.call @f(%u, %yes) : (memref<*xi32>, i1) -> ()
  memref.copy %g, %out : memref<4xi32> to memref<4xi32>
  return
}
