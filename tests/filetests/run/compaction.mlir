// Stream compaction: elements that a predicate takes, one behind the other. The counter lies in memory.
//
// test: run --entry=in_memory --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [5, 1029, 2053, 3077, 4101, 5125, 6149, 7173, 8197]
// expect: arg 2 = [9]
func.func @in_memory(%x: memref<9001xi32>, %out: memref<9xi32>, %count: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 1023 : i32
  %five = arith.constant 5 : i32
  affine.store %zero, %count[0] : memref<1xi32>
  affine.for %i = 0 to 9001 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %low = arith.andi %v, %mask : i32
    %c = arith.cmpi eq, %low, %five : i32
    scf.if %c {
      %n = affine.load %count[0] : memref<1xi32>
      %k = arith.index_cast %n : i32 to index
      memref.store %v, %out[%k] : memref<9xi32>
      %m = arith.addi %n, %one : i32
      affine.store %m, %count[0] : memref<1xi32>
    }
  }
  return
}

// The loop carries the counter, which starts at 1 and advances where the condition does not hold; the
// element and its place go to arrays of their own. Sizes are open.
//
// test: run --entry=in_values --arg=iota[9001] --arg=zeros[6] --arg=zeros[6]
// expect: result 0 = 6
// expect: arg 1 = [0, 0, 2048, 4096, 6144, 8192]
// expect: arg 2 = [0, 0, 4096, 8192, 12288, 16384]
// test: run --map-for=gpu --entry=in_values --arg=iota[9001] --arg=zeros[6] --arg=zeros[6]
// expect: result 0 = 6
// expect: arg 1 = [0, 0, 2048, 4096, 6144, 8192]
// expect: arg 2 = [0, 0, 4096, 8192, 12288, 16384]
// test: run --entry=in_values --arg=iota[7001] --arg=zeros[5] --arg=zeros[5]
// expect: result 0 = 5
// test: run --entry=in_values --arg=iota[0] --arg=zeros[1] --arg=zeros[1]
// expect: result 0 = 1
func.func @in_values(%x: memref<?xi64>, %out: memref<?xi64>, %twice: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %mask = arith.constant 2047 : i64
  %zero = arith.constant 0 : i64
  %size = memref.dim %x, %c0 : memref<?xi64>
  %last = affine.for %i = 0 to %size iter_args(%n = %one) -> index {
    %v = affine.load %x[%i] : memref<?xi64>
    %low = arith.andi %v, %mask : i64
    %c = arith.cmpi ne, %low, %zero : i64
    %m = scf.if %c -> index {
      scf.yield %n : index
    } else {
      memref.store %v, %out[%n] : memref<?xi64>
      %d = arith.muli %i, %two : index
      memref.store %d, %twice[%n] : memref<?xindex>
      %k = arith.addi %n, %one : index
      scf.yield %k : index
    }
    affine.yield %m : index
  }
  return %last : index
}

// In place: the iteration that stores is not the one that loads the element.
//
// test: run --entry=in_place --arg=iota
// expect: arg 0 = [0, 3, 6, 9, 4, 5, 6, 7, 8, 9, 10, 11]
func.func @in_place(%x: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 12 iter_args(%n = %c0) -> index {
    %v = affine.load %x[%i] : memref<12xi32>
    %r = arith.remui %v, %three : i32
    %c = arith.cmpi eq, %r, %zero : i32
    %m = scf.if %c -> index {
      memref.store %v, %x[%n] : memref<12xi32>
      %k = arith.addi %n, %one : index
      scf.yield %k : index
    } else {
      scf.yield %n : index
    }
    affine.yield %m : index
  }
  return
}
