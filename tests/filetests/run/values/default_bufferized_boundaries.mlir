// What `mlir-opt --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-affine-loops` makes of a matrix
// product of tensors: the layout of every argument is open, and the loops are kernels all the same (see
// `foreign::default_bufferized_boundaries_are_mapped`).
//     c = a * b
//
// test: run --arg=iota[2x2] --arg=iota[2x3] --arg=zeros[2x3]
// expect: arg 2 = [[3, 4, 5], [9, 14, 19]]
// expect: result 0 = [[3, 4, 5], [9, 14, 19]]
module {
  func.func @mm(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg2: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_1 {
        affine.for %arg5 = 0 to %dim_0 {
          %0 = affine.load %arg0[%arg3, %arg5] : memref<?x?xf32, strided<[?, ?], offset: ?>>
          %1 = affine.load %arg1[%arg5, %arg4] : memref<?x?xf32, strided<[?, ?], offset: ?>>
          %2 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32, strided<[?, ?], offset: ?>>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32, strided<[?, ?], offset: ?>>
        }
      }
    }
    return %arg2 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
}

