// test: error run --device=cpu --save-result=1=@target/none.npy
// exit: 2
// error: --save-result 1: there are 1 results, counted from 0
func.func @f(%a: memref<4xf32>) -> f32 {
  %x = affine.load %a[0] : memref<4xf32>
  return %x : f32
}
