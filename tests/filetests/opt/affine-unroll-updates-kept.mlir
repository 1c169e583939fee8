// Short loops of a thread's long loop are unrolled where they update elements that are the same in all its iterations, which
// the loop then carries in values.
// test: opt --affine-unroll-updates --affine-scalrep --canonicalize

// The three greatest numbers of each row; without columns, there is nothing but what the first loop stores.
// test: run-opt --entry=greatest --arg=random:1[33x9] --arg=zeros[33x3]
// test: run-opt --entry=greatest --arg=random:1[33x0] --arg=zeros[33x3]
func.func @greatest(%x: memref<?x?xf32>, %v: memref<?x3xf32>) {
  %0:2 = memref.distinct_objects %x, %v : memref<?x?xf32>, memref<?x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFF800000 : f32
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %k = 0 to 3 {
      affine.store %low, %0#1[%i, %k] : memref<?x3xf32>
    }
    affine.for %j = 0 to %n {
      %a = affine.load %0#0[%i, %j] : memref<?x?xf32>
      affine.for %k = 0 to 3 iter_args(%b = %a) -> f32 {
        %c = affine.load %0#1[%i, %k] : memref<?x3xf32>
        %max = arith.maximumf %b, %c : f32
        affine.store %max, %0#1[%i, %k] : memref<?x3xf32>
        %min = arith.minimumf %b, %c : f32
        affine.yield %min : f32
      }
    }
  }
  return
}

// The two greatest numbers and where they are: elements of branches alone, whose places the first stores make sure of.
// test: run-opt --entry=where --arg=random:1[33x40] --arg=zeros[33x2] --arg=zeros[33x2]
func.func @where(%x: memref<33x40xf32>, %v: memref<33x2xf32>, %at: memref<33x2xi32>) {
  %0:3 = memref.distinct_objects %x, %v, %at : memref<33x40xf32>, memref<33x2xf32>, memref<33x2xi32>
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  affine.for %i = 0 to 33 {
    affine.for %k = 0 to 2 {
      affine.store %low, %0#1[%i, %k] : memref<33x2xf32>
      affine.store %none, %0#2[%i, %k] : memref<33x2xi32>
    }
    affine.for %j = 0 to 40 {
      %a = affine.load %0#0[%i, %j] : memref<33x40xf32>
      %last = affine.load %0#1[%i, 1] : memref<33x2xf32>
      %is_greater = arith.cmpf ogt, %a, %last : f32
      scf.if %is_greater {
        %number = arith.index_cast %j : index to i32
        affine.store %a, %0#1[%i, 1] : memref<33x2xf32>
        affine.store %number, %0#2[%i, 1] : memref<33x2xi32>
        affine.for %k = 0 to 1 {
          %b = affine.load %0#1[%i, %k] : memref<33x2xf32>
          %c = affine.load %0#1[%i, %k + 1] : memref<33x2xf32>
          %is_out_of_order = arith.cmpf ogt, %c, %b : f32
          scf.if %is_out_of_order {
            affine.store %c, %0#1[%i, %k] : memref<33x2xf32>
            affine.store %b, %0#1[%i, %k + 1] : memref<33x2xf32>
            %d = affine.load %0#2[%i, %k] : memref<33x2xi32>
            %e = affine.load %0#2[%i, %k + 1] : memref<33x2xi32>
            affine.store %e, %0#2[%i, %k] : memref<33x2xi32>
            affine.store %d, %0#2[%i, %k + 1] : memref<33x2xi32>
          }
        }
      }
    }
  }
  return
}

// Sums of two powers over rows and columns, under a condition on the column: they leave both loops.
// test: run-opt --entry=moments --arg=random:1[5x40x36] --arg=random:2[5x2]
func.func @moments(%x: memref<5x40x36xf32>, %v: memref<5x2xf32>) {
  %0:2 = memref.distinct_objects %x, %v : memref<5x40x36xf32>, memref<5x2xf32>
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 40 {
      affine.for %l = 0 to 36 {
        affine.for %k = 0 to 2 iter_args(%p = %one) -> f32 {
          %a = affine.load %0#0[%i, %j, %l] : memref<5x40x36xf32>
          %q = arith.mulf %p, %a : f32
          %s = affine.load %0#1[%i, %k] : memref<5x2xf32>
          affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%l) {
            %t = arith.addf %s, %q : f32
            affine.store %t, %0#1[%i, %k] : memref<5x2xf32>
          }
          affine.yield %q : f32
        }
      }
    }
  }
  return
}

// Left alone: the long loop moves the elements.
func.func @moves(%x: memref<33x40x3xf32>) {
  affine.for %i = 0 to 33 {
    affine.for %j = 1 to 40 {
      affine.for %k = 0 to 3 {
        %a = affine.load %x[%i, %j - 1, %k] : memref<33x40x3xf32>
        affine.store %a, %x[%i, %j, %k] : memref<33x40x3xf32>
      }
    }
  }
  return
}

// Left alone: how many elements there are is not known, so that each copy would have to be checked.
func.func @unknown(%x: memref<33x40xf32>, %v: memref<?x?xf32>) {
  %0:2 = memref.distinct_objects %x, %v : memref<33x40xf32>, memref<?x?xf32>
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 40 {
      affine.for %k = 0 to 3 iter_args(%p = %i) -> index {
        %a = affine.load %0#0[%i, %j] : memref<33x40xf32>
        %s = affine.load %0#1[%i, %k] : memref<?x?xf32>
        %t = arith.addf %s, %a : f32
        affine.store %t, %0#1[%i, %k] : memref<?x?xf32>
        affine.yield %p : index
      }
    }
  }
  return
}

// Left alone: no loop around is parallel, since all iterations update the same elements.
func.func @shared(%x: memref<33x40xf32>, %v: memref<3xf32>) {
  %0:2 = memref.distinct_objects %x, %v : memref<33x40xf32>, memref<3xf32>
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 40 {
      %a = affine.load %0#0[%i, %j] : memref<33x40xf32>
      affine.for %k = 0 to 3 iter_args(%b = %a) -> f32 {
        %s = affine.load %0#1[%k] : memref<3xf32>
        %max = arith.maximumf %b, %s : f32
        affine.store %max, %0#1[%k] : memref<3xf32>
        %min = arith.minimumf %b, %s : f32
        affine.yield %min : f32
      }
    }
  }
  return
}
