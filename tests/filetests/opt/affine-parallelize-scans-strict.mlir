// test: opt "--affine-parallelize-scans=target=cpu fp=strict"
// test: run-opt --entry=floats --arg=random:1 --arg=1.5

// Strict floats keep the order of a sum; a maximum has none.
func.func @floats(%x: memref<10000xf32>, %s: f32) {
  affine.for %i = 0 to 10000 iter_args(%acc = %s) -> f32 {
    %v = affine.load %x[%i] : memref<10000xf32>
    %n = arith.addf %acc, %v : f32
    affine.store %n, %x[%i] : memref<10000xf32>
    affine.yield %n : f32
  }
  affine.for %i = 0 to 10000 iter_args(%acc = %s) -> f32 {
    %v = affine.load %x[%i] : memref<10000xf32>
    %n = arith.maximumf %acc, %v : f32
    affine.store %n, %x[%i] : memref<10000xf32>
    affine.yield %n : f32
  }
  return
}
