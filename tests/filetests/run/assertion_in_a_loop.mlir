// Assertions that hold do not keep a loop from becoming a kernel, nor change what it computes.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8, 10, 12, 14]
// test: shaders
// test: spirv
func.func @main(%x: memref<8xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi32>
    %ok = arith.cmpi sge, %v, %c0 : i32
    cf.assert %ok, "values are not negative"
    %w = arith.addi %v, %v : i32
    affine.store %w, %y[%i] : memref<8xi32>
  }
  return
}
