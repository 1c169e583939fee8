// A quotient of zeros is NaN under strict floats, whatever the driver makes of it.
//
// test: run --arg=zeros --fp=strict
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// expect: arg 0 = [nan, nan, nan, nan]
func.func @f(%y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    %i32 = arith.index_cast %i : index to i32
    %v = arith.sitofp %i32 : i32 to f32
    %nothing = arith.subf %v, %v : f32
    %nan = arith.divf %nothing, %zero : f32
    affine.store %nan, %y[%i] : memref<4xf32>
  }
  return
}
