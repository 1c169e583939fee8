// Adjacent threads go along the loop that most accesses are contiguous in, where an access that another loop of the nest does not
// move counts for little: a tile along that loop loads it once. Normalization of channels by four values of each channel goes along
// the points of a channel, in which its large arrays are contiguous.
// test: opt "--affine-map-to-gpu=target=gpu tile=off"
// test: run --arg=random:1 --arg=random:2 --arg=random:3 --arg=random:4 --arg=random:5 --arg=zeros
func.func @normalize(%x: memref<61x3137xf32>, %mean: memref<61xf32>, %deviation: memref<61xf32>, %gain: memref<61xf32>,
    %shift: memref<61xf32>, %y: memref<61x3137xf32>) {
  affine.parallel (%c) = (0) to (61) {
    affine.parallel (%p) = (0) to (3137) {
      %v = affine.load %x[%c, %p] : memref<61x3137xf32>
      %m = affine.load %mean[%c] : memref<61xf32>
      %d = affine.load %deviation[%c] : memref<61xf32>
      %g = affine.load %gain[%c] : memref<61xf32>
      %s = affine.load %shift[%c] : memref<61xf32>
      %centred = arith.subf %v, %m : f32
      %scaled = arith.mulf %centred, %d : f32
      %weighted = arith.mulf %scaled, %g : f32
      %r = arith.addf %weighted, %s : f32
      affine.store %r, %y[%c, %p] : memref<61x3137xf32>
    }
  }
  return
}
