// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 2, 4, 6, 8]
func.func @double(%x: memref<5xf32>, %y: memref<5xf32>) {
  affine.for %i = 0 to 5 {
    %v = affine.load %x[%i] : memref<5xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %y[%i] : memref<5xf32>
  }
  return
}
