// test: opt "--affine-loop-fusion=maximal"
// test: run-opt --arg=iota --arg=zeros
// expect: arg 1 = [7, 6, 5, 4, 3, 2, 1, 0]
// Two memref.get_global of one name are one memory, which the second loop reads from the other end.
memref.global "private" @table : memref<8xi32> = uninitialized

func.func @main(%a: memref<8xi32>, %g: memref<8xi32>) {
  %f = memref.get_global @table : memref<8xi32>
  %h = memref.get_global @table : memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    affine.store %x, %f[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %h[-%i + 7] : memref<8xi32>
    affine.store %x, %g[%i] : memref<8xi32>
  }
  return
}
