// test: opt --affine-if-conversion

// Each arm advances a counter of its own.
// test: run-opt --entry=partition --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [1, 3, 5, 0, 0, 0]
// expect: arg 2 = [0, 2, 4, 0, 0, 0]
// expect: result 0 = 3
// expect: result 1 = 3
func.func @partition(%x: memref<6xi32>, %odd: memref<6xi32>, %even: memref<6xi32>) -> (index, index) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = affine.for %i = 0 to 6 iter_args(%m = %c0, %k = %c0) -> (index, index) {
    %v = affine.load %x[%i] : memref<6xi32>
    %low = arith.andi %v, %one : i32
    %is_odd = arith.cmpi ne, %low, %zero : i32
    %next:2 = scf.if %is_odd -> (index, index) {
      memref.store %v, %odd[%m] : memref<6xi32>
      %n = arith.addi %m, %c1 : index
      scf.yield %n, %k : index, index
    } else {
      memref.store %v, %even[%k] : memref<6xi32>
      %n = arith.addi %k, %c1 : index
      scf.yield %m, %n : index, index
    }
    affine.yield %next#0, %next#1 : index, index
  }
  return %r#0, %r#1 : index, index
}

// The counter in memory is loaded for the subscript and again for the sum.
// test: run-opt --entry=queue --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [1, 3, 5, 0, 0, 0]
// expect: arg 2 = [3]
func.func @queue(%x: memref<6xi32>, %out: memref<6xi32>, %count: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %apart:3 = memref.distinct_objects %x, %out, %count : memref<6xi32>, memref<6xi32>, memref<1xi32>
  affine.for %i = 0 to 6 {
    %v = affine.load %apart#0[%i] : memref<6xi32>
    %low = arith.andi %v, %one : i32
    %is_odd = arith.cmpi ne, %low, %zero : i32
    scf.if %is_odd {
      %n = affine.load %apart#2[0] : memref<1xi32>
      %k = arith.index_cast %n : i32 to index
      memref.store %v, %apart#1[%k] : memref<6xi32>
      %again = affine.load %apart#2[0] : memref<1xi32>
      %m = arith.addi %again, %one : i32
      affine.store %m, %apart#2[0] : memref<1xi32>
    }
  }
  return
}

// What is loaded behind the store of the sum has advanced: the branch stays.
// test: run-opt --entry=behind --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 1, 3, 5, 0, 0]
func.func @behind(%x: memref<6xi32>, %out: memref<6xi32>, %count: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %apart:3 = memref.distinct_objects %x, %out, %count : memref<6xi32>, memref<6xi32>, memref<1xi32>
  affine.for %i = 0 to 6 {
    %v = affine.load %apart#0[%i] : memref<6xi32>
    %low = arith.andi %v, %one : i32
    %is_odd = arith.cmpi ne, %low, %zero : i32
    scf.if %is_odd {
      %n = affine.load %apart#2[0] : memref<1xi32>
      %m = arith.addi %n, %one : i32
      affine.store %m, %apart#2[0] : memref<1xi32>
      %again = affine.load %apart#2[0] : memref<1xi32>
      %k = arith.index_cast %again : i32 to index
      memref.store %v, %apart#1[%k] : memref<6xi32>
    }
  }
  return
}

// Both counters lie in memory.
// test: run-opt --entry=in_memory --arg=iota --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [1, 3, 5, 0, 0, 0]
// expect: arg 2 = [0, 2, 4, 0, 0, 0]
// expect: arg 3 = [3, 3]
func.func @in_memory(%x: memref<6xi32>, %odd: memref<6xi32>, %even: memref<6xi32>, %count: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %d:4 = memref.distinct_objects %x, %odd, %even, %count : memref<6xi32>, memref<6xi32>, memref<6xi32>, memref<2xi32>
  affine.for %i = 0 to 6 {
    %v = affine.load %d#0[%i] : memref<6xi32>
    %low = arith.andi %v, %one : i32
    %is_odd = arith.cmpi ne, %low, %zero : i32
    scf.if %is_odd {
      %m = affine.load %d#3[0] : memref<2xi32>
      %n = arith.addi %m, %one : i32
      affine.store %n, %d#3[0] : memref<2xi32>
      %at = arith.index_cast %m : i32 to index
      memref.store %v, %d#1[%at] : memref<6xi32>
    } else {
      %m = affine.load %d#3[1] : memref<2xi32>
      %n = arith.addi %m, %one : i32
      affine.store %n, %d#3[1] : memref<2xi32>
      %at = arith.index_cast %m : i32 to index
      memref.store %v, %d#2[%at] : memref<6xi32>
    }
  }
  return
}
