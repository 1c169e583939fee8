// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=cpu --canonicalize
// test: run --entry=points --map-for=cpu --arg=iota --arg=ones --arg=zeros
// test: run --entry=pixels --map-for=cpu --arg=iota --arg=ones --arg=zeros

// Three neighbours would leave five of eight lanes idle: the lanes have points.
func.func @points(%a: memref<100x3xi32>, %m: memref<3x3xi32>, %b: memref<100x3xi32>) {
  %0:3 = memref.distinct_objects %a, %m, %b : memref<100x3xi32>, memref<3x3xi32>, memref<100x3xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 100 {
    affine.for %r = 0 to 3 {
      %s = affine.for %k = 0 to 3 iter_args(%t = %zero) -> (i32) {
        %x = affine.load %0#0[%i, %k] : memref<100x3xi32>
        %y = affine.load %0#1[%r, %k] : memref<3x3xi32>
        %p = arith.muli %x, %y : i32
        %u = arith.addi %t, %p : i32
        affine.yield %u : i32
      }
      affine.store %s, %0#2[%i, %r] : memref<100x3xi32>
    }
  }
  return
}

// Four neighbours that are only loaded and stored stay with the lanes.
func.func @pixels(%a: memref<100x4xi32>, %m: memref<4xi32>, %b: memref<100x4xi32>) {
  %0:3 = memref.distinct_objects %a, %m, %b : memref<100x4xi32>, memref<4xi32>, memref<100x4xi32>
  affine.for %i = 0 to 100 {
    affine.for %r = 0 to 4 {
      %x = affine.load %0#0[%i, %r] : memref<100x4xi32>
      %y = affine.load %0#1[%r] : memref<4xi32>
      %p = arith.muli %x, %y : i32
      affine.store %p, %0#2[%i, %r] : memref<100x4xi32>
    }
  }
  return
}
