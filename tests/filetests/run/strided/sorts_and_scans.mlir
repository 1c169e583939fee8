// Bitonic sorts and scans whose strides double or halve. Sorted are the numbers (37 i + 11) mod 64, each of
// 0 … 63 once; the sums are those of 1 … n.
// test: run --entry=bitonic --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]
// test: run --entry=lower_of_two --arg=zeros
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]
// test: run --entry=up_and_down --arg=ones
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
// test: run --entry=two_buffers --arg=ones --arg=zeros
// expect: arg 0 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
// test: run --entry=in_place --arg=ones
// expect: arg 0 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
// test: run --entry=open --arg=ones[24] --arg=8 --arg=4
// expect: arg 0 = [1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 2]
// test: run --entry=open --arg=ones[24] --arg=4 --arg=4
// expect: arg 0 = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6]
// test: run --entry=open --arg=ones[24] --arg=12 --arg=0
// expect: arg 0 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]

func.func private @fill(%x: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %v = affine.apply affine_map<(d0) -> ((d0 * 37 + 11) mod 64)>(%i)
    %w = arith.index_cast %v : index to i32
    affine.store %w, %x[%i] : memref<64xi32>
  }
  return
}

// The partner of i is i ^ j; the lower one of the two exchanges.
func.func @bitonic(%x: memref<64xi32>) {
  call @fill(%x) : (memref<64xi32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 64 : index
  %k_last = scf.while (%k = %c2) : (index) -> index {
    %more = arith.cmpi ule, %k, %n : index
    scf.condition(%more) %k : index
  } do {
  ^bb0(%k: index):
    %first = arith.shrui %k, %c1 : index
    %j_last = scf.while (%j = %first) : (index) -> index {
      %more = arith.cmpi ugt, %j, %c0 : index
      scf.condition(%more) %j : index
    } do {
    ^bb0(%j: index):
      scf.for %i = %c0 to %n step %c1 {
        %l = arith.xori %i, %j : index
        %is_lower = arith.cmpi ugt, %l, %i : index
        scf.if %is_lower {
          %a = memref.load %x[%i] : memref<64xi32>
          %b = memref.load %x[%l] : memref<64xi32>
          %bit = arith.andi %i, %k : index
          %rises = arith.cmpi eq, %bit, %c0 : index
          %more = arith.cmpi sgt, %a, %b : i32
          %less = arith.cmpi slt, %a, %b : i32
          %swaps = arith.select %rises, %more, %less : i1
          scf.if %swaps {
            memref.store %b, %x[%i] : memref<64xi32>
            memref.store %a, %x[%l] : memref<64xi32>
          }
        }
      }
      %half = arith.shrui %j, %c1 : index
      scf.yield %half : index
    }
    %twice = arith.shli %k, %c1 : index
    scf.yield %twice : index
  }
  return
}

// The partner is i + j where i has not the bit of j.
func.func @lower_of_two(%x: memref<64xi32>) {
  call @fill(%x) : (memref<64xi32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %s = 1 to 7 {
    %k = arith.shli %c1, %s : index
    affine.for %t = 0 to affine_map<(d0) -> (d0)>(%s) {
      %back = arith.subi %s, %t : index
      %at = arith.subi %back, %c1 : index
      %j = arith.shli %c1, %at : index
      affine.for %i = 0 to 64 {
        %own = arith.andi %i, %j : index
        %is_lower = arith.cmpi eq, %own, %c0 : index
        scf.if %is_lower {
          %l = arith.addi %i, %j : index
          %a = memref.load %x[%i] : memref<64xi32>
          %b = memref.load %x[%l] : memref<64xi32>
          %bit = arith.andi %i, %k : index
          %rises = arith.cmpi eq, %bit, %c0 : index
          %low = arith.minsi %a, %b : i32
          %high = arith.maxsi %a, %b : i32
          %first = arith.select %rises, %low, %high : i32
          %second = arith.select %rises, %high, %low : i32
          memref.store %first, %x[%i] : memref<64xi32>
          memref.store %second, %x[%l] : memref<64xi32>
        }
      }
    }
  }
  return
}

// Sums of all elements before each one: up in steps that double, down by numbers that double.
func.func @up_and_down(%x: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 16 : index
  scf.for %d = %c0 to %c4 step %c1 {
    %h = arith.shli %c1, %d : index
    %stride = arith.shli %h, %c1 : index
    scf.for %k = %c0 to %n step %stride {
      %k1 = arith.addi %k, %stride : index
      %right = arith.subi %k1, %c1 : index
      %k2 = arith.addi %k, %h : index
      %left = arith.subi %k2, %c1 : index
      %a = memref.load %x[%left] : memref<16xi32>
      %b = memref.load %x[%right] : memref<16xi32>
      %s = arith.addi %a, %b : i32
      memref.store %s, %x[%right] : memref<16xi32>
    }
  }
  %zero = arith.constant 0 : i32
  %last = arith.constant 15 : index
  memref.store %zero, %x[%last] : memref<16xi32>
  scf.for %d = %c0 to %c4 step %c1 {
    %count = arith.shli %c1, %d : index
    %stride = arith.divui %n, %count : index
    %h = arith.shrui %stride, %c1 : index
    scf.for %i = %c0 to %count step %c1 {
      %k = arith.muli %i, %stride : index
      %k1 = arith.addi %k, %stride : index
      %right = arith.subi %k1, %c1 : index
      %k2 = arith.addi %k, %h : index
      %left = arith.subi %k2, %c1 : index
      %a = memref.load %x[%left] : memref<16xi32>
      %b = memref.load %x[%right] : memref<16xi32>
      %s = arith.addi %a, %b : i32
      memref.store %b, %x[%left] : memref<16xi32>
      memref.store %s, %x[%right] : memref<16xi32>
    }
  }
  return
}

// Sums up to each element, from one buffer to the other and back.
func.func @two_buffers(%a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 16 : index
  %r:2 = scf.for %d = %c0 to %c4 step %c1 iter_args(%src = %a, %dst = %b) -> (memref<16xi32>, memref<16xi32>) {
    %off = arith.shli %c1, %d : index
    scf.for %i = %c0 to %n step %c1 {
      %x = memref.load %src[%i] : memref<16xi32>
      %has = arith.cmpi uge, %i, %off : index
      %v = scf.if %has -> (i32) {
        %p = arith.subi %i, %off : index
        %y = memref.load %src[%p] : memref<16xi32>
        %z = arith.addi %x, %y : i32
        scf.yield %z : i32
      } else {
        scf.yield %x : i32
      }
      memref.store %v, %dst[%i] : memref<16xi32>
    }
    scf.yield %dst, %src : memref<16xi32>, memref<16xi32>
  }
  return
}

// In place, each element reads one that another iteration writes: right from the last one down alone.
func.func @in_place(%x: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 16 : index
  scf.for %d = %c0 to %c4 step %c1 {
    %off = arith.shli %c1, %d : index
    %count = arith.subi %n, %off : index
    scf.for %i = %c0 to %count step %c1 {
      %down = arith.subi %count, %i : index
      %p = arith.subi %down, %c1 : index
      %q = arith.addi %p, %off : index
      %a = memref.load %x[%p] : memref<16xi32>
      %b = memref.load %x[%q] : memref<16xi32>
      %s = arith.addi %a, %b : i32
      memref.store %s, %x[%q] : memref<16xi32>
    }
  }
  return
}

// Blocks of %m elements, of which each of the first %h is added to the one %h behind: they are apart where
// a block holds both, and the test in front of the loops finds out.
func.func @open(%x: memref<?xi32>, %m: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %x, %c0 : memref<?xi32>
  %n = arith.subi %size, %h : index
  scf.for %k = %c0 to %n step %m {
    scf.for %j = %c0 to %h step %c1 {
      %p = arith.addi %k, %j : index
      %q = arith.addi %p, %h : index
      %a = memref.load %x[%p] : memref<?xi32>
      %b = memref.load %x[%q] : memref<?xi32>
      %s = arith.addi %a, %b : i32
      memref.store %s, %x[%q] : memref<?xi32>
    }
  }
  return
}
