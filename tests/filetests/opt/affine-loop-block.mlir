// test: opt --affine-loop-block=size=3
// test: run-opt --entry=lu --arg=random:1
// test: run-opt --entry=cholesky --arg=random:1
// test: run-opt --entry=with_right_side --arg=random:1 --arg=random:2
// test: run-opt --entry=gauss_jordan --arg=random:1
// test: run-opt --entry=symmetric --arg=random:1 --arg=random:2
// test: run-opt --entry=open --arg=random:1[17x17]
// test: run-opt --entry=open --arg=random:1[2x2]
// test: run-opt --entry=open --arg=random:1[0x0]
// test: run-opt --entry=starts_late --arg=random:1
// test: run-opt --entry=twice --arg=random:1
// test: run-opt --entry=looks_ahead --arg=random:1
// test: run-opt --entry=no_product --arg=random:1 --arg=random:2
// test: run-opt --entry=parallel_columns --arg=random:1 --arg=random:2
// test: run-opt --entry=short --arg=random:1

// The block, its columns, its rows, and the rest.
func.func @lu(%a: memref<17x17xf32>) {
  affine.for %k = 0 to 17 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      %x = affine.load %a[%i, %k] : memref<17x17xf32>
      %d = affine.load %a[%k, %k] : memref<17x17xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[%i, %k] : memref<17x17xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
        %x = affine.load %a[%i, %j] : memref<17x17xf32>
        %l = affine.load %a[%i, %k] : memref<17x17xf32>
        %u = affine.load %a[%k, %j] : memref<17x17xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<17x17xf32>
      }
    }
  }
  return
}

// The root on the diagonal belongs to the block; of the rest only the lower triangle is updated.
func.func @cholesky(%a: memref<17x17xf32>) {
  affine.for %k = 0 to 17 {
    %d = affine.load %a[%k, %k] : memref<17x17xf32>
    %r = math.sqrt %d : f32
    affine.store %r, %a[%k, %k] : memref<17x17xf32>
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      %x = affine.load %a[%i, %k] : memref<17x17xf32>
      %e = affine.load %a[%k, %k] : memref<17x17xf32>
      %q = arith.divf %x, %e : f32
      affine.store %q, %a[%i, %k] : memref<17x17xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %a[%i, %j] : memref<17x17xf32>
        %l = affine.load %a[%i, %k] : memref<17x17xf32>
        %u = affine.load %a[%j, %k] : memref<17x17xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<17x17xf32>
      }
    }
  }
  return
}

// Elimination with the right side beside the matrix.
func.func @with_right_side(%a: memref<13x13xf32>, %b: memref<13xf32>) {
  %m = memref.alloc() : memref<13x13xf32>
  affine.for %k = 0 to 12 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
      %x = affine.load %a[%i, %k] : memref<13x13xf32>
      %d = affine.load %a[%k, %k] : memref<13x13xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %m[%i, %k] : memref<13x13xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
      affine.for %j = affine_map<(d0) -> (d0)>(%k) to 13 {
        %x = affine.load %a[%i, %j] : memref<13x13xf32>
        %l = affine.load %m[%i, %k] : memref<13x13xf32>
        %u = affine.load %a[%k, %j] : memref<13x13xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<13x13xf32>
      }
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
      %x = affine.load %b[%i] : memref<13xf32>
      %l = affine.load %m[%i, %k] : memref<13x13xf32>
      %u = affine.load %b[%k] : memref<13xf32>
      %p = arith.mulf %l, %u : f32
      %s = arith.subf %x, %p : f32
      affine.store %s, %b[%i] : memref<13xf32>
    }
  }
  return
}

// Rows above the diagonal are eliminated, too: some of them lie before the block.
func.func @gauss_jordan(%a: memref<13x13xf32>) {
  affine.for %k = 0 to 13 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
      %x = affine.load %a[%k, %j] : memref<13x13xf32>
      %d = affine.load %a[%k, %k] : memref<13x13xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[%k, %j] : memref<13x13xf32>
    }
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
        %x = affine.load %a[%i, %j] : memref<13x13xf32>
        %l = affine.load %a[%i, %k] : memref<13x13xf32>
        %u = affine.load %a[%k, %j] : memref<13x13xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<13x13xf32>
      }
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
        %x = affine.load %a[%i, %j] : memref<13x13xf32>
        %l = affine.load %a[%i, %k] : memref<13x13xf32>
        %u = affine.load %a[%k, %j] : memref<13x13xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<13x13xf32>
      }
    }
  }
  return
}

// L D L^T with the diagonal in an array of its own, and integers.
func.func @symmetric(%a: memref<14x14xi32>, %d: memref<14xi32>) {
  affine.for %k = 0 to 14 {
    %x = affine.load %a[%k, %k] : memref<14x14xi32>
    affine.store %x, %d[%k] : memref<14xi32>
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 14 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to affine_map<(d0) -> (d0 + 1)>(%i) {
        %y = affine.load %a[%i, %j] : memref<14x14xi32>
        %l = affine.load %a[%i, %k] : memref<14x14xi32>
        %m = affine.load %a[%j, %k] : memref<14x14xi32>
        %e = affine.load %d[%k] : memref<14xi32>
        %p = arith.muli %l, %m : i32
        %r = arith.muli %p, %e : i32
        %s = arith.subi %y, %r : i32
        affine.store %s, %a[%i, %j] : memref<14x14xi32>
      }
    }
  }
  return
}

