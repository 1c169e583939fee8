// test: opt --affine-parallelize

// Memory that is allocated again is no argument, though it may be what it was.
// test: run-opt --entry=grown --arg=iota
// expect: arg 0 = [1, 2, 3, 4, 5, 6, 7, 8]
func.func @grown(%y: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %c8 = arith.constant 8 : index
  %small = memref.alloc() : memref<4xf32>
  %open = memref.cast %small : memref<4xf32> to memref<?xf32>
  %t = memref.realloc %open(%c8) : memref<?xf32> to memref<?xf32>
  affine.for %i = 0 to 8 {
    affine.store %one, %t[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %y[%i] : memref<8xf32>
    %w = affine.load %t[7 - %i] : memref<?xf32>
    %s = arith.addf %v, %w : f32
    affine.store %s, %y[%i] : memref<8xf32>
  }
  memref.dealloc %t : memref<?xf32>
  return
}

// An argument that is allocated again may be the other one.
func.func @argument(%x: memref<?xf32>, %y: memref<8xf32>) {
  %t = memref.realloc %x : memref<?xf32> to memref<8xf32>
  affine.for %i = 0 to 8 {
    %w = affine.load %t[7 - %i] : memref<8xf32>
    affine.store %w, %y[%i] : memref<8xf32>
  }
  return
}
