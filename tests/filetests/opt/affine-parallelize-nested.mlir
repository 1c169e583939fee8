// test: opt --affine-parallelize=max-nested=1
// test: run-opt --entry=both --arg=random:1 --arg=1.5

// Both loops are parallel: the outer one is taken.
func.func @both(%a: memref<16x16xf32>, %v: f32) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      affine.store %v, %a[%i, %j] : memref<16x16xf32>
    }
  }
  return
}
