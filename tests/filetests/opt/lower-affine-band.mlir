// Bands without a dimension stay as they are, with their own terminator; what they hold is lowered.
//
// test: opt --lower-affine
func.func @no_dimension(%x: memref<4xf32>, %v: f32) {
  affine.parallel () = () to () {
    affine.store %v, %x[0] : memref<4xf32>
  }
  return
}
