// On drivers that gather, four rounds of a loop of unknown length become one, and those that do not fill one remain. A loop with an access
// that is not proved in range, as its end may be any number, stays as it is, and so does one whose round has much to do.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=gathering-cpu --canonicalize --cse
// test: run-opt --entry=sums --arg=iota[3x7] --arg=zeros
// expect: arg 1 = [21, 70, 119]
// test: run-opt --entry=until --arg=iota[3x7] --arg=zeros --arg=7
// expect: arg 1 = [21, 70, 119]
// test: run-opt --entry=polynomials --arg=iota[3x7] --arg=zeros
// The sums of 1 + x + … + x^26 modulo 2^32.
// expect: arg 1 = [1133529703, 1896191469, 193843465]

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

func.func @polynomials(%x: memref<3x?xi32>, %y: memref<3xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<3x?xi32>, memref<3xi32>
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m = memref.dim %0#0, %c1 : memref<3x?xi32>
  affine.for %i = 0 to 3 {
    %sum = affine.for %k = 0 to %m iter_args(%a = %none) -> (i32) {
      %v = affine.load %0#0[%i, %k] : memref<3x?xi32>
      %p0 = arith.muli %one, %v : i32
      %s0 = arith.addi %p0, %one : i32
      %p1 = arith.muli %s0, %v : i32
      %s1 = arith.addi %p1, %one : i32
      %p2 = arith.muli %s1, %v : i32
      %s2 = arith.addi %p2, %one : i32
      %p3 = arith.muli %s2, %v : i32
      %s3 = arith.addi %p3, %one : i32
      %p4 = arith.muli %s3, %v : i32
      %s4 = arith.addi %p4, %one : i32
      %p5 = arith.muli %s4, %v : i32
      %s5 = arith.addi %p5, %one : i32
      %p6 = arith.muli %s5, %v : i32
      %s6 = arith.addi %p6, %one : i32
      %p7 = arith.muli %s6, %v : i32
      %s7 = arith.addi %p7, %one : i32
      %p8 = arith.muli %s7, %v : i32
      %s8 = arith.addi %p8, %one : i32
      %p9 = arith.muli %s8, %v : i32
      %s9 = arith.addi %p9, %one : i32
      %p10 = arith.muli %s9, %v : i32
      %s10 = arith.addi %p10, %one : i32
      %p11 = arith.muli %s10, %v : i32
      %s11 = arith.addi %p11, %one : i32
      %p12 = arith.muli %s11, %v : i32
      %s12 = arith.addi %p12, %one : i32
      %p13 = arith.muli %s12, %v : i32
      %s13 = arith.addi %p13, %one : i32
      %p14 = arith.muli %s13, %v : i32
      %s14 = arith.addi %p14, %one : i32
      %p15 = arith.muli %s14, %v : i32
      %s15 = arith.addi %p15, %one : i32
      %p16 = arith.muli %s15, %v : i32
      %s16 = arith.addi %p16, %one : i32
      %p17 = arith.muli %s16, %v : i32
      %s17 = arith.addi %p17, %one : i32
      %p18 = arith.muli %s17, %v : i32
      %s18 = arith.addi %p18, %one : i32
      %p19 = arith.muli %s18, %v : i32
      %s19 = arith.addi %p19, %one : i32
      %p20 = arith.muli %s19, %v : i32
      %s20 = arith.addi %p20, %one : i32
      %p21 = arith.muli %s20, %v : i32
      %s21 = arith.addi %p21, %one : i32
      %p22 = arith.muli %s21, %v : i32
      %s22 = arith.addi %p22, %one : i32
      %p23 = arith.muli %s22, %v : i32
      %s23 = arith.addi %p23, %one : i32
      %p24 = arith.muli %s23, %v : i32
      %s24 = arith.addi %p24, %one : i32
      %p25 = arith.muli %s24, %v : i32
      %s25 = arith.addi %p25, %one : i32
      %next = arith.addi %a, %s25 : i32
      affine.yield %next : i32
    }
    affine.store %sum, %0#1[%i] : memref<3xi32>
  }
  return
}
