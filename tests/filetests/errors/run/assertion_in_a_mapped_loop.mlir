// A failed assertion of a kernel is an error at the assertion, not at the launch.
//
// test: error run --device=llvmpipe --arg=iota --arg=zeros
// test: error run --device=cpu --arg=iota --arg=zeros
// error: 12:5: assertion failed: values are below 1000
func.func @main(%x: memref<4096xi32>, %y: memref<4096xi32>) {
  %most = arith.constant 1000 : i32
  affine.for %i = 0 to 4096 {
    %v = affine.load %x[%i] : memref<4096xi32>
    %ok = arith.cmpi slt, %v, %most : i32
    // Fails 3096 times.
    cf.assert %ok, "values are below 1000"
    %w = arith.addi %v, %v : i32
    affine.store %w, %y[%i] : memref<4096xi32>
  }
  return
}
