// The condition that an inner loop runs leaves the loops around, which carry the element as well.
// test: opt --affine-scalrep
// test: run-opt --entry=window --arg=random:1[6x7] --arg=random:1[3x2] --arg=random:1[4x6]
// test: run-opt --entry=window --arg=random:1[6x7] --arg=random:1[3x0] --arg=random:1[4x6]
// test: run-opt --entry=window --arg=random:1[6x7] --arg=random:1[0x2] --arg=random:1[4x6]
// test: run-opt --entry=beside --arg=random:1[6x7] --arg=random:1[6]
// test: run-opt --entry=beside --arg=random:1[6x0] --arg=random:1[6]
// test: run-opt --entry=of_the_counter --arg=random:1[6x7] --arg=random:1[6]
func.func @window(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %o: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.dim %w, %c0 : memref<?x?xf32>
  %s = memref.dim %w, %c1 : memref<?x?xf32>
  %m = memref.dim %o, %c0 : memref<?x?xf32>
  %n = memref.dim %o, %c1 : memref<?x?xf32>
  %d1:2 = memref.distinct_objects %x, %o : memref<?x?xf32>, memref<?x?xf32>
  %d2:2 = memref.distinct_objects %w, %d1#1 : memref<?x?xf32>, memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %p = 0 to %r {
        affine.for %q = 0 to %s {
          %a = affine.load %d1#0[%i + %p, %j + %q] : memref<?x?xf32>
          %b = affine.load %d2#0[%p, %q] : memref<?x?xf32>
          %c = affine.load %d2#1[%i, %j] : memref<?x?xf32>
          %d = arith.mulf %a, %b : f32
          %e = arith.addf %c, %d : f32
          affine.store %e, %d2#1[%i, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// The condition stays in the loop: a store stands beside it.
func.func @beside(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %one = arith.constant 1.0 : f32
  %d:2 = memref.distinct_objects %x, %y : memref<?x?xf32>, memref<?xf32>
  affine.for %i = 0 to %m {
    %f = affine.load %d#1[0] : memref<?xf32>
    affine.store %one, %d#1[0] : memref<?xf32>
    affine.for %j = 0 to %n {
      %a = affine.load %d#0[%i, %j] : memref<?x?xf32>
      %c = affine.load %d#1[%i] : memref<?xf32>
      %e = arith.addf %c, %a : f32
      affine.store %e, %d#1[%i] : memref<?xf32>
    }
  }
  return
}

// The condition depends on the counter.
func.func @of_the_counter(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %d:2 = memref.distinct_objects %x, %y : memref<?x?xf32>, memref<?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 1 to affine_map<(d0) -> (d0)>(%i) {
      %a = affine.load %d#0[%i, %j] : memref<?x?xf32>
      %c = affine.load %d#1[%i] : memref<?xf32>
      %e = arith.addf %c, %a : f32
      affine.store %e, %d#1[%i] : memref<?xf32>
    }
  }
  return
}
