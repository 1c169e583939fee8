// Bands without a dimension stay as they are, with their own terminator; what they hold is lowered.
//
// test: opt --lower-affine
// test: run-opt --entry=no_dimension --arg=random:1 --arg=1.5
func.func @no_dimension(%x: memref<4xf32>, %v: f32) {
  affine.parallel () = () to () {
    affine.store %v, %x[0] : memref<4xf32>
  }
  return
}
