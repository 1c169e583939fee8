// Memrefs without dimensions hold one element.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = 6
func.func @f(%x: memref<4xi32>, %sum: memref<i32>) {
  affine.for %i = 0 to 4 {
    %s = affine.load %sum[] : memref<i32>
    %v = affine.load %x[%i] : memref<4xi32>
    %t = arith.addi %s, %v : i32
    affine.store %t, %sum[] : memref<i32>
  }
  return
}
