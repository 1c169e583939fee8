// Reductions of open size: one that continues what a loop around it carries is cut as one that begins anew, since its bounds do
// not grow with that loop; and groups have fewer iterations where each of these has loops.
// test: opt --affine-parallelize-reductions=target=cpu --canonicalize --cse
// test: run-opt --entry=twice --arg=iota[70]
// expect: result 0 = 4830
// test: run-opt --entry=twice --arg=iota[0]
// expect: result 0 = 0
// test: run-opt --entry=sum_of_products --arg=iota[70x3] --arg=zeros[70]
// expect: result 0 = 22085

func.func @twice(%x: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %all = affine.for %time = 0 to 2 iter_args(%a = %none) -> (i32) {
    %sum = affine.for %i = 0 to %n iter_args(%b = %a) -> (i32) {
      %v = affine.load %x[%i] : memref<?xi32>
      %next = arith.addi %b, %v : i32
      affine.yield %next : i32
    }
    affine.yield %sum : i32
  }
  return %all : i32
}

func.func @sum_of_products(%x: memref<?x?xi32>, %y: memref<?xi32>) -> i32 {
  %0:2 = memref.distinct_objects %x, %y : memref<?x?xi32>, memref<?xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %0#0, %c0 : memref<?x?xi32>
  %m = memref.dim %0#0, %c1 : memref<?x?xi32>
  %all = affine.for %i = 0 to %n iter_args(%a = %none) -> (i32) {
    %row = affine.for %k = 0 to %m iter_args(%b = %none) -> (i32) {
      %v = affine.load %0#0[%i, %k] : memref<?x?xi32>
      %w = affine.load %0#0[0, %k] : memref<?x?xi32>
      %p = arith.muli %v, %w : i32
      %next = arith.addi %b, %p : i32
      affine.yield %next : i32
    }
    affine.store %row, %0#1[%i] : memref<?xi32>
    %more = arith.addi %a, %row : i32
    affine.yield %more : i32
  }
  return %all : i32
}
