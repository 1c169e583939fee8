// test: opt "--affine-loop-fusion=maximal"
// test: run-opt --arg=iota --arg=zeros
// expect: arg 1 = [7, 6, 5, 4, 3, 2, 1, 0]
// A memref.cast is the memory that it casts: the second loop reads the other end first, so both loops stay.
func.func @main(%a: memref<8xi32>, %g: memref<8xi32>) {
  %f = memref.alloc() : memref<8xi32>
  %v = memref.cast %f : memref<8xi32> to memref<?xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    affine.store %x, %f[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %v[-%i + 7] : memref<?xi32>
    affine.store %x, %g[%i] : memref<8xi32>
  }
  memref.dealloc %f : memref<8xi32>
  return
}
