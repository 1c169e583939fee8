// The softmax of each of 4096 rows of 1024 elements, each step a nest of its own, as operations on whole arrays
// are lowered.
func.func @softmax(%x: memref<4096x1024xf32>, %y: memref<4096x1024xf32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %greatest = memref.alloc() : memref<4096xf32>
  %sums = memref.alloc() : memref<4096xf32>
  affine.for %i = 0 to 4096 {
    affine.store %low, %greatest[%i] : memref<4096xf32>
  }
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 {
      %v = affine.load %x[%i, %j] : memref<4096x1024xf32>
      %m = affine.load %greatest[%i] : memref<4096xf32>
      %n = arith.maximumf %m, %v : f32
      affine.store %n, %greatest[%i] : memref<4096xf32>
    }
  }
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 {
      %v = affine.load %x[%i, %j] : memref<4096x1024xf32>
      %m = affine.load %greatest[%i] : memref<4096xf32>
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      affine.store %e, %y[%i, %j] : memref<4096x1024xf32>
    }
  }
  affine.for %i = 0 to 4096 {
    affine.store %zero, %sums[%i] : memref<4096xf32>
  }
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 {
      %e = affine.load %y[%i, %j] : memref<4096x1024xf32>
      %s = affine.load %sums[%i] : memref<4096xf32>
      %n = arith.addf %s, %e : f32
      affine.store %n, %sums[%i] : memref<4096xf32>
    }
  }
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 {
      %e = affine.load %y[%i, %j] : memref<4096x1024xf32>
      %s = affine.load %sums[%i] : memref<4096xf32>
      %q = arith.divf %e, %s : f32
      affine.store %q, %y[%i, %j] : memref<4096x1024xf32>
    }
  }
  memref.dealloc %greatest : memref<4096xf32>
  memref.dealloc %sums : memref<4096xf32>
  return
}
