// test: opt --affine-loop-distribute
// test: run-opt --entry=nearest --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=stays_open --arg=random:1[9x17] --arg=random:2[11x17] --arg=zeros[9]
// test: run-opt --entry=start_of_both --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=stays_short --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=stays_tied --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=stays_written --arg=random:1 --arg=random:2 --arg=zeros
// test: stages --offload

// Distances, then the search over each row of them.
func.func @nearest(%a: memref<9x17xf32>, %b: memref<11x17xf32>, %at: memref<9xindex>) {
  %zero = arith.constant 0.0 : f32
  %far = arith.constant 0x7F800000 : f32
  %none = arith.constant -1 : index
  affine.for %i = 0 to 9 {
    %r:2 = affine.for %j = 0 to 11 iter_args(%best = %far, %k = %none) -> (f32, index) {
      %d = affine.for %k2 = 0 to 17 iter_args(%s = %zero) -> f32 {
        %x = affine.load %a[%i, %k2] : memref<9x17xf32>
        %y = affine.load %b[%j, %k2] : memref<11x17xf32>
        %w = arith.subf %x, %y : f32
        %p = arith.mulf %w, %w : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      %c = arith.cmpf olt, %d, %best : f32
      %m = arith.select %c, %d, %best : f32
      %l = arith.select %c, %j, %k : index
      affine.yield %m, %l : f32, index
    }
    affine.store %r#1, %at[%i] : memref<9xindex>
  }
  return
}

// Of any sizes: the array could be larger than memory.
func.func @stays_open(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %b, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    %r = affine.for %j = 0 to %m iter_args(%sum = %zero) -> f32 {
      %start = affine.load %b[%j, 0] : memref<?x?xf32>
      %d = affine.for %l = 0 to %k iter_args(%s = %start) -> f32 {
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        %y = affine.load %b[%j, %l] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      %g = arith.maximumf %d, %start : f32
      %t = arith.addf %sum, %g : f32
      affine.yield %t : f32
    }
    affine.store %r, %c[%i] : memref<?xf32>
  }
  return
}

// The sum of the greatest products: what the contraction starts from is loaded on both sides.
func.func @start_of_both(%a: memref<9x17xf32>, %b: memref<11x17xf32>, %c: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %r = affine.for %j = 0 to 11 iter_args(%sum = %zero) -> f32 {
      %start = affine.load %b[%j, 0] : memref<11x17xf32>
      %d = affine.for %l = 0 to 17 iter_args(%s = %start) -> f32 {
        %x = affine.load %a[%i, %l] : memref<9x17xf32>
        %y = affine.load %b[%j, %l] : memref<11x17xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      %g = arith.maximumf %d, %start : f32
      %t = arith.addf %sum, %g : f32
      affine.yield %t : f32
    }
    affine.store %r, %c[%i] : memref<9xf32>
  }
  return
}

// Of a few rounds, a contraction is cheaper than the elements in between.
func.func @stays_short(%a: memref<9x5xf32>, %b: memref<11x5xf32>, %c: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %r = affine.for %j = 0 to 11 iter_args(%best = %zero) -> f32 {
      %d = affine.for %k = 0 to 5 iter_args(%s = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<9x5xf32>
        %y = affine.load %b[%j, %k] : memref<11x5xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      %m = arith.maximumf %d, %best : f32
      affine.yield %m : f32
    }
    affine.store %r, %c[%i] : memref<9xf32>
  }
  return
}

// The contraction starts from what the loop carries.
func.func @stays_tied(%a: memref<9x17xf32>, %b: memref<11x17xf32>, %c: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 9 {
    %r = affine.for %j = 0 to 11 iter_args(%last = %zero) -> f32 {
      %h = arith.mulf %last, %half : f32
      %d = affine.for %k = 0 to 17 iter_args(%s = %h) -> f32 {
        %x = affine.load %a[%i, %k] : memref<9x17xf32>
        %y = affine.load %b[%j, %k] : memref<11x17xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.yield %d : f32
    }
    affine.store %r, %c[%i] : memref<9xf32>
  }
  return
}

// Later iterations load what earlier ones have stored.
func.func @stays_written(%a: memref<9x17xf32>, %b: memref<11x17xf32>, %c: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %r = affine.for %j = 0 to 11 iter_args(%best = %zero) -> f32 {
      %d = affine.for %k = 0 to 17 iter_args(%s = %zero) -> f32 {
        %x = affine.load %a[%i, %k] : memref<9x17xf32>
        %y = affine.load %b[%j, %k] : memref<11x17xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %d, %a[%i, %j] : memref<9x17xf32>
      %m = arith.maximumf %d, %best : f32
      affine.yield %m : f32
    }
    affine.store %r, %c[%i] : memref<9xf32>
  }
  return
}
