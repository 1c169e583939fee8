// Loops at subscripts that only the run knows. The result is the sum of x[i] * (i % 8 + 1) afterwards, as loops in Python find it.
//
// The bit reversal of an FFT: no two swaps share an element.
// test: run --entry=bit_reversal --arg=iota
// expect: result 0 = 44030976
// test: run --map-for=gpu --entry=bit_reversal --arg=iota
// expect: result 0 = 44030976
func.func @bit_reversal(%x: memref<4096xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %seven = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 4096 {
    %r:2 = affine.for %k = 0 to 12 iter_args(%j = %c0, %t = %i) -> (index, index) {
      %up = arith.shli %j, %c1 : index
      %bit = arith.andi %t, %c1 : index
      %next = arith.ori %up, %bit : index
      %rest = arith.shrui %t, %c1 : index
      affine.yield %next, %rest : index, index
    }
    %j = arith.addi %r#0, %c0 : index
    %is_less = arith.cmpi slt, %i, %j : index
    scf.if %is_less {
      %a = affine.load %x[%i] : memref<4096xi32>
      %b = memref.load %x[%j] : memref<4096xi32>
      affine.store %b, %x[%i] : memref<4096xi32>
      memref.store %a, %x[%j] : memref<4096xi32>
    }
  }
  %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<4096xi32>
    %low = arith.andi %i, %seven : index
    %w = arith.index_cast %low : index to i32
    %w1 = arith.addi %w, %one : i32
    %scaled = arith.muli %v, %w1 : i32
    %t = arith.addi %s, %scaled : i32
    affine.yield %t : i32
  }
  return %sum : i32
}

// Swaps by a table: of (17 * i) % 4096 some share elements, so that the loop runs as it is.
// test: run --map-for=gpu --entry=swaps --arg=17 --arg=1 --arg=iota
// expect: result 0 = 37761024
// test: run --map-for=gpu --entry=swaps --arg=4095 --arg=1 --arg=iota
// expect: result 0 = 37732352
func.func @swaps(%factor: index, %divisor: index, %x: memref<4096xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %seven = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %p = memref.alloc() : memref<4096xindex>
  func.call @table(%p, %factor, %divisor) : (memref<4096xindex>, index, index) -> ()
  affine.for %i = 0 to 4096 {
    %j = affine.load %p[%i] : memref<4096xindex>
    %is_less = arith.cmpi slt, %i, %j : index
    scf.if %is_less {
      %a = affine.load %x[%i] : memref<4096xi32>
      %b = memref.load %x[%j] : memref<4096xi32>
      affine.store %b, %x[%i] : memref<4096xi32>
      memref.store %a, %x[%j] : memref<4096xi32>
    }
  }
  memref.dealloc %p : memref<4096xindex>
  %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<4096xi32>
    %low = arith.andi %i, %seven : index
    %w = arith.index_cast %low : index to i32
    %w1 = arith.addi %w, %one : i32
    %scaled = arith.muli %v, %w1 : i32
    %t = arith.addi %s, %scaled : i32
    affine.yield %t : i32
  }
  return %sum : i32
}

// Updates that do not commute, of elements that a table names: a permutation, and each of one half twice.
// test: run --map-for=gpu --entry=updates --arg=17 --arg=1 --arg=iota
// expect: result 0 = 151044096
// test: run --map-for=gpu --entry=updates --arg=1 --arg=2 --arg=iota
// expect: result 0 = 188863488
func.func @updates(%factor: index, %divisor: index, %x: memref<4096xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %seven = arith.constant 7 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %p = memref.alloc() : memref<4096xindex>
  func.call @table(%p, %factor, %divisor) : (memref<4096xindex>, index, index) -> ()
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 4096 {
    %j = affine.load %p[%i] : memref<4096xindex>
    %v = memref.load %x[%j] : memref<4096xi32>
    %w = arith.muli %v, %three : i32
    %n = arith.index_cast %i : index to i32
    %u = arith.addi %w, %n : i32
    memref.store %u, %x[%j] : memref<4096xi32>
  }
  memref.dealloc %p : memref<4096xindex>
  %sum = affine.for %i = 0 to 4096 iter_args(%s = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<4096xi32>
    %low = arith.andi %i, %seven : index
    %w = arith.index_cast %low : index to i32
    %w1 = arith.addi %w, %one : i32
    %scaled = arith.muli %v, %w1 : i32
    %t = arith.addi %s, %scaled : i32
    affine.yield %t : i32
  }
  return %sum : i32
}

func.func private @table(%p: memref<4096xindex>, %factor: index, %divisor: index) {
  %all = arith.constant 4096 : index
  affine.for %i = 0 to 4096 {
    %m = arith.muli %i, %factor : index
    %d = arith.divsi %m, %divisor : index
    %r = arith.remsi %d, %all : index
    affine.store %r, %p[%i] : memref<4096xindex>
  }
  return
}
