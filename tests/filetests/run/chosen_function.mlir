// Calls of a function that a condition chooses become branches with direct calls, which are inlined: the loop is a kernel.
//
// test: run --entry=main --arg=iota --arg=1
// expect: arg 0 = [0, 1, 4, 9, 16, 25, 36, 49]
// test: run --entry=main --arg=iota --arg=0
// expect: arg 0 = [0, -1, -2, -3, -4, -5, -6, -7]
// test: run --entry=each --arg=iota
// expect: arg 0 = [0, 1, 4, 9, -4, -5, 18, 21]
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func private @opposite(%x: f32) -> f32 {
  %y = arith.negf %x : f32
  return %y : f32
}
func.func private @triple(%x: f32) -> f32 {
  %c3 = arith.constant 3.0 : f32
  %y = arith.mulf %x, %c3 : f32
  return %y : f32
}
func.func @main(%a: memref<8xf32>, %which: i1) {
  %f = func.constant @square : (f32) -> f32
  %g = func.constant @opposite : (f32) -> f32
  %chosen = arith.select %which, %f, %g : (f32) -> f32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    %y = func.call_indirect %chosen(%x) : (f32) -> f32
    affine.store %y, %a[%i] : memref<8xf32>
  }
  return
}

// Each iteration chooses: i < 4 squares, i < 6 changes signs, others triple.
func.func @each(%a: memref<8xf32>) {
  %f = func.constant @square : (f32) -> f32
  %g = func.constant @opposite : (f32) -> f32
  %h = func.constant @triple : (f32) -> f32
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    %low = arith.cmpi slt, %i, %c4 : index
    %middle = arith.cmpi slt, %i, %c6 : index
    %later = arith.select %middle, %g, %h : (f32) -> f32
    %chosen = arith.select %low, %f, %later : (f32) -> f32
    %y = func.call_indirect %chosen(%x) : (f32) -> f32
    affine.store %y, %a[%i] : memref<8xf32>
  }
  return
}
