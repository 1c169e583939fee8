// Short loops that load what their iteration has stored are unrolled, and the elements become values.
// test: opt --affine-unroll-updates --affine-scalrep

// A triangular factorization: the lengths of inner loops follow from outer counters.
// test: run-opt --entry=factorize --arg=random:1[40x3x3]
// test: run-opt --entry=factorize --arg=random:2[1x3x3]
func.func @factorize(%a: memref<?x3x3xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x3x3xf32>
  affine.for %i = 0 to %n {
    affine.for %k = 0 to 2 {
      affine.for %r = affine_map<(d0) -> (d0 + 1)>(%k) to 3 {
        %p = affine.load %a[%i, %k, %k] : memref<?x3x3xf32>
        %v = affine.load %a[%i, %r, %k] : memref<?x3x3xf32>
        %l = arith.divf %v, %p : f32
        affine.store %l, %a[%i, %r, %k] : memref<?x3x3xf32>
        affine.for %s = affine_map<(d0) -> (d0 + 1)>(%k) to 3 {
          %f = affine.load %a[%i, %k, %s] : memref<?x3x3xf32>
          %g = affine.load %a[%i, %r, %s] : memref<?x3x3xf32>
          %m = arith.mulf %l, %f : f32
          %d = arith.subf %g, %m : f32
          affine.store %d, %a[%i, %r, %s] : memref<?x3x3xf32>
        }
      }
    }
  }
  return
}

// A sort by exchanges, whose last round has none; conditions on counters become constants.
// test: run-opt --entry=sort --arg=random:3
func.func @sort(%x: memref<33x3xi32>) {
  %big = arith.constant 1000 : i32
  affine.for %i = 0 to 33 {
    affine.for %k = 0 to 3 {
      affine.for %r = 0 to affine_map<(d0) -> (2 - d0)>(%k) {
        %a = affine.load %x[%i, %r] : memref<33x3xi32>
        %b = affine.load %x[%i, %r + 1] : memref<33x3xi32>
        %m = arith.minsi %a, %b : i32
        %n = arith.maxsi %a, %b : i32
        affine.store %m, %x[%i, %r] : memref<33x3xi32>
        affine.store %n, %x[%i, %r + 1] : memref<33x3xi32>
      }
      affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%k) {
        affine.store %big, %x[%i, 2] : memref<33x3xi32>
      }
    }
  }
  return
}

// In steps, from a lower bound that is a maximum, to an upper one that is a minimum.
// test: run-opt --entry=steps --arg=random:4
func.func @steps(%x: memref<32x9xf32>) {
  affine.for %i = 0 to 32 {
    affine.for %k = 0 to 2 {
      affine.for %r = max affine_map<(d0) -> (1, 3 * d0)>(%k) to min affine_map<(d0) -> (9, 5 * d0 + 4)>(%k) step 3 {
        %a = affine.load %x[%i, %r - 1] : memref<32x9xf32>
        %b = affine.load %x[%i, %r] : memref<32x9xf32>
        %s = arith.addf %a, %b : f32
        affine.store %s, %x[%i, %r] : memref<32x9xf32>
      }
    }
  }
  return
}

// Left alone: the size of the dimension that the short loop moves along is not known.
// test: run-opt --entry=open_size --arg=random:5[40x4]
func.func @open_size(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %r = 1 to 4 {
      %a = affine.load %x[%i, %r - 1] : memref<?x?xf32>
      affine.store %a, %x[%i, %r] : memref<?x?xf32>
    }
  }
  return
}

// Left alone: what is loaded is what is stored, which a loop carries in a value; steps that are parallel, which are threads
// themselves; an outer loop that is sequential, or short.
// test: run-opt --entry=others --arg=random:6 --arg=random:7 --arg=random:8
func.func @others(%x: memref<40x4xf32>, %y: memref<40x4xf32>, %z: memref<8x4xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %k = 0 to 5 {
      %a = affine.load %x[%i, 1] : memref<40x4xf32>
      %b = arith.addf %a, %a : f32
      affine.store %b, %x[%i, 1] : memref<40x4xf32>
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %r = 0 to 2 {
      %a = affine.load %y[%i, %r + 2] : memref<40x4xf32>
      affine.store %a, %y[%i, %r] : memref<40x4xf32>
    }
  }
  affine.for %i = 1 to 40 {
    affine.for %r = 1 to 4 {
      %a = affine.load %y[%i - 1, %r - 1] : memref<40x4xf32>
      %b = affine.load %y[%i, %r - 1] : memref<40x4xf32>
      %s = arith.addf %a, %b : f32
      affine.store %s, %y[%i, %r] : memref<40x4xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %r = 1 to 4 {
      %a = affine.load %z[%i, %r - 1] : memref<8x4xf32>
      affine.store %a, %z[%i, %r] : memref<8x4xf32>
    }
  }
  return
}

// De Casteljau's points in an array of the iteration's own.
// test: run-opt --entry=casteljau --arg=random:5 --arg=zeros
func.func @casteljau(%x: memref<32x3xf32>, %y: memref<32xf32>) {
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 32 {
    %t = memref.alloca() : memref<3xf32>
    affine.for %k = 0 to 3 {
      %a = affine.load %x[%i, %k] : memref<32x3xf32>
      affine.store %a, %t[%k] : memref<3xf32>
    }
    affine.for %l = 0 to 2 {
      affine.for %k = 0 to affine_map<(d0) -> (2 - d0)>(%l) {
        %a = affine.load %t[%k] : memref<3xf32>
        %b = affine.load %t[%k + 1] : memref<3xf32>
        %s = arith.addf %a, %b : f32
        %m = arith.mulf %s, %half : f32
        affine.store %m, %t[%k] : memref<3xf32>
      }
    }
    %p = affine.load %t[0] : memref<3xf32>
    affine.store %p, %y[%i] : memref<32xf32>
  }
  return
}
