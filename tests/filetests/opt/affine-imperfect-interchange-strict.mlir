// test: opt --affine-imperfect-interchange=fp=strict
// test: run-opt --entry=backward --arg=random:1 --arg=random:2
// test: run-opt --entry=from_below --arg=random:1 --arg=random:2
// test: run-opt --entry=permitted --arg=random:1 --arg=random:2

// Backward substitution by columns collects the terms of an element in another order than by rows, which
// strict floats do not permit: the nest stays.
func.func @backward(%u: memref<16x16xf32>, %x: memref<16xf32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<16xf32>, memref<16x16xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = affine_map<(d0) -> (16 - d0)>(%i) to 16 {
      %s = affine.load %x_apart[15 - %i] : memref<16xf32>
      %a = affine.load %u_apart[15 - %i, %j] : memref<16x16xf32>
      %b = affine.load %x_apart[%j] : memref<16xf32>
      %p = arith.mulf %a, %b : f32
      %d = arith.subf %s, %p : f32
      affine.store %d, %x_apart[15 - %i] : memref<16xf32>
    }
    %s = affine.load %x_apart[15 - %i] : memref<16xf32>
    %a = affine.load %u_apart[15 - %i, 15 - %i] : memref<16x16xf32>
    %q = arith.divf %s, %a : f32
    affine.store %q, %x_apart[15 - %i] : memref<16xf32>
  }
  return
}

// Where the inner loop counts down as well, the order is kept.
func.func @from_below(%u: memref<16x16xf32>, %x: memref<16xf32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<16xf32>, memref<16x16xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %x_apart[15 - %i] : memref<16xf32>
      %a = affine.load %u_apart[15 - %i, 15 - %j] : memref<16x16xf32>
      %b = affine.load %x_apart[15 - %j] : memref<16xf32>
      %p = arith.mulf %a, %b : f32
      %d = arith.subf %s, %p : f32
      affine.store %d, %x_apart[15 - %i] : memref<16xf32>
    }
    %s = affine.load %x_apart[15 - %i] : memref<16xf32>
    %a = affine.load %u_apart[15 - %i, 15 - %i] : memref<16x16xf32>
    %q = arith.divf %s, %a : f32
    affine.store %q, %x_apart[15 - %i] : memref<16xf32>
  }
  return
}

// The greatest product does not depend on the order.
func.func @permitted(%u: memref<16x16xf32>, %x: memref<16xf32>) {
  %x_apart, %u_apart = memref.distinct_objects %x, %u : memref<16xf32>, memref<16x16xf32>
  affine.for %i = 0 to 16 {
    affine.for %j = affine_map<(d0) -> (16 - d0)>(%i) to 16 {
      %s = affine.load %x_apart[15 - %i] : memref<16xf32>
      %a = affine.load %u_apart[15 - %i, %j] : memref<16x16xf32>
      %b = affine.load %x_apart[%j] : memref<16xf32>
      %p = arith.mulf %a, %b : f32
      %d = arith.maximumf %s, %p : f32
      affine.store %d, %x_apart[15 - %i] : memref<16xf32>
    }
    %s = affine.load %x_apart[15 - %i] : memref<16xf32>
    %a = affine.load %u_apart[15 - %i, 15 - %i] : memref<16x16xf32>
    %q = arith.divf %s, %a : f32
    affine.store %q, %x_apart[15 - %i] : memref<16xf32>
  }
  return
}
