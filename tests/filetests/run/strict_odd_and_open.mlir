// The programs of odd_and_open.mlir whose sums keep the order of the program.
// test: run --entry=odd --arg=random:1 --arg=random:1 --arg=random:1 --fp=strict
// test: run --entry=open --arg=random:1[9x91] --arg=random:1[9x93] --arg=random:1[91x93] --fp=strict
// test: run --entry=transposed --arg=random:1[300x37] --arg=random:1[300] --arg=random:1[37] --fp=strict
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
func.func @odd(%a: memref<91x9xf32>, %b: memref<9x93xf32>, %c: memref<91x93xf32>) {
  affine.for %i = 0 to 91 {
    affine.for %j = 0 to 93 {
      affine.for %k = 0 to 9 {
        %x = affine.load %a[%i, %k] : memref<91x9xf32>
        %y = affine.load %b[%k, %j] : memref<9x93xf32>
        %z = affine.load %c[%i, %j] : memref<91x93xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<91x93xf32>
      }
    }
  }
  return
}

func.func @open(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %c, %c0 : memref<?x?xf32>
  %n = memref.dim %c, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to %l {
        %x = affine.load %a[%k, %i] : memref<?x?xf32>
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

func.func @transposed(%a: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %j = 0 to %n {
    affine.for %i = 0 to %m {
      %u = affine.load %a[%i, %j] : memref<?x?xf32>
      %v = affine.load %x[%i] : memref<?xf32>
      %z = affine.load %y[%j] : memref<?xf32>
      %p = arith.mulf %u, %v : f32
      %s = arith.addf %z, %p : f32
      affine.store %s, %y[%j] : memref<?xf32>
    }
  }
  return
}
