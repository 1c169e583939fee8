// test: opt --affine-loop-unroll=unroll-full-threshold=3
// test: run-opt --entry=whole --arg=random:1 --arg=1.5

// The loop is gone; one without iterations stays.
func.func @whole(%x: memref<8xf32>, %v: f32) {
  affine.for %i = 1 to 8 step 3 {
    affine.store %v, %x[%i] : memref<8xf32>
  }
  affine.for %i = 4 to 4 {
    affine.store %v, %x[%i] : memref<8xf32>
  }
  return
}
