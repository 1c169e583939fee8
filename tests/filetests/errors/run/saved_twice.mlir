// test: error run --device=cpu --save-arg=0=@target/twice.npy --save-result=0=@target/../target/twice.npy
// exit: 2
// error: several arguments or results are saved to 'target/../target/twice.npy'
func.func @f(%a: memref<4xf32>) -> f32 {
  %x = affine.load %a[0] : memref<4xf32>
  return %x : f32
}
