// On drivers that gather, four rounds of a loop of unknown length become one, and those that do not fill one remain. A loop with an access
// that is not proved in range, as its end may be any number, stays as it is.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=gathering-cpu --canonicalize --cse
// test: run-opt --entry=sums --arg=iota[3x7] --arg=zeros
// expect: arg 1 = [21, 70, 119]
// test: run-opt --entry=until --arg=iota[3x7] --arg=zeros --arg=7
// expect: arg 1 = [21, 70, 119]

func.func @sums(%x: memref<3x?xi32>, %y: memref<3xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<3x?xi32>, memref<3xi32>
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %m = memref.dim %0#0, %c1 : memref<3x?xi32>
  affine.for %i = 0 to 3 {
    %sum = affine.for %k = 0 to %m iter_args(%a = %none) -> (i32) {
      %v = affine.load %0#0[%i, %k] : memref<3x?xi32>
      %next = arith.addi %a, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %0#1[%i] : memref<3xi32>
  }
  return
}

func.func @until(%x: memref<3x?xi32>, %y: memref<3xi32>, %end: index) {
  %0:2 = memref.distinct_objects %x, %y : memref<3x?xi32>, memref<3xi32>
  %none = arith.constant 0 : i32
  affine.for %i = 0 to 3 {
    %sum = affine.for %k = 0 to %end iter_args(%a = %none) -> (i32) {
      %v = affine.load %0#0[%i, %k] : memref<3x?xi32>
      %next = arith.addi %a, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %0#1[%i] : memref<3xi32>
  }
  return
}
