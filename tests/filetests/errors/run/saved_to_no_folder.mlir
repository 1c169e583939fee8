// test: error run --device=cpu --save-arg=0=@no/such/folder/a.npy
// error: 'no/such/folder/a.npy' cannot be written:
func.func @f(%a: memref<4xf32>) {
  // Found before the run, which would not end.
  affine.for %i = 0 to 1000000000000000 {
    %x = affine.load %a[0] : memref<4xf32>
    affine.store %x, %a[1] : memref<4xf32>
  }
  return
}
