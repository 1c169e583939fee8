// test: opt --affine-parallelize-scans

// Each term is computed by a loop, so that a scan of few iterations is long enough.
// test: run-opt --entry=bits --arg=iota --arg=zeros
func.func @bits(%x: memref<600xi32>, %y: memref<600xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %apart:2 = memref.distinct_objects %x, %y : memref<600xi32>, memref<600xi32>
  %r = affine.for %i = 0 to 600 iter_args(%s = %zero) -> (i32) {
    %v = affine.load %apart#0[%i] : memref<600xi32>
    %n:2 = scf.while (%left = %v, %count = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %left, %zero : i32
      scf.condition(%more) %left, %count : i32, i32
    } do {
    ^bb0(%left: i32, %count: i32):
      %less = arith.subi %left, %one : i32
      %next = arith.andi %left, %less : i32
      %more = arith.addi %count, %one : i32
      scf.yield %next, %more : i32, i32
    }
    %t = arith.addi %s, %n#1 : i32
    affine.store %t, %apart#1[%i] : memref<600xi32>
    affine.yield %t : i32
  }
  return
}

// One of plain terms stays.
func.func @plain(%x: memref<600xi32>, %y: memref<600xi32>) {
  %zero = arith.constant 0 : i32
  %apart:2 = memref.distinct_objects %x, %y : memref<600xi32>, memref<600xi32>
  %r = affine.for %i = 0 to 600 iter_args(%s = %zero) -> (i32) {
    %v = affine.load %apart#0[%i] : memref<600xi32>
    %t = arith.addi %s, %v : i32
    affine.store %t, %apart#1[%i] : memref<600xi32>
    affine.yield %t : i32
  }
  return
}