// Bounds that only the run knows.
func.func @open(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  affine.for %k = 0 to %n {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
      %x = affine.load %a[%i, %k] : memref<?x?xf32>
      %d = affine.load %a[%k, %k] : memref<?x?xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[%i, %k] : memref<?x?xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to %n {
        %x = affine.load %a[%i, %j] : memref<?x?xf32>
        %l = affine.load %a[%i, %k] : memref<?x?xf32>
        %u = affine.load %a[%k, %j] : memref<?x?xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// The first iteration is not 0, and the last row and column stay.
func.func @starts_late(%a: memref<19x19xf32>) {
  affine.for %k = 2 to 17 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 18 {
      %x = affine.load %a[%i, %k] : memref<19x19xf32>
      %d = affine.load %a[%k, %k] : memref<19x19xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[%i, %k] : memref<19x19xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 18 {
      affine.for %j = affine_map<(d0) -> (d0 + 2)>(%k) to 18 {
        %x = affine.load %a[%i, %j] : memref<19x19xf32>
        %l = affine.load %a[%i, %k] : memref<19x19xf32>
        %u = affine.load %a[%k, %j] : memref<19x19xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<19x19xf32>
      }
    }
  }
  return
}

// A loop around: the matrix is factorized twice.
func.func @twice(%a: memref<13x13xf32>) {
  affine.for %n = 0 to 2 {
    affine.for %k = 0 to 13 {
      affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
        %x = affine.load %a[%i, %k] : memref<13x13xf32>
        %d = affine.load %a[%k, %k] : memref<13x13xf32>
        %q = arith.divf %x, %d : f32
        affine.store %q, %a[%i, %k] : memref<13x13xf32>
      }
      affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
        affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 13 {
          %x = affine.load %a[%i, %j] : memref<13x13xf32>
          %l = affine.load %a[%i, %k] : memref<13x13xf32>
          %u = affine.load %a[%k, %j] : memref<13x13xf32>
          %p = arith.mulf %l, %u : f32
          %s = arith.subf %x, %p : f32
          affine.store %s, %a[%i, %j] : memref<13x13xf32>
        }
      }
    }
  }
  return
}

// The block needs what the last step leaves in the rest: the pieces depend on each other both ways.
func.func @looks_ahead(%a: memref<17x17xf32>) {
  affine.for %k = 0 to 16 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      %x = affine.load %a[%i, %k] : memref<17x17xf32>
      %d = affine.load %a[16, 16] : memref<17x17xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[%i, %k] : memref<17x17xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
        %x = affine.load %a[%i, %j] : memref<17x17xf32>
        %l = affine.load %a[%i, %k] : memref<17x17xf32>
        %u = affine.load %a[%k, %j] : memref<17x17xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<17x17xf32>
      }
    }
  }
  return
}

// A triangular solve has no product of matrices: one workgroup runs it.
func.func @no_product(%l: memref<17x17xf32>, %x: memref<17xf32>) {
  affine.for %k = 0 to 17 {
    %y = affine.load %x[%k] : memref<17xf32>
    %d = affine.load %l[%k, %k] : memref<17x17xf32>
    %q = arith.divf %y, %d : f32
    affine.store %q, %x[%k] : memref<17xf32>
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      %z = affine.load %x[%i] : memref<17xf32>
      %m = affine.load %l[%i, %k] : memref<17x17xf32>
      %w = affine.load %x[%k] : memref<17xf32>
      %p = arith.mulf %m, %w : f32
      %s = arith.subf %z, %p : f32
      affine.store %s, %x[%i] : memref<17xf32>
    }
  }
  return
}

// Columns of the right side are independent all the way.
func.func @parallel_columns(%l: memref<17x17xf32>, %x: memref<17x5xf32>) {
  affine.for %k = 0 to 17 {
    affine.for %j = 0 to 5 {
      %y = affine.load %x[%k, %j] : memref<17x5xf32>
      %d = affine.load %l[%k, %k] : memref<17x17xf32>
      %q = arith.divf %y, %d : f32
      affine.store %q, %x[%k, %j] : memref<17x5xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 17 {
      affine.for %j = max affine_map<(d0) -> (0, -d0 + 2)>(%k) to 5 {
        %z = affine.load %x[%i, %j] : memref<17x5xf32>
        %m = affine.load %l[%i, %k] : memref<17x17xf32>
        %w = affine.load %x[%k, %j] : memref<17x5xf32>
        %p = arith.mulf %m, %w : f32
        %s = arith.subf %z, %p : f32
        affine.store %s, %x[%i, %j] : memref<17x5xf32>
      }
    }
  }
  return
}

// Fewer than four blocks.
func.func @short(%a: memref<11x11xf32>) {
  affine.for %k = 0 to 11 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 11 {
      %x = affine.load %a[%i, %k] : memref<11x11xf32>
      %d = affine.load %a[%k, %k] : memref<11x11xf32>
      %q = arith.divf %x, %d : f32
      affine.store %q, %a[%i, %k] : memref<11x11xf32>
    }
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 11 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 11 {
        %x = affine.load %a[%i, %j] : memref<11x11xf32>
        %l = affine.load %a[%i, %k] : memref<11x11xf32>
        %u = affine.load %a[%k, %j] : memref<11x11xf32>
        %p = arith.mulf %l, %u : f32
        %s = arith.subf %x, %p : f32
        affine.store %s, %a[%i, %j] : memref<11x11xf32>
      }
    }
  }
  return
}
