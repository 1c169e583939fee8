// test: opt --affine-loop-unroll=unroll-factor=4
// test: run-opt --entry=rest --arg=random:1 --arg=1.5
// test: run-opt --entry=stays --arg=random:1[9] --arg=6 --arg=1.5

// Two rows of four, two iterations behind.
func.func @rest(%x: memref<10xf32>, %z: f32) -> f32 {
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %v = affine.load %x[%i] : memref<10xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// Fewer iterations than the factor, a length not known: left alone.
func.func @stays(%x: memref<?xf32>, %n: index, %v: f32) {
  affine.for %i = 0 to 3 {
    affine.store %v, %x[%i] : memref<?xf32>
  }
  affine.for %i = 0 to %n {
    affine.store %v, %x[%i] : memref<?xf32>
  }
  return
}
