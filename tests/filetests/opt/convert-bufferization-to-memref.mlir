// Clones, as buffer deallocation leaves them, are allocations and copies: the original changes
// later and the clone does not.
// test: opt --convert-bufferization-to-memref
// test: run --entry=open --arg=iota[5] --arg=zeros[5]
// expect: arg 0 = [7, 7, 7, 7, 7]
// expect: arg 1 = [0, 2, 4, 6, 8]
func.func @open(%x: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %c = bufferization.clone %x : memref<?xi32> to memref<?xi32>
  affine.for %i = 0 to %n {
    affine.store %seven, %x[%i] : memref<?xi32>
  }
  affine.for %i = 0 to %n {
    %a = affine.load %c[%i] : memref<?xi32>
    %b = arith.addi %a, %a : i32
    affine.store %b, %y[%i] : memref<?xi32>
  }
  memref.dealloc %c : memref<?xi32>
  return
}
func.func @strided(%x: memref<2x3xf32, strided<[?, 1], offset: ?>>) -> memref<2x3xf32, strided<[?, 1], offset: ?>> {
  %c = bufferization.clone %x : memref<2x3xf32, strided<[?, 1], offset: ?>> to memref<2x3xf32, strided<[?, 1], offset: ?>>
  return %c : memref<2x3xf32, strided<[?, 1], offset: ?>>
}
func.func @columns_stay(%x: memref<2x3xf32, strided<[1, 2]>>) -> memref<2x3xf32, strided<[1, 2]>> {
  %c = bufferization.clone %x : memref<2x3xf32, strided<[1, 2]>> to memref<2x3xf32, strided<[1, 2]>>
  return %c : memref<2x3xf32, strided<[1, 2]>>
}
func.func @shifted_stays(%x: memref<4xf32, strided<[1], offset: 5>>) -> memref<4xf32, strided<[1], offset: 5>> {
  %c = bufferization.clone %x : memref<4xf32, strided<[1], offset: 5>> to memref<4xf32, strided<[1], offset: 5>>
  return %c : memref<4xf32, strided<[1], offset: 5>>
}
