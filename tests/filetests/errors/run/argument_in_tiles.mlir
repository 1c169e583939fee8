// test: error run --device=cpu
// error: 4:1: argument 0 of '@first' has a layout map with divisions, and arguments can only be row-major or strided
#tiles = affine_map<(i) -> (i floordiv 4, i mod 4)>
func.func @first(%x: memref<8xf32, #tiles>) -> f32 {
  %zero = arith.constant 0 : index
  %v = memref.load %x[%zero] : memref<8xf32, #tiles>
  return %v : f32
}
