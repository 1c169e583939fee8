// A private function that is called elsewhere can still be the one to run.
//
// test: run --entry=triple --arg=iota
// expect: arg 0 = [0, 3, 6, 9]
func.func private @triple(%x: memref<4xi32>) {
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 4 {
    %v = affine.load %x[%i] : memref<4xi32>
    %w = arith.muli %v, %three : i32
    affine.store %w, %x[%i] : memref<4xi32>
  }
  return
}

func.func @nine_times(%x: memref<4xi32>) {
  call @triple(%x) : (memref<4xi32>) -> ()
  call @triple(%x) : (memref<4xi32>) -> ()
  return
}
