// The outer loop of the callee cannot stay affine where it is called, since its bound is the counter of an `scf.for`. So
// the band inside cannot be bounded by its counter, and the call stays.
//     x[j] = x[j] + 1          for j < i, i < k, k = 0, ..., 3, twice
//
// test: stages --inline
// test: run --entry=main --arg=zeros
// expect: arg 0 = [6, 2, 0, 0]
func.func private @triangle(%x: memref<4xi32>, %n: index) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    affine.parallel (%j) = (0) to (%i) {
      %v = affine.load %x[%j] : memref<4xi32>
      %w = arith.addi %v, %one : i32
      affine.store %w, %x[%j] : memref<4xi32>
    }
  }
  return
}

func.func @main(%x: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  affine.for %t = 0 to 2 {
    scf.for %k = %c0 to %c4 step %c1 {
      func.call @triangle(%x, %k) : (memref<4xi32>, index) -> ()
    }
  }
  return
}
