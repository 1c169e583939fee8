// Stream compactions beside other work of the same loop.
//
// test: run --entry=beside_a_histogram --arg=iota --arg=zeros --arg=zeros
// expect: result 0 = 9
// expect: arg 1 = [5, 1029, 2053, 3077, 4101, 5125, 6149, 7173, 8197]
// expect: arg 2 = [563, 563, 563, 563, 563, 563, 563, 563, 563, 562, 562, 562, 562, 562, 562, 562]
// test: run --map-for=gpu --entry=beside_a_histogram --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [5, 1029, 2053, 3077, 4101, 5125, 6149, 7173, 8197]
// expect: arg 2 = [563, 563, 563, 563, 563, 563, 563, 563, 563, 562, 562, 562, 562, 562, 562, 562]
func.func @beside_a_histogram(%x: memref<9001xi32>, %out: memref<9xi32>, %counts: memref<16xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 9001 : index
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %mask = arith.constant 1023 : i32
  %bins = arith.constant 15 : i32
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0) -> index {
    %v = memref.load %x[%i] : memref<9001xi32>
    %bin = arith.andi %v, %bins : i32
    %b = arith.index_cast %bin : i32 to index
    %h = memref.load %counts[%b] : memref<16xi32>
    %g = arith.addi %h, %one : i32
    memref.store %g, %counts[%b] : memref<16xi32>
    %low = arith.andi %v, %mask : i32
    %c = arith.cmpi eq, %low, %five : i32
    %q = scf.if %c -> index {
      memref.store %v, %out[%p] : memref<9xi32>
      %k = arith.addi %p, %c1 : index
      scf.yield %k : index
    } else {
      scf.yield %p : index
    }
    scf.yield %q : index
  }
  return %last : index
}

// Both parts of a partition, and the sum of all. 9001 * 9000 / 2 = 40504500.
//
// test: run --entry=partition --arg=iota[9001] --arg=zeros --arg=zeros
// expect: result 0 = 9
// expect: result 1 = 8992
// expect: result 2 = 40504500
// expect: arg 1 = [5, 1029, 2053, 3077, 4101, 5125, 6149, 7173, 8197]
// test: run --entry=partition --arg=iota[2] --arg=zeros --arg=zeros
// expect: result 0 = 0
// expect: result 1 = 2
// expect: result 2 = 1
func.func @partition(%x: memref<?xi32>, %low: memref<9xi32>, %high: memref<8992xi32>) -> (index, index, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %mask = arith.constant 1023 : i32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %c0, %q = %c0, %s = %zero) -> (index, index, i32) {
    %v = memref.load %x[%i] : memref<?xi32>
    %t = arith.addi %s, %v : i32
    %bits = arith.andi %v, %mask : i32
    %c = arith.cmpi eq, %bits, %five : i32
    %k:2 = scf.if %c -> (index, index) {
      memref.store %v, %low[%p] : memref<9xi32>
      %p1 = arith.addi %p, %c1 : index
      scf.yield %p1, %q : index, index
    } else {
      memref.store %v, %high[%q] : memref<8992xi32>
      %q1 = arith.addi %q, %c1 : index
      scf.yield %p, %q1 : index, index
    }
    scf.yield %k#0, %k#1, %t : index, index, i32
  }
  return %r#0, %r#1, %r#2 : index, index, i32
}

// `out[n] = x[i]; if (...) n++;`: the store of an iteration that does not advance the counter is seen only where it is
// the last one.
//
// test: run --entry=without_branches --arg=iota[9001] --arg=zeros
// expect: result 0 = 9
// expect: arg 1 = [5, 1029, 2053, 3077, 4101, 5125, 6149, 7173, 8197, 9000]
// test: run --entry=without_branches --arg=iota[8198] --arg=zeros
// expect: result 0 = 9
// expect: arg 1 = [5, 1029, 2053, 3077, 4101, 5125, 6149, 7173, 8197, 0]
// test: run --entry=without_branches --arg=iota[1] --arg=ones
// expect: result 0 = 0
// expect: arg 1 = [0, 1, 1, 1, 1, 1, 1, 1, 1, 1]
// test: run --entry=without_branches --arg=iota[0] --arg=ones
// expect: arg 1 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
func.func @without_branches(%x: memref<?xi32>, %out: memref<10xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %mask = arith.constant 1023 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %zero) -> i32 {
    %v = memref.load %x[%i] : memref<?xi32>
    %k = arith.index_cast %p : i32 to index
    memref.store %v, %out[%k] : memref<10xi32>
    %bits = arith.andi %v, %mask : i32
    %c = arith.cmpi ne, %bits, %five : i32
    %q = scf.if %c -> i32 {
      scf.yield %p : i32
    } else {
      %p1 = arith.addi %p, %one : i32
      scf.yield %p1 : i32
    }
    scf.yield %q : i32
  }
  return %r : i32
}

// Both counters lie in memory, one in each arm of the condition, and advance in front of the stores.
//
// test: run --entry=counters_in_memory --arg=iota --arg=zeros --arg=zeros --arg=ones
// expect: arg 1 = [5, 1029, 2053, 3077, 4101, 5125, 6149, 7173, 8197]
// expect: arg 3 = [9, 8992]
func.func @counters_in_memory(%x: memref<9001xi32>, %low: memref<9xi32>, %high: memref<8992xi32>, %count: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %mask = arith.constant 1023 : i32
  affine.store %zero, %count[0] : memref<2xi32>
  affine.store %zero, %count[1] : memref<2xi32>
  affine.for %i = 0 to 9001 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %bits = arith.andi %v, %mask : i32
    %c = arith.cmpi eq, %bits, %five : i32
    scf.if %c {
      %p = affine.load %count[0] : memref<2xi32>
      %next = arith.addi %p, %one : i32
      affine.store %next, %count[0] : memref<2xi32>
      %at = arith.index_cast %p : i32 to index
      memref.store %v, %low[%at] : memref<9xi32>
    } else {
      %p = affine.load %count[1] : memref<2xi32>
      %next = arith.addi %p, %one : i32
      affine.store %next, %count[1] : memref<2xi32>
      %at = arith.index_cast %p : i32 to index
      memref.store %v, %high[%at] : memref<8992xi32>
    }
  }
  return
}
