// test: opt --affine-node-splitting=min-trips=4

// Few rows in parallel: the copy has a row for each, so that they stay parallel.
// test: run-opt --entry=rows --arg=iota
// expect: arg 0 = [2, 4, 6, 8, 10, 12, 14, 7, 18, 20, 22, 24, 26, 28, 30, 15]
func.func @rows(%a: memref<2x8xi32>) {
  affine.for %r = 0 to 2 {
    affine.for %i = 0 to 7 {
      %v = affine.load %a[%r, %i + 1] : memref<2x8xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %a[%r, %i] : memref<2x8xi32>
    }
  }
  return
}

// A binomial tree for each of many rows, which are parallel already.
func.func @trees(%a: memref<1000000x9xf32>) {
  affine.for %r = 0 to 1000000 {
    affine.for %t = 0 to 8 {
      affine.for %i = 0 to 8 {
        %v = affine.load %a[%r, %i + 1] : memref<1000000x9xf32>
        %w = affine.load %a[%r, %i] : memref<1000000x9xf32>
        %x = arith.addf %v, %w : f32
        affine.store %x, %a[%r, %i] : memref<1000000x9xf32>
      }
    }
  }
  return
}

// The memory of each row is its own, and so is the copy.
// test: run-opt --entry=own --arg=iota
// expect: arg 0 = [2, 4, 6, 8, 10, 12, 14, 7, 18, 20, 22, 24, 26, 28, 30, 15]
func.func @own(%a: memref<2x8xi32>) {
  affine.for %r = 0 to 2 {
    %t = memref.alloca() : memref<8xi32>
    affine.for %i = 0 to 8 {
      %v = affine.load %a[%r, %i] : memref<2x8xi32>
      affine.store %v, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 7 {
      %v = affine.load %t[%i + 1] : memref<8xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %t[%i] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %v = affine.load %t[%i] : memref<8xi32>
      affine.store %v, %a[%r, %i] : memref<2x8xi32>
    }
  }
  return
}
