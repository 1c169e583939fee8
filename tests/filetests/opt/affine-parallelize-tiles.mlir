// Memory that a layout map lays out: its results tell elements apart.
// test: opt --affine-parallelize

#tiles = affine_map<(d0, d1) -> (d0 floordiv 2, d1 floordiv 4, d0 mod 2, d1 mod 4)>
#pairs = affine_map<(d0) -> (d0 floordiv 2)>

// Parallel, both: each element has a place of its own.
func.func @apart(%t: memref<4x6xi32, #tiles>, %v: i32) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      affine.store %v, %t[%i, %j] : memref<4x6xi32, #tiles>
    }
  }
  return
}

// The outer loop is sequential: a row is what the iteration before made of it. The inner one is parallel.
func.func @rows(%t: memref<4x6xi32, #tiles>, %v: i32) {
  affine.for %i = 1 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %t[%i - 1, %j] : memref<4x6xi32, #tiles>
      %y = arith.addi %x, %v : i32
      affine.store %y, %t[%i, %j] : memref<4x6xi32, #tiles>
    }
  }
  return
}

// Sequential: two subscripts have one place.
func.func @shared(%t: memref<8xi32, #pairs>, %a: memref<8xi32>) {
  %t_apart, %a_apart = memref.distinct_objects %t, %a : memref<8xi32, #pairs>, memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a_apart[%i] : memref<8xi32>
    affine.store %x, %t_apart[%i] : memref<8xi32, #pairs>
  }
  return
}

// Parallel: device memory that is allocated twice is not one.
func.func @allocated(%v: i32) {
  %left = gpu.alloc () : memref<8xi32>
  %right = gpu.alloc () : memref<8xi32>
  affine.for %i = 0 to 8 {
    affine.store %v, %right[7 - %i] : memref<8xi32>
    affine.store %v, %left[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %right[7 - %i] : memref<8xi32>
    affine.store %x, %left[%i] : memref<8xi32>
  }
  gpu.dealloc %left : memref<8xi32>
  gpu.dealloc %right : memref<8xi32>
  return
}
