// Atomic updates of elements of one and two bytes, which exchange the word that the element lies in, beside plain stores to
// other elements of the same word. 64 updates of three counters: 22, 21 and 21 of them.
//
// test: run --entry=counters --arg=zeros
// expect: arg 0 = [8, -4, -4, 0, 1, 2, 3]
// test: run --entry=pairs --arg=zeros
// expect: arg 0 = [22, 21, 21, 7, 8]
// test: run --entry=halves --arg=zeros
// expect: arg 0 = [11, 10.5, 10.5]
// test: run --entry=brains --arg=zeros
// expect: arg 0 = [17020, 17012, 17016]
// test: run --entry=least --arg=zeros
// expect: arg 0 = [-63, -61, -62]
// test: run --entry=flags --arg=zeros
// expect: arg 0 = [0, 1, 1]

// 22 * 12 = 264 is 8 modulo 256, 21 * 12 = 252 is -4.
func.func @counters(%h: memref<7xi8>) {
  %twelve = arith.constant 12 : i8
  %three = arith.constant 3 : index
  affine.parallel (%i) = (0) to (64) {
    %at = arith.remui %i, %three : index
    %old = memref.atomic_rmw addi %twelve, %h[%at] : (i8, memref<7xi8>) -> i8
  }
  affine.parallel (%i) = (0) to (4) {
    %v = arith.index_cast %i : index to i8
    affine.store %v, %h[%i + 3] : memref<7xi8>
  }
  return
}

// Both in one kernel.
func.func @pairs(%h: memref<5xi16>) {
  %one = arith.constant 1 : index
  %unit = arith.constant 1 : i16
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %seven = arith.constant 7 : index
  %size = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nx = %one, %ny = %one, %nz = %one)
             threads(%tx, %ty, %tz) in (%mx = %size, %my = %one, %mz = %one) {
    %at = arith.remui %tx, %three : index
    %old = memref.atomic_rmw addi %unit, %h[%at] : (i16, memref<5xi16>) -> i16
    %is = arith.cmpi ult, %tx, %two : index
    scf.if %is {
      %sum = arith.addi %tx, %seven : index
      %v = arith.index_cast %sum : index to i16
      %place = arith.addi %tx, %three : index
      memref.store %v, %h[%place] : memref<5xi16>
    }
    gpu.terminator
  }
  return
}

// Halves are exact.
func.func @halves(%h: memref<3xf16>) {
  %half = arith.constant 0.5 : f16
  %three = arith.constant 3 : index
  affine.parallel (%i) = (0) to (64) {
    %at = arith.remui %i, %three : index
    %new = memref.generic_atomic_rmw %h[%at] : memref<3xf16> {
    ^bb0(%old: f16):
      %sum = arith.addf %old, %half : f16
      memref.atomic_yield %sum : f16
    }
  }
  return
}

// The bits of 63, 61 and 62.
func.func @brains(%h: memref<3xbf16>) {
  %three = arith.constant 3 : index
  affine.parallel (%i) = (0) to (64) {
    %at = arith.remui %i, %three : index
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to bf16
    %old = memref.atomic_rmw maximumf %v, %h[%at] : (bf16, memref<3xbf16>) -> bf16
  }
  return
}

func.func @least(%h: memref<3xi8>) {
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : i8
  affine.parallel (%i) = (0) to (64) {
    %at = arith.remui %i, %three : index
    %n = arith.index_cast %i : index to i8
    %v = arith.subi %zero, %n : i8
    %old = memref.atomic_rmw mins %v, %h[%at] : (i8, memref<3xi8>) -> i8
  }
  return
}

// Element 0 is never set.
func.func @flags(%h: memref<3xi1>) {
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : index
  affine.parallel (%i) = (0) to (64) {
    %at = arith.remui %i, %three : index
    %v = arith.cmpi ne, %at, %zero : index
    %old = memref.atomic_rmw ori %v, %h[%at] : (i1, memref<3xi1>) -> i1
  }
  return
}
