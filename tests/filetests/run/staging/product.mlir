// Products whose loads go through workgroup memory on a GPU: sizes that no tile and no chunk
// divides, sizes that arguments tell, transposes, a lower bound that is not zero.
// test: run --map-for=gpu --entry=odd
// test: run --map-for=gpu --entry=open --arg=random:1[45x53] --arg=random:2[53x70] --arg=random:3[45x70]
// test: run --map-for=gpu --entry=open --arg=random:1[40x7] --arg=random:2[7x40] --arg=random:3[40x40]
// test: run --map-for=gpu --entry=open --arg=random:1[40x0] --arg=random:2[0x40] --arg=random:3[40x40]
// test: run --map-for=gpu --entry=transposed
// test: run --map-for=gpu --entry=inner_part
func.func @odd(%a: memref<61x47xf32>, %b: memref<47x75xf32>, %c: memref<61x75xf32>) {
  affine.for %i = 0 to 61 {
    affine.for %j = 0 to 75 {
      affine.for %k = 0 to 47 {
        %x = affine.load %a[%i, %k] : memref<61x47xf32>
        %y = affine.load %b[%k, %j] : memref<47x75xf32>
        %z = affine.load %c[%i, %j] : memref<61x75xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<61x75xf32>
      }
    }
  }
  return
}
func.func @open(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %l = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %l {
        %x = affine.load %a[%i, %k] : memref<?x?xf32>
        %y = affine.load %b[%k, %j] : memref<?x?xf32>
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @transposed(%a: memref<40x50xi32>, %b: memref<64x40xi32>, %c: memref<50x64xi32>) {
  affine.for %i = 0 to 50 {
    affine.for %j = 0 to 64 {
      affine.for %k = 0 to 40 {
        %x = affine.load %a[%k, %i] : memref<40x50xi32>
        %y = affine.load %b[%j, %k] : memref<64x40xi32>
        %z = affine.load %c[%i, %j] : memref<50x64xi32>
        %p = arith.muli %x, %y : i32
        %s = arith.addi %z, %p : i32
        affine.store %s, %c[%i, %j] : memref<50x64xi32>
      }
    }
  }
  return
}
func.func @inner_part(%a: memref<48x60xf32>, %b: memref<60x48xf32>, %c: memref<48x48xf32>) {
  affine.for %i = 5 to 43 {
    affine.for %j = 3 to 45 {
      affine.for %k = 7 to 52 {
        %x = affine.load %a[%i - 4, %k + 2] : memref<48x60xf32>
        %y = affine.load %b[%k + 8, %j + 1] : memref<60x48xf32>
        %z = affine.load %c[%i, %j] : memref<48x48xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<48x48xf32>
      }
    }
  }
  return
}
