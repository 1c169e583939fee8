// Kernels of open sizes have versions for sizes of up to 4 and of up to 16 along the lanes, on drivers that run them on the CPU.
// test: run --no-specialize --entry=scaled --arg=iota[3x1] --arg=iota[1] --arg=zeros[3x1]
// expect: arg 2 = [0, 10, 20]
// test: run --no-specialize --entry=scaled --arg=iota[3x2] --arg=iota[2] --arg=zeros[3x2]
// expect: arg 2 = [0, 11, 20, 31, 40, 51]
// test: run --no-specialize --entry=scaled --arg=iota[9x4] --arg=iota[4] --arg=zeros[9x4]
// expect: arg 2 = [0, 11, 22, 33, 40, 51, 62, 73, 80, 91, 102, 113, 120, 131, 142, 153, 160, 171, 182, 193, 200, 211, 222, 233, 240, 251, 262, 273, 280, 291, 302, 313, 320, 331, 342, 353]
// test: run --no-specialize --entry=scaled --arg=iota[2x5] --arg=iota[5] --arg=zeros[2x5]
// expect: arg 2 = [0, 11, 22, 33, 44, 50, 61, 72, 83, 94]
// test: run --no-specialize --entry=scaled --arg=iota[1x17] --arg=iota[17] --arg=zeros[1x17]
// expect: arg 2 = [0, 11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132, 143, 154, 165, 176]
// test: run --no-specialize --entry=scaled --arg=iota[3x0] --arg=iota[0] --arg=zeros[3x0]
// expect: arg 2 = []
// test: run --no-specialize --entry=products --arg=iota[2x2x2] --arg=iota[2x2x2] --arg=zeros[2x2x2]
// expect: arg 2 = [2, 3, 6, 11, 46, 55, 66, 79]
// test: run --no-specialize --entry=products --arg=iota[1x5x2] --arg=iota[1x2x4] --arg=zeros[1x5x4]
// expect: arg 2 = [4, 5, 6, 7, 12, 17, 22, 27, 20, 29, 38, 47, 28, 41, 54, 67, 36, 53, 70, 87]
// test: run --no-specialize --entry=products --arg=iota[2x1x1] --arg=iota[2x1x5] --arg=zeros[2x1x5]
// expect: arg 2 = [0, 0, 0, 0, 0, 5, 6, 7, 8, 9]
// test: run --no-specialize --entry=products --arg=iota[1x2x2] --arg=iota[1x2x16] --arg=zeros[1x2x16]
// expect: arg 2 = [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 48, 53, 58, 63, 68, 73, 78, 83, 88, 93, 98, 103, 108, 113, 118, 123]
// test: run --no-specialize --entry=products --arg=iota[1x1x3] --arg=iota[1x3x17] --arg=zeros[1x1x17]
// expect: arg 2 = [85, 88, 91, 94, 97, 100, 103, 106, 109, 112, 115, 118, 121, 124, 127, 130, 133]
func.func @scaled(%x: memref<?x?xi32>, %w: memref<?xi32>, %y: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ten = arith.constant 10 : i32
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  %n = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %a = affine.load %x[%i, %j] : memref<?x?xi32>
      %b = affine.load %w[%j] : memref<?xi32>
      %c = arith.muli %a, %ten : i32
      %d = arith.addi %c, %b : i32
      affine.store %d, %y[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

func.func @products(%a: memref<?x?x?xi32>, %b: memref<?x?x?xi32>, %c: memref<?x?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant 0 : i32
  %g = memref.dim %c, %c0 : memref<?x?x?xi32>
  %m = memref.dim %c, %c1 : memref<?x?x?xi32>
  %n = memref.dim %c, %c2 : memref<?x?x?xi32>
  %l = memref.dim %a, %c2 : memref<?x?x?xi32>
  affine.for %h = 0 to %g {
    affine.for %i = 0 to %m {
      affine.for %j = 0 to %n {
        %s = affine.for %k = 0 to %l iter_args(%t = %z) -> (i32) {
          %x = affine.load %a[%h, %i, %k] : memref<?x?x?xi32>
          %y = affine.load %b[%h, %k, %j] : memref<?x?x?xi32>
          %p = arith.muli %x, %y : i32
          %q = arith.addi %t, %p : i32
          affine.yield %q : i32
        }
        affine.store %s, %c[%h, %i, %j] : memref<?x?x?xi32>
      }
    }
  }
  return
}
