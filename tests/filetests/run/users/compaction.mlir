// Positive elements are moved to the front, and counted.
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 0]
// expect: arg 2 = [49]
func.func @compaction(%a: memref<50xi32>, %o: memref<50xi32>, %n: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %c = affine.for %i = 0 to 50 iter_args(%k=%c0) -> index {
    %v = affine.load %a[%i] : memref<50xi32>
    %p = arith.cmpi sgt, %v, %z : i32
    %nk = scf.if %p -> index {
      memref.store %v, %o[%k] : memref<50xi32>
      %k1 = arith.addi %k, %c1 : index
      scf.yield %k1 : index
    } else {
      scf.yield %k : index
    }
    affine.yield %nk : index
  }
  memref.store %c, %n[%c0] : memref<1xindex>
  return
}
