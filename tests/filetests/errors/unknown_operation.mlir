// test: error
// error: 4:3: affine.lod
func.func @f(%a: memref<4xf32>) {
  affine.lod %a
  return
}
