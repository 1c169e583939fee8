// Loops of one row become one where iterations meet in the same element only; the row keeps two loops.
// test: opt --affine-fuse-rows=target=cpu
// test: run-opt --entry=moments --arg=random:1 --arg=random:2
// test: run-opt --entry=exponents --arg=random:1 --arg=random:2
// test: run-opt --entry=neighbours --arg=random:1 --arg=random:2
// test: run-opt --entry=deviations --arg=random:1 --arg=random:2
// test: run-opt --entry=between --arg=random:1 --arg=random:2
// test: run-opt --entry=two --arg=random:1 --arg=random:2

// Both sums read the same elements.
func.func @moments(%x: memref<70x96xf32>, %y: memref<70x96xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    %s = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    %q = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %w = arith.mulf %v, %v : f32
      %b = arith.addf %a, %w : f32
      affine.yield %b : f32
    }
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %w = arith.mulf %v, %s : f32
      %d = arith.subf %w, %q : f32
      affine.store %d, %y[%i, %j] : memref<70x96xf32>
    }
  }
  return
}
// One loop writes what the other sums.
func.func @exponents(%x: memref<70x96xf32>, %y: memref<70x96xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %e = arith.mulf %v, %v : f32
      affine.store %e, %y[%i, %j] : memref<70x96xf32>
    }
    %s = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %e = affine.load %y[%i, %j] : memref<70x96xf32>
      %b = arith.addf %a, %e : f32
      affine.yield %b : f32
    }
    affine.for %j = 0 to 96 {
      %e = affine.load %y[%i, %j] : memref<70x96xf32>
      %q = arith.subf %e, %s : f32
      affine.store %q, %y[%i, %j] : memref<70x96xf32>
    }
  }
  return
}
// The second loop reads what later iterations of the first one write.
func.func @neighbours(%x: memref<70x97xf32>, %y: memref<70x97xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<70x97xf32>
      %e = arith.mulf %v, %v : f32
      affine.store %e, %y[%i, %j] : memref<70x97xf32>
    }
    %s = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %e = affine.load %y[%i, %j] : memref<70x97xf32>
      %f = affine.load %y[%i, %j + 1] : memref<70x97xf32>
      %p = arith.mulf %e, %f : f32
      %b = arith.addf %a, %p : f32
      affine.yield %b : f32
    }
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<70x97xf32>
      %q = arith.subf %v, %s : f32
      affine.store %q, %x[%i, %j] : memref<70x97xf32>
    }
  }
  return
}
// The second sum uses the first one.
func.func @deviations(%x: memref<70x96xf32>, %y: memref<70x96xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    %s = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    %q = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %d = arith.subf %v, %s : f32
      %w = arith.mulf %d, %d : f32
      %b = arith.addf %a, %w : f32
      affine.yield %b : f32
    }
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %d = arith.subf %v, %q : f32
      affine.store %d, %y[%i, %j] : memref<70x96xf32>
    }
  }
  return
}
// A store between the loops writes what the first one reads.
func.func @between(%x: memref<70x96xf32>, %y: memref<70x96xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    %s = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %b = arith.addf %a, %v : f32
      affine.yield %b : f32
    }
    affine.store %zero, %x[%i, 5] : memref<70x96xf32>
    %q = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %w = arith.mulf %v, %v : f32
      %b = arith.addf %a, %w : f32
      affine.yield %b : f32
    }
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %w = arith.mulf %v, %s : f32
      %d = arith.subf %w, %q : f32
      affine.store %d, %y[%i, %j] : memref<70x96xf32>
    }
  }
  return
}
// A row of two loops keeps both.
func.func @two(%x: memref<70x96xf32>, %y: memref<70x96xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 70 {
    affine.for %j = 0 to 96 {
      %v = affine.load %x[%i, %j] : memref<70x96xf32>
      %e = arith.mulf %v, %v : f32
      affine.store %e, %y[%i, %j] : memref<70x96xf32>
    }
    %s = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (f32) {
      %e = affine.load %y[%i, %j] : memref<70x96xf32>
      %b = arith.addf %a, %e : f32
      affine.yield %b : f32
    }
    affine.store %s, %x[%i, 0] : memref<70x96xf32>
  }
  return
}
