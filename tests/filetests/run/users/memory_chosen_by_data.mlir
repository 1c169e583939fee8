// The memory that a loop reads is chosen by an element, and may be what the loop writes.
// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 0 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
// expect: arg 2 = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
func.func @memory_chosen_by_data(%a: memref<10xf32>, %b: memref<10xf32>, %o: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %v0 = memref.load %a[%c0] : memref<10xf32>
  %c = arith.cmpf olt, %v0, %z : f32
  %m = arith.select %c, %a, %b : memref<10xf32>
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    affine.store %v, %o[9 - %i] : memref<10xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %a[%i] : memref<10xf32>
  }
  return
}
