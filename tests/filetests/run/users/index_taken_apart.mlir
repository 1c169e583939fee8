// A counter is taken apart and put together in another order.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 7, 14, 21, 28, 1, 8, 15, 22, 29, 2, 9, 16, 23, 30, 3, 10, 17, 24, 31, 4, 11, 18, 25, 32, 5, 12, 19, 26, 33, 6, 13, 20, 27, 34]
func.func @index_taken_apart(%a: memref<5x7xi32>, %o: memref<35xi32>) {
  affine.for %k = 0 to 35 {
    %p:2 = affine.delinearize_index %k into (5,7) : index, index
    %v = memref.load %a[%p#0,%p#1] : memref<5x7xi32>
    %q = affine.linearize_index [%p#1,%p#0] by (7,5) : index
    memref.store %v, %o[%q] : memref<35xi32>
  }
  return
}
