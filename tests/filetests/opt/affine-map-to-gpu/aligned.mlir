// test: opt --affine-map-to-gpu=target=cpu --canonicalize --cse --merge-adjacent-accesses --canonicalize --cse
// test: run --arg=iota --arg=zeros --entry=inner
// test: run-opt --arg=iota --arg=zeros --entry=inner
// test: run-opt --entry=odd --arg=random:1

// Tiles begin at multiples of four, the first one before the first iteration: what is left of it is done point by
// point, and the others have their elements as vectors.
func.func @inner(%a: memref<130x512xf32>, %b: memref<130x512xf32>) {
  %0:2 = memref.distinct_objects %a, %b : memref<130x512xf32>, memref<130x512xf32>
  affine.for %i = 1 to 129 {
    affine.for %j = 1 to 511 {
      %x = affine.load %0#0[%i, %j - 1] : memref<130x512xf32>
      %y = affine.load %0#0[%i, %j + 1] : memref<130x512xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %0#1[%i, %j] : memref<130x512xf32>
    }
  }
  return
}

// Rows of an odd length have no vectors.
func.func @odd(%a: memref<130x511xf32>) {
  affine.for %i = 1 to 129 {
    affine.for %j = 1 to 510 {
      %x = affine.load %a[%i, %j] : memref<130x511xf32>
      %z = arith.addf %x, %x : f32
      affine.store %z, %a[%i, %j] : memref<130x511xf32>
    }
  }
  return
}
