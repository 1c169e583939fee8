// One buffer under a ranked and an unranked name. Each iteration reads what the one before wrote:
//     m[i + 1] = m[i] + 1          for i = 0, 1, ..., 14, in that order
// The function calls itself, so that it is not inlined.
//
// test: run --entry=main --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
func.func private @next(%u: memref<*xi32>, %b: memref<16xi32>, %again: i1) {
  %a = memref.cast %u : memref<*xi32> to memref<16xi32>
  affine.for %i = 0 to 15 {
    %one = arith.constant 1 : i32
    %x = affine.load %a[%i] : memref<16xi32>
    %y = arith.addi %x, %one : i32
    affine.store %y, %b[%i + 1] : memref<16xi32>
  }
  scf.if %again {
    %no = arith.constant false
    func.call @next(%u, %b, %no) : (memref<*xi32>, memref<16xi32>, i1) -> ()
  }
  return
}

func.func @main(%m: memref<16xi32>) {
  %u = memref.cast %m : memref<16xi32> to memref<*xi32>
  %yes = arith.constant true
  call @next(%u, %m, %yes) : (memref<*xi32>, memref<16xi32>, i1) -> ()
  return
}
