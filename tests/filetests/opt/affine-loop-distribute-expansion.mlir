// test: opt --affine-loop-distribute
// test: run-opt --entry=normalised_product --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=in_steps --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=open --arg=random:1[9x7] --arg=random:2[7x11] --arg=zeros[9x11] --arg=9
// test: run-opt --entry=later_store --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=triangle --arg=random:1 --arg=random:2 --arg=zeros
// test: stages --offload

// The sum of a row is used in the product behind it: an element of an array between.
func.func @normalised_product(%a: memref<3x9x7xf32>, %b: memref<7x11xf32>, %c: memref<3x9x11xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %g = 0 to 3 {
    affine.for %i = 0 to 9 {
      %z = affine.for %k = 0 to 7 iter_args(%s = %zero) -> f32 {
        %x = affine.load %a[%g, %i, %k] : memref<3x9x7xf32>
        %t = arith.addf %s, %x : f32
        affine.yield %t : f32
      }
      affine.for %j = 0 to 11 {
        %r = affine.for %k = 0 to 7 iter_args(%s = %zero) -> f32 {
          %x = affine.load %a[%g, %i, %k] : memref<3x9x7xf32>
          %y = affine.load %b[%k, %j] : memref<7x11xf32>
          %p = arith.mulf %x, %y : f32
          %t = arith.addf %s, %p : f32
          affine.yield %t : f32
        }
        %q = arith.mulf %r, %z : f32
        affine.store %q, %c[%g, %i, %j] : memref<3x9x11xf32>
      }
    }
  }
  return
}

// A sequential loop around: its iterations use one array.
func.func @in_steps(%a: memref<9x9xf32>, %b: memref<9x11xf32>, %c: memref<9x11xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %step = 0 to 3 {
    affine.for %i = 0 to 9 {
      %z = affine.for %j = 0 to 11 iter_args(%s = %zero) -> f32 {
        %x = affine.load %c[%i, %j] : memref<9x11xf32>
        %t = arith.addf %s, %x : f32
        affine.yield %t : f32
      }
      affine.for %j = 0 to 11 {
        %r = affine.for %k = 0 to 9 iter_args(%s = %z) -> f32 {
          %x = affine.load %a[%i, %k] : memref<9x9xf32>
          %y = affine.load %b[%k, %j] : memref<9x11xf32>
          %p = arith.mulf %x, %y : f32
          %t = arith.addf %s, %p : f32
          affine.yield %t : f32
        }
        affine.store %r, %c[%i, %j] : memref<9x11xf32>
      }
    }
  }
  return
}

// Rows of a number that the run knows.
func.func @open(%a: memref<?x7xf32>, %b: memref<7x?xf32>, %c: memref<?x?xf32>, %rows: index) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %n = memref.dim %c, %one : memref<?x?xf32>
  affine.for %i = 0 to %rows {
    %z = affine.for %k = 0 to 7 iter_args(%s = %zero) -> f32 {
      %x = affine.load %a[%i, %k] : memref<?x7xf32>
      %t = arith.addf %s, %x : f32
      affine.yield %t : f32
    }
    affine.for %j = 0 to %n {
      %r = affine.for %k = 0 to 7 iter_args(%s = %z) -> f32 {
        %x = affine.load %a[%i, %k] : memref<?x7xf32>
        %y = affine.load %b[%k, %j] : memref<7x?xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %r, %c[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// What a load gives before the loop stores there is kept in an array as well; what comes of numbers alone is
// computed again.
func.func @later_store(%a: memref<9x7xf32>, %b: memref<7x11xf32>, %c: memref<9x11xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %first = affine.load %a[%i, 0] : memref<9x7xf32>
    %number = arith.index_cast %i : index to i32
    %f = arith.sitofp %number : i32 to f32
    affine.store %zero, %a[%i, 0] : memref<9x7xf32>
    affine.for %j = 0 to 11 {
      %r = affine.for %k = 0 to 7 iter_args(%s = %first) -> f32 {
        %x = affine.load %a[%i, %k] : memref<9x7xf32>
        %y = affine.load %b[%k, %j] : memref<7x11xf32>
        %p = arith.mulf %x, %y : f32
        %t = arith.addf %s, %p : f32
        affine.yield %t : f32
      }
      affine.store %r, %c[%i, %j] : memref<9x11xf32>
    }
    affine.store %first, %a[%i, 1] : memref<9x7xf32>
    affine.store %f, %a[%i, 2] : memref<9x7xf32>
  }
  return
}

// As many rows as the loop around says: the array would have no extent outside of it, and the loop stays.
func.func @triangle(%a: memref<9x9x7xf32>, %b: memref<7x11xf32>, %c: memref<9x9x11xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %g = 0 to 9 {
    affine.for %i = 0 to affine_map<(d0) -> (d0 + 1)>(%g) {
      %z = affine.for %k = 0 to 7 iter_args(%s = %zero) -> f32 {
        %x = affine.load %a[%g, %i, %k] : memref<9x9x7xf32>
        %t = arith.addf %s, %x : f32
        affine.yield %t : f32
      }
      affine.for %j = 0 to 11 {
        %r = affine.for %k = 0 to 7 iter_args(%s = %z) -> f32 {
          %x = affine.load %a[%g, %i, %k] : memref<9x9x7xf32>
          %y = affine.load %b[%k, %j] : memref<7x11xf32>
          %p = arith.mulf %x, %y : f32
          %t = arith.addf %s, %p : f32
          affine.yield %t : f32
        }
        affine.store %r, %c[%g, %i, %j] : memref<9x9x11xf32>
      }
    }
  }
  return
}
