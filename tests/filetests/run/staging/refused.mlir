// Loops that are not staged: the nest stores to what it loads, subscripts leave gaps, the length
// of the loop differs from thread to thread, a branch keeps some threads out, a quotient may be by
// zero beyond the last iteration.
// test: run --map-for=gpu --entry=in_place
// test: run --map-for=gpu --entry=gaps
// test: run --map-for=gpu --entry=triangular
// test: run --map-for=gpu --entry=guarded
// test: run --map-for=gpu --entry=quotients --arg=iota --arg=ones --arg=zeros
func.func @in_place(%a: memref<40x80xf32>, %b: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.for %k = 0 to 40 {
        %x = affine.load %a[%i, %k] : memref<40x80xf32>
        %y = affine.load %b[%k, %j] : memref<40x40xf32>
        %z = affine.load %a[%i, %j + 40] : memref<40x80xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %a[%i, %j + 40] : memref<40x80xf32>
      }
    }
  }
  return
}
func.func @gaps(%a: memref<80x40xf32>, %b: memref<40x80xf32>, %c: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.for %k = 0 to 40 {
        %x = affine.load %a[%i * 2, %k] : memref<80x40xf32>
        %y = affine.load %b[%k, %j * 2 + 1] : memref<40x80xf32>
        %z = affine.load %c[%i, %j] : memref<40x40xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}
func.func @triangular(%a: memref<40x40xf32>, %b: memref<40x40xf32>, %c: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.for %k = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %a[%i, %k] : memref<40x40xf32>
        %y = affine.load %b[%k, %j] : memref<40x40xf32>
        %z = affine.load %c[%i, %j] : memref<40x40xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<40x40xf32>
      }
    }
  }
  return
}
func.func @guarded(%a: memref<40x40xf32>, %b: memref<40x40xf32>, %c: memref<40x40xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %j) {
        affine.for %k = 0 to 40 {
          %x = affine.load %a[%i, %k] : memref<40x40xf32>
          %y = affine.load %b[%k, %j] : memref<40x40xf32>
          %z = affine.load %c[%i, %j] : memref<40x40xf32>
          %p = arith.mulf %x, %y : f32
          %s = arith.addf %z, %p : f32
          affine.store %s, %c[%i, %j] : memref<40x40xf32>
        }
      }
    }
  }
  return
}
func.func @quotients(%a: memref<41x37xi32>, %b: memref<37x43xi32>, %c: memref<41x43xi32>) {
  affine.for %i = 0 to 41 {
    affine.for %j = 0 to 43 {
      affine.for %k = 0 to 37 {
        %x = affine.load %a[%i, %k] : memref<41x37xi32>
        %y = affine.load %b[%k, %j] : memref<37x43xi32>
        %z = affine.load %c[%i, %j] : memref<41x43xi32>
        %p = arith.divsi %x, %y : i32
        %s = arith.addi %z, %p : i32
        affine.store %s, %c[%i, %j] : memref<41x43xi32>
      }
    }
  }
  return
}
