// Products over triangular domains: tiles inside the domain run whole, those on its edge point by point
// under tests. Sizes that no tile divides, both triangles, both orders of subscripts, open sizes, rows
// without any iteration, a batch.
// test: run --entry=lower --arg=random:1 --arg=random:2
// test: run --entry=upper --arg=random:1 --arg=random:2
// test: run --entry=strictly --arg=random:1[83x45] --arg=random:2[83x83]
// test: run --entry=strictly --arg=random:1[64x45] --arg=random:2[64x64]
// test: run --entry=strictly --arg=random:1[1x45] --arg=random:2[1x1]
// test: run --entry=strictly --arg=random:1[0x45] --arg=random:2[0x0]
// test: run --entry=batch --arg=random:1 --arg=random:2
// test: run --entry=trailing --arg=random:1
// test: run --map-for=gpu --entry=lower --arg=random:1 --arg=random:2
// test: run --map-for=gpu --entry=upper --arg=random:1 --arg=random:2
// test: run --map-for=gpu --entry=strictly --arg=random:1[83x45] --arg=random:2[83x83]
// test: run --map-for=gpu --entry=batch --arg=random:1 --arg=random:2
func.func @lower(%a: memref<93x37xf32>, %c: memref<93x93xf32>) {
  affine.for %i = 0 to 93 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.for %k = 0 to 37 {
        %x = affine.load %a[%i, %k] : memref<93x37xf32>
        %y = affine.load %a[%j, %k] : memref<93x37xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%i, %j] : memref<93x93xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%i, %j] : memref<93x93xf32>
      }
    }
  }
  return
}

func.func @upper(%a: memref<37x136xf32>, %c: memref<136x136xf32>) {
  affine.for %i = 0 to 136 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 136 {
      affine.for %k = 0 to 37 {
        %x = affine.load %a[%k, %i] : memref<37x136xf32>
        %y = affine.load %a[%k, %j] : memref<37x136xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%i, %j] : memref<136x136xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%i, %j] : memref<136x136xf32>
      }
    }
  }
  return
}

// The last row has no iteration, and neither has the first column: what the subscripts would be there lies outside
// of the array.
func.func @strictly(%a: memref<?x45xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x45xf32>
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n {
      affine.for %k = 0 to 45 {
        %x = affine.load %a[%i + 1, %k] : memref<?x45xf32>
        %y = affine.load %a[%j - 1, %k] : memref<?x45xf32>
        %p = arith.mulf %x, %y : f32
        %o = affine.load %c[%j, %i] : memref<?x?xf32>
        %s = arith.addf %o, %p : f32
        affine.store %s, %c[%j, %i] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @batch(%a: memref<3x40x40xf32>, %c: memref<3x40x40xf32>) {
  affine.for %n = 0 to 3 {
    affine.for %i = 0 to 40 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        affine.for %k = 0 to 40 {
          %x = affine.load %a[%n, %i, %k] : memref<3x40x40xf32>
          %y = affine.load %a[%n, %k, %j] : memref<3x40x40xf32>
          %p = arith.mulf %x, %y : f32
          %o = affine.load %c[%n, %i, %j] : memref<3x40x40xf32>
          %s = arith.addf %o, %p : f32
          affine.store %s, %c[%n, %i, %j] : memref<3x40x40xf32>
        }
      }
    }
  }
  return
}

// The update of what is left of a matrix, a launch for each step.
func.func @trailing(%a: memref<70x70xi32>) {
  affine.for %k = 0 to 70 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 70 {
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %a[%i, %k] : memref<70x70xi32>
        %y = affine.load %a[%j, %k] : memref<70x70xi32>
        %p = arith.muli %x, %y : i32
        %o = affine.load %a[%i, %j] : memref<70x70xi32>
        %s = arith.subi %o, %p : i32
        affine.store %s, %a[%i, %j] : memref<70x70xi32>
      }
    }
  }
  return
}
