// One buffer as source and target of a recursive function, which is not inlined: the serial version runs.
//     m[i + 1] = m[i] + 1          for i = 0, 1, ..., 14, in that order
// Then two buffers: every element of the second is one of the first, and the parallel version runs.
//
// test: run --entry=main --arg=zeros --arg=iota --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// expect: arg 2 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
func.func private @next(%a: memref<16xi32>, %b: memref<16xi32>, %again: i1) {
  affine.for %i = 0 to 15 {
    %one = arith.constant 1 : i32
    %x = affine.load %a[%i] : memref<16xi32>
    %y = arith.addi %x, %one : i32
    affine.store %y, %b[%i + 1] : memref<16xi32>
  }
  scf.if %again {
    %no = arith.constant false
    func.call @next(%a, %b, %no) : (memref<16xi32>, memref<16xi32>, i1) -> ()
  }
  return
}

func.func @main(%m: memref<16xi32>, %a: memref<16xi32>, %b: memref<16xi32>) {
  %yes = arith.constant true
  call @next(%m, %m, %yes) : (memref<16xi32>, memref<16xi32>, i1) -> ()
  call @next(%a, %b, %yes) : (memref<16xi32>, memref<16xi32>, i1) -> ()
  return
}
