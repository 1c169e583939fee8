// test: explain

// Rows depend on the row before, shifted: only %j is free.
func.func @skewed(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  affine.for %i = 1 to 64 {
    affine.for %j = 0 to 63 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<64x64xf32>
      %y = affine.load %b[%i, %j] : memref<64x64xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %a[%i, %j] : memref<64x64xf32>
    }
  }
  return
}

// A sum in an element, and one in a value, with a maximum beside it.
func.func @sums(%a: memref<512xf32>, %s: memref<f32>) -> (f32, i32) {
  affine.for %i = 0 to 512 {
    %x = affine.load %a[%i] : memref<512xf32>
    %y = affine.load %s[] : memref<f32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %s[] : memref<f32>
  }
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -1 : i32
  %r:2 = affine.for %k = 0 to 512 iter_args(%sum = %zero, %most = %least) -> (f32, i32) {
    %x = affine.load %a[%k] : memref<512xf32>
    %n = arith.fptosi %x : f32 to i32
    %u = arith.addf %sum, %x : f32
    %v = arith.maxsi %most, %n : i32
    affine.yield %u, %v : f32, i32
  }
  return %r#0, %r#1 : f32, i32
}

// Each value needs the one before, and not by one associative operation.
func.func @recurrence(%a: memref<64xf32>, %f: f32) {
  %r = affine.for %i = 0 to 64 step 2 iter_args(%v = %f) -> (f32) {
    %x = affine.load %a[%i] : memref<64xf32>
    %p = arith.mulf %v, %f : f32
    %w = arith.addf %p, %x : f32
    affine.store %w, %a[%i] : memref<64xf32>
    affine.yield %w : f32
  }
  return
}

// A write overtakes a read (anti), writes meet at a distance (output), and a
// number that the caller chooses decides.
func.func @kinds(%a: memref<?xf32>, %b: memref<64xf32>, %m: i32) {
  affine.for %i = 0 to 60 {
    %x = affine.load %a[%i + 3] : memref<?xf32>
    affine.store %x, %a[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %k = arith.index_cast %i : index to i32
      %v = arith.sitofp %k : i32 to f32
      affine.store %v, %b[%i * 2 + %j] : memref<64xf32>
    }
  }
  %n = arith.index_cast %m : i32 to index
  affine.for %i = 0 to 60 {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %a[%i + symbol(%n)] : memref<?xf32>
  }
  affine.for %i = 5 to %n {
    %x = affine.load %a[%i - 5] : memref<?xf32>
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// One scratch element ties the loop; data chooses the elements of the other.
func.func @scratch(%a: memref<64xf32>, %at: memref<64xindex>, %h: memref<64xf32>) {
  %w = memref.alloc() : memref<f32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %w[] : memref<f32>
    %y = affine.load %w[] : memref<f32>
    affine.store %y, %a[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %k = affine.load %at[%i] : memref<64xindex>
    %x = memref.load %h[%k] : memref<64xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %h[%k] : memref<64xf32>
  }
  memref.dealloc %w : memref<f32>
  return
}

// Raised to affine loops; one that never runs; one whose end only the run knows.
func.func @others(%a: memref<64xf32>, %m: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %a[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 0 {
    affine.store %f, %a[%i] : memref<64xf32>
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    memref.store %f, %a[%i] : memref<64xf32>
    scf.reduce
  }
  %two = arith.constant 2 : i32
  %r = scf.while (%v = %m) : (i32) -> i32 {
    %more = arith.cmpi slt, %v, %m : i32
    scf.condition(%more) %v : i32
  } do {
  ^bb0(%v: i32):
    %w = arith.muli %v, %two : i32
    scf.yield %w : i32
  }
  return %r : i32
}
