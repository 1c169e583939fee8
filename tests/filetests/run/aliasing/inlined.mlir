// A private function that is called with one buffer for both arguments, and is inlined.
//     m[i + 1] = m[i] + 1          for i = 0, 1, ..., 6, in that order
//
// test: run --entry=main --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7]
func.func private @next(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 7 {
    %one = arith.constant 1 : i32
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %one : i32
    affine.store %y, %b[%i + 1] : memref<8xi32>
  }
  return
}

func.func @main(%m: memref<8xi32>) {
  call @next(%m, %m) : (memref<8xi32>, memref<8xi32>) -> ()
  return
}
