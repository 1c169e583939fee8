// Dimensions that all accesses walk together become one, and so do the loops; an access that does not fit keeps its loops and what
// these access.
// test: opt --affine-collapse-dimensions
// test: run-opt --entry=contraction --arg=random:1 --arg=random:2 --arg=random:3
// test: run-opt --entry=three --arg=random:1 --arg=random:2
// test: run-opt --entry=carried --arg=random:1 --arg=random:2
// test: run-opt --entry=transposed --arg=random:1 --arg=random:2
// test: run-opt --entry=by_rows --arg=random:1 --arg=random:2
// test: run-opt --entry=in_part --arg=random:1
// test: run-opt --entry=counted --arg=random:1
// test: run-opt --entry=viewed --arg=random:1
// test: run-opt --entry=long_rows --arg=random:1
// test: run --entry=contraction --arg=random:1 --arg=random:2 --arg=random:3
// test: run --entry=three --arg=random:1 --arg=random:2
// test: run --entry=carried --arg=random:1 --arg=random:2

func.func @contraction(%a: memref<3x5x7x2xf32>, %b: memref<7x2x4x3xf32>, %c: memref<3x5x4x3xf32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 4 {
        affine.for %l = 0 to 3 {
          affine.for %m = 0 to 7 {
            affine.for %n = 0 to 2 {
              %x = affine.load %a[%i, %j, %m, %n] : memref<3x5x7x2xf32>
              %y = affine.load %b[%m, %n, %k, %l] : memref<7x2x4x3xf32>
              %z = affine.load %c[%i, %j, %k, %l] : memref<3x5x4x3xf32>
              %p = arith.mulf %x, %y : f32
              %s = arith.addf %z, %p : f32
              affine.store %s, %c[%i, %j, %k, %l] : memref<3x5x4x3xf32>
            }
          }
        }
      }
    }
  }
  return
}
// Three dimensions become one in two rounds. The first is not walked to its end.
func.func @three(%x: memref<6x3x7xf32>, %y: memref<5x3x7xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 7 {
        %v = affine.load %x[%i, %j, %k] : memref<6x3x7xf32>
        %w = arith.addf %v, %v : f32
        affine.store %w, %y[%i, %j, %k] : memref<5x3x7xf32>
      }
    }
  }
  return
}
// A sum that both loops carry.
func.func @carried(%x: memref<9x3x7xf32>, %y: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %t = affine.for %j = 0 to 3 iter_args(%a = %zero) -> (f32) {
      %s = affine.for %k = 0 to 7 iter_args(%b = %a) -> (f32) {
        %v = affine.load %x[%i, %j, %k] : memref<9x3x7xf32>
        %c = arith.addf %b, %v : f32
        affine.yield %c : f32
      }
      affine.yield %s : f32
    }
    affine.store %t, %y[%i] : memref<9xf32>
  }
  return
}
// One array has the counters in the other order: both keep their loops.
func.func @transposed(%x: memref<5x7xf32>, %y: memref<7x5xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<5x7xf32>
      affine.store %v, %y[%j, %i] : memref<7x5xf32>
    }
  }
  return
}
// The second nest walks the array by rows, so that the first keeps its loops, too.
func.func @by_rows(%x: memref<5x7xf32>, %y: memref<5xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<5x7xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %x[%i, %j] : memref<5x7xf32>
    }
  }
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<5x7xf32>
      %s = affine.load %y[%i] : memref<5xf32>
      %t = arith.addf %s, %v : f32
      affine.store %t, %y[%i] : memref<5xf32>
    }
  }
  return
}
// The inner loop leaves out the last column.
func.func @in_part(%x: memref<5x7xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : memref<5x7xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %x[%i, %j] : memref<5x7xf32>
    }
  }
  return
}
// A counter is a number as well.
func.func @counted(%x: memref<5x7xindex>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      affine.store %i, %x[%i, %j] : memref<5x7xindex>
    }
  }
  return
}
// A view of the array is in use beside it.
func.func @viewed(%x: memref<5x7xf32>) {
  %rows = memref.subview %x[1, 0] [3, 7] [1, 1] : memref<5x7xf32> to memref<3x7xf32, strided<[7, 1], offset: 7>>
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 7 {
      %v = affine.load %x[%i, %j] : memref<5x7xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %x[%i, %j] : memref<5x7xf32>
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 7 {
      %v = affine.load %rows[%i, %j] : memref<3x7xf32, strided<[7, 1], offset: 7>>
      %w = arith.addf %v, %v : f32
      affine.store %w, %rows[%i, %j] : memref<3x7xf32, strided<[7, 1], offset: 7>>
    }
  }
  return
}
// Rows that fill tiles and vectors stay as they are.
func.func @long_rows(%x: memref<5x512xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 512 {
      %v = affine.load %x[%i, %j] : memref<5x512xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %x[%i, %j] : memref<5x512xf32>
    }
  }
  return
}
