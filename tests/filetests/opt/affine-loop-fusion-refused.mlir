// test: error opt --affine-loop-fusion
// exit: 0
// remark: 21:3: one loop would violate a flow dependence
// remark: 37:3: cannot be excluded, since the effects of the operation are not known
// remark: 54:3: one loop would violate a flow dependence
// remark: 71:3: it depends on a number that is known only when the program runs
// remark: 85:3: a parallel loop would become sequential (option 'maximal' permits that) because of a flow dependence
// remark: 102:10: one of them carries values from one iteration to the next
// remark: 117:3: their ranges are not known to differ by a constant

// The consumer reads what the producer writes through a cast of the same memory, from the
// other end.
func.func @cast(%a: memref<?xf32>) {
  %f = memref.alloc() : memref<64xf32>
  %g = memref.alloc() : memref<64xf32>
  %v = memref.cast %f : memref<64xf32> to memref<?xf32>
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    affine.store %one, %f[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %v[-%i + 63] : memref<?xf32>
    affine.store %x, %g[%i] : memref<64xf32>
  }
  return
}

func.func private @elsewhere(memref<64xf32>)

// A call that may read or write what the first loop writes.
func.func @call(%f: memref<64xf32>, %g: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    affine.store %one, %f[%i] : memref<64xf32>
  }
  func.call @elsewhere(%f) : (memref<64xf32>) -> ()
  affine.for %i = 0 to 64 {
    %x = affine.load %f[%i] : memref<64xf32>
    affine.store %x, %g[%i] : memref<64xf32>
  }
  return
}

memref.global "private" @table : memref<64xf32> = uninitialized

// Two names of one global.
func.func @globals(%g: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  %f = memref.get_global @table : memref<64xf32>
  %h = memref.get_global @table : memref<64xf32>
  affine.for %i = 0 to 64 {
    affine.store %one, %f[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %x = affine.load %h[-%i + 63] : memref<64xf32>
    affine.store %x, %g[%i] : memref<64xf32>
  }
  return
}

// Data chooses what the second loop reads.
func.func @unknown(%at: memref<64xindex>, %g: memref<64xf32>) {
  %f = memref.alloc() : memref<64xf32>
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    affine.store %one, %f[%i] : memref<64xf32>
  }
  %c3 = arith.constant 3 : index
  %k = affine.load %at[%c3] : memref<64xindex>
  // The element that the loop before writes last, if data says so.
  affine.for %i = 0 to 64 {
    %x = memref.load %f[%k] : memref<64xf32>
    affine.store %x, %g[%i] : memref<64xf32>
  }
  return
}

// Shifted by one, an iteration would need what the one before has stored.
func.func @parallel(%a: memref<64xf32>, %g: memref<64xf32>) {
  %f = memref.alloc() : memref<64xf32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %f[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 63 {
    %x = affine.load %f[%i + 1] : memref<64xf32>
    %y = affine.load %f[%i] : memref<64xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %g[%i] : memref<64xf32>
  }
  return
}

func.func @carries(%a: memref<64xf32>) -> f32 {
  %f = memref.alloc() : memref<64xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %f[%i] : memref<64xf32>
  }
  %sum = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
    %x = affine.load %f[%i] : memref<64xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  return %sum : f32
}

// Nothing is known of how the ends of the ranges lie.
func.func @ranges(%a: memref<?xf32>, %g: memref<?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %a[%i] : memref<?xf32>
  }
  affine.for %i = 0 to %m {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %g[%i] : memref<?xf32>
  }
  return
}
