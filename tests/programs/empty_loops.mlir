// Loops that never run: empty and backward ranges, an array without elements,
// a loop-carried value that keeps what it started with; and a loop that runs once.
//     kept[i] = 7 for 0 <= i < 9;   once[4] = 3

func.func @empty_loops(%none: memref<0x5xi32>, %kept: memref<9xi32>, %once: memref<9xi32>) {
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 0 {
    affine.for %j = 0 to 5 {
      affine.store %three, %none[%i, %j] : memref<0x5xi32>
    }
  }
  affine.for %i = 8 to 3 {
    affine.store %three, %kept[%i] : memref<9xi32>
  }
  affine.for %i = 0 to 9 {
    %v = affine.for %j = 5 to 5 iter_args(%start = %seven) -> (i32) {
      affine.yield %three : i32
    }
    affine.store %v, %kept[%i] : memref<9xi32>
  }
  affine.for %i = 4 to 6 step 2 {
    affine.store %three, %once[%i] : memref<9xi32>
  }
  return
}
