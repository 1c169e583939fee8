// Two views that overlap by 15 elements, one written while the other is read, and a copy between them.
// test: run --arg=iota
// expect: arg 0 = [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 1, 2, 3, 4, 5, 2, 3, 4, 5, 6, 3, 4, 5, 6, 7, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]
func.func @overlapping_views(%a: memref<40xf32>) {
  %s = memref.subview %a[0][20][1] : memref<40xf32> to memref<20xf32, strided<[1]>>
  %t = memref.subview %a[5][20][1] : memref<40xf32> to memref<20xf32, strided<[1], offset: 5>>
  affine.for %i = 0 to 20 {
    %v = affine.load %s[%i] : memref<20xf32, strided<[1]>>
    %c = arith.constant 1.0 : f32
    %w = arith.addf %v, %c : f32
    affine.store %w, %t[%i] : memref<20xf32, strided<[1], offset: 5>>
  }
  memref.copy %s, %t : memref<20xf32, strided<[1]>> to memref<20xf32, strided<[1], offset: 5>>
  return
}
