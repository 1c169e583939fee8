// Two nests of one function and one of another: kernels of two modules, with open sizes, scalars, integers of
// 64 bits and a sum.
//
// test: run-compiled --entry=main --arg=iota[6] --arg=zeros[6] --arg=iota --arg=2.5
// expect: arg 1 = 0 2.5 5 7.5 10 12.5
// expect: arg 2 = 100 102 104 106
// expect: result 0 = 37.5
func.func @add(%n: memref<4xi64>) {
  %c100 = arith.constant 100 : i64
  affine.for %i = 0 to 4 {
    %v = affine.load %n[%i] : memref<4xi64>
    %d = arith.addi %v, %v : i64
    %w = arith.addi %d, %c100 : i64
    affine.store %w, %n[%i] : memref<4xi64>
  }
  return
}

func.func @main(%x: memref<?xf32>, %y: memref<?xf32>, %n: memref<4xi64>, %a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %size = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %size {
    %v = affine.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %a : f32
    affine.store %w, %y[%i] : memref<?xf32>
  }
  %sum = affine.for %i = 0 to %size iter_args(%s = %zero) -> f32 {
    %v = affine.load %y[%i] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    affine.yield %t : f32
  }
  func.call @add(%n) : (memref<4xi64>) -> ()
  return %sum : f32
}
