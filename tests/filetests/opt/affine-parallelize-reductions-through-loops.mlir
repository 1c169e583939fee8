// Sums that loops of data-dependent length carry on: each thread has a sum of its own through the inner loop, which no result of it steers.
// test: opt --affine-parallelize-reductions
// test: run-opt --entry=collatz --arg=iota
// expect: result 0 = 606388
// test: run-opt --entry=tested --arg=iota
// expect: result 0 = 24000
// test: run-opt --entry=steers --arg=iota
// expect: result 0 = 33579007
// test: run-opt --entry=swapped --arg=iota
// expect: result 0 = 12286
// test: run-opt --entry=rows --arg=iota --arg=iota
// expect: result 0 = 2796885

// Steps by which `n -> n / 2` or `3 n + 1` takes the numbers 1 to 4000 to 1, of each as often as it is met. The expected values of this file
// are those of Python loops.
func.func @collatz(%x: memref<8192xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %most = arith.constant 4000 : i32
  %total = affine.for %i = 0 to 8192 iter_args(%sum = %c0) -> i32 {
    %v = affine.load %x[%i] : memref<8192xi32>
    %r = arith.remsi %v, %most : i32
    %first = arith.addi %r, %c1 : i32
    %w:2 = scf.while (%s = %sum, %n = %first) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %n, %c1 : i32
      scf.condition(%more) %n, %s : i32, i32
    } do {
    ^bb0(%n: i32, %s: i32):
      %bit = arith.andi %n, %c1 : i32
      %odd = arith.cmpi ne, %bit, %c0 : i32
      %next = scf.if %odd -> i32 {
        %t = arith.muli %n, %c3 : i32
        %u = arith.addi %t, %c1 : i32
        scf.yield %u : i32
      } else {
        %h = arith.shrsi %n, %c1 : i32
        scf.yield %h : i32
      }
      %longer = arith.addi %s, %c1 : i32
      scf.yield %longer, %next : i32, i32
    }
    affine.yield %w#1 : i32
  }
  return %total : i32
}

// The region that tests adds: it runs once more than the other one, three times for each number.
func.func @tested(%x: memref<8000xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %total = affine.for %i = 0 to 8000 iter_args(%sum = %c0) -> i32 {
    %w:2 = scf.while (%k = %c0, %s = %sum) : (i32, i32) -> (i32, i32) {
      %t = arith.addi %s, %c1 : i32
      %more = arith.cmpi slt, %k, %c2 : i32
      scf.condition(%more) %k, %t : i32, i32
    } do {
    ^bb0(%k: i32, %s: i32):
      %next = arith.addi %k, %c1 : i32
      scf.yield %next, %s : i32, i32
    }
    affine.yield %w#1 : i32
  }
  return %total : i32
}

// The sum ends the inner loop: it stays.
func.func @steers(%x: memref<8192xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %total = affine.for %i = 0 to 8192 iter_args(%sum = %c0) -> i32 {
    %v = affine.load %x[%i] : memref<8192xi32>
    %w = scf.while (%s = %sum) : (i32) -> i32 {
      %bits = arith.andi %s, %c7 : i32
      %more = arith.cmpi ne, %bits, %c0 : i32
      scf.condition(%more) %s : i32
    } do {
    ^bb0(%s: i32):
      %t = arith.addi %s, %c1 : i32
      scf.yield %t : i32
    }
    %u = arith.addi %w, %v : i32
    affine.yield %u : i32
  }
  return %total : i32
}

// Two sums change places in each round: they stay.
func.func @swapped(%x: memref<8192xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %total:2 = affine.for %i = 0 to 8192 iter_args(%a = %c0, %b = %c1) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<8192xi32>
    %r = arith.remsi %v, %c3 : i32
    %w:3 = scf.while (%k = %c0, %s = %a, %t = %b) : (i32, i32, i32) -> (i32, i32, i32) {
      %more = arith.cmpi slt, %k, %r : i32
      scf.condition(%more) %k, %s, %t : i32, i32, i32
    } do {
    ^bb0(%k: i32, %s: i32, %t: i32):
      %next = arith.addi %k, %c1 : i32
      %u = arith.addi %s, %c3 : i32
      scf.yield %next, %t, %u : i32, i32, i32
    }
    affine.yield %w#1, %w#2 : i32, i32
  }
  return %total#0 : i32
}

// All elements of rows that begin and end at numbers of an array, of which a switch says what they count.
func.func @rows(%ends: memref<4097xi32>, %x: memref<8192xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i32
  %total = affine.for %i = 0 to 4096 iter_args(%sum = %c0) -> i32 {
    %first = affine.load %ends[%i] : memref<4097xi32>
    %last = affine.load %ends[%i + 1] : memref<4097xi32>
    %from = arith.index_cast %first : i32 to index
    %to = arith.index_cast %last : i32 to index
    %row = scf.for %k = %from to %to step %c1 iter_args(%s = %sum) -> i32 {
      %v = memref.load %x[%k] : memref<8192xi32>
      %r = arith.remsi %v, %c3 : i32
      %kind = arith.index_cast %r : i32 to index
      %t = scf.index_switch %kind -> i32
      case 0 {
        %t = arith.addi %s, %v : i32
        scf.yield %t : i32
      }
      default {
        scf.yield %s : i32
      }
      scf.yield %t : i32
    }
    affine.yield %row : i32
  }
  return %total : i32
}
