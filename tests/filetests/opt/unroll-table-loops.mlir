// test: opt --unroll-table-loops
// test: run-opt --entry=streams --arg=iota --arg=zeros
// expect: arg 1 = [[[0, 0, 0, 0, 0, 0, 0], [0, 8, 9, 10, 11, 12, 0], [0, 15, 16, 17, 18, 19, 0], [0, 22, 23, 24, 25, 26, 0], [0, 29, 30, 31, 32, 33, 0], [0, 0, 0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0], [0, 0, 8, 9, 10, 11, 12], [0, 0, 15, 16, 17, 18, 19], [0, 0, 22, 23, 24, 25, 26], [0, 0, 29, 30, 31, 32, 33], [0, 0, 0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 8, 9, 10, 11, 12, 0], [0, 15, 16, 17, 18, 19, 0], [0, 22, 23, 24, 25, 26, 0], [0, 29, 30, 31, 32, 33, 0]], [[8, 9, 10, 11, 12, 0, 0], [15, 16, 17, 18, 19, 0, 0], [22, 23, 24, 25, 26, 0, 0], [29, 30, 31, 32, 33, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]]]
// test: run-opt --entry=streams_in_scf --arg=iota --arg=zeros
// expect: result 0 = 1640
// expect: arg 1 = [[[0, 0, 0, 0, 0, 0, 0], [0, 8, 9, 10, 11, 12, 0], [0, 15, 16, 17, 18, 19, 0], [0, 22, 23, 24, 25, 26, 0], [0, 29, 30, 31, 32, 33, 0], [0, 0, 0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0], [0, 0, 8, 9, 10, 11, 12], [0, 0, 15, 16, 17, 18, 19], [0, 0, 22, 23, 24, 25, 26], [0, 0, 29, 30, 31, 32, 33], [0, 0, 0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 8, 9, 10, 11, 12, 0], [0, 15, 16, 17, 18, 19, 0], [0, 22, 23, 24, 25, 26, 0], [0, 29, 30, 31, 32, 33, 0]], [[8, 9, 10, 11, 12, 0, 0], [15, 16, 17, 18, 19, 0, 0], [22, 23, 24, 25, 26, 0, 0], [29, 30, 31, 32, 33, 0, 0], [0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]]]
// test: run-opt --entry=left_as_an_update --arg=iota --arg=zeros
// expect: arg 1 = [[8, 9, 10, 11, 12, 0, 0], [15, 24, 34, 37, 40, 23, 12], [22, 46, 64, 68, 72, 49, 19], [29, 67, 92, 96, 100, 70, 26], [0, 51, 82, 85, 88, 91, 33], [0, 29, 30, 31, 32, 33, 0]]
// test: run-opt --entry=left_of_a_variable --arg=iota --arg=zeros
// expect: arg 1 = [[0, 0, 0, 0, 0, 0, 0], [8, 9, 10, 11, 12, 12, 12], [15, 16, 17, 18, 19, 19, 19], [22, 23, 24, 25, 26, 26, 26], [29, 30, 31, 32, 33, 33, 33], [0, 0, 0, 0, 0, 0, 0]]
// test: run-opt --entry=left_where_it_loads --arg=iota --arg=zeros
// expect: arg 1 = [[0, 0, 0, 0, 0, 0, 0], [0, 32, 36, 40, 44, 48, 0], [0, 60, 64, 68, 72, 76, 0], [0, 88, 92, 96, 100, 104, 0], [0, 116, 120, 124, 128, 132, 0], [0, 0, 0, 0, 0, 0, 0]]
// The expected values are those of the same loops in NumPy.

memref.global "private" constant @dx : memref<4xi32> = dense<[0, 1, 0, -1]>
memref.global "private" constant @dy : memref<4xi32> = dense<[0, 0, 1, -1]>
memref.global "private" @variable : memref<4xi32> = dense<[0, 1, 0, 0]>

// Each direction has elements of its own.
func.func @streams(%a: memref<6x7xi32>, %out: memref<4x6x7xi32>) {
  %from, %to = memref.distinct_objects %a, %out : memref<6x7xi32>, memref<4x6x7xi32>
  %tx = memref.get_global @dx : memref<4xi32>
  %ty = memref.get_global @dy : memref<4xi32>
  affine.for %y = 1 to 5 {
    affine.for %x = 1 to 6 {
      affine.for %k = 0 to 4 {
        %p = affine.load %tx[%k] : memref<4xi32>
        %q = affine.load %ty[%k] : memref<4xi32>
        %r = arith.index_cast %p : i32 to index
        %s = arith.index_cast %q : i32 to index
        %xx = arith.addi %x, %r : index
        %yy = arith.addi %y, %s : index
        %v = affine.load %from[%y, %x] : memref<6x7xi32>
        memref.store %v, %to[%k, %yy, %xx] : memref<4x6x7xi32>
      }
    }
  }
  return
}

// The same as a C compiler's front end writes it, with a value that the loop carries.
func.func @streams_in_scf(%a: memref<6x7xi32>, %out: memref<4x6x7xi32>) -> i32 {
  %from, %to = memref.distinct_objects %a, %out : memref<6x7xi32>, memref<4x6x7xi32>
  %tx = memref.get_global @dx : memref<4xi32>
  %ty = memref.get_global @dy : memref<4xi32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %all = scf.for %y = %c1 to %c5 step %c1 iter_args(%i = %c0) -> i32 : i32 {
    %row = scf.for %x = %c1 to %c6 step %c1 iter_args(%j = %i) -> i32 : i32 {
      %yi = arith.index_cast %y : i32 to index
      %xi = arith.index_cast %x : i32 to index
      %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %j) -> i32 : i32 {
        %ki = arith.index_cast %k : i32 to index
        %p = memref.load %tx[%ki] : memref<4xi32>
        %q = memref.load %ty[%ki] : memref<4xi32>
        %xx = arith.addi %x, %p : i32
        %yy = arith.addi %y, %q : i32
        %xxi = arith.index_cast %xx : i32 to index
        %yyi = arith.index_cast %yy : i32 to index
        %v = memref.load %from[%yi, %xi] : memref<6x7xi32>
        memref.store %v, %to[%ki, %yyi, %xxi] : memref<4x6x7xi32>
        %u = arith.addi %t, %v : i32
        scf.yield %u : i32
      }
      scf.yield %sum : i32
    }
    scf.yield %row : i32
  }
  return %all : i32
}

// Updates become atomic as they are.
func.func @left_as_an_update(%a: memref<6x7xi32>, %out: memref<6x7xi32>) {
  %from, %to = memref.distinct_objects %a, %out : memref<6x7xi32>, memref<6x7xi32>
  %tx = memref.get_global @dx : memref<4xi32>
  %ty = memref.get_global @dy : memref<4xi32>
  affine.for %y = 1 to 5 {
    affine.for %x = 1 to 6 {
      affine.for %k = 0 to 4 {
        %p = affine.load %tx[%k] : memref<4xi32>
        %q = affine.load %ty[%k] : memref<4xi32>
        %r = arith.index_cast %p : i32 to index
        %s = arith.index_cast %q : i32 to index
        %xx = arith.addi %x, %r : index
        %yy = arith.addi %y, %s : index
        %v = affine.load %from[%y, %x] : memref<6x7xi32>
        %o = memref.load %to[%yy, %xx] : memref<6x7xi32>
        %n = arith.addi %o, %v : i32
        memref.store %n, %to[%yy, %xx] : memref<6x7xi32>
      }
    }
  }
  return
}

// What a variable holds is not known before the run.
func.func @left_of_a_variable(%a: memref<6x7xi32>, %out: memref<6x7xi32>) {
  %from, %to = memref.distinct_objects %a, %out : memref<6x7xi32>, memref<6x7xi32>
  %minus = arith.constant -1 : i32
  %tx = memref.get_global @variable : memref<4xi32>
  affine.store %minus, %tx[3] : memref<4xi32>
  affine.for %y = 1 to 5 {
    affine.for %x = 1 to 6 {
      affine.for %k = 0 to 4 {
        %p = affine.load %tx[%k] : memref<4xi32>
        %r = arith.index_cast %p : i32 to index
        %xx = arith.addi %x, %r : index
        %v = affine.load %from[%y, %x] : memref<6x7xi32>
        memref.store %v, %to[%y, %xx] : memref<6x7xi32>
      }
    }
  }
  return
}

// Loads at such offsets tie no iterations.
func.func @left_where_it_loads(%a: memref<6x7xi32>, %out: memref<6x7xi32>) {
  %from, %to = memref.distinct_objects %a, %out : memref<6x7xi32>, memref<6x7xi32>
  %tx = memref.get_global @dx : memref<4xi32>
  %ty = memref.get_global @dy : memref<4xi32>
  %zero = arith.constant 0 : i32
  affine.for %y = 1 to 5 {
    affine.for %x = 1 to 6 {
      %sum = affine.for %k = 0 to 4 iter_args(%t = %zero) -> i32 {
        %p = affine.load %tx[%k] : memref<4xi32>
        %q = affine.load %ty[%k] : memref<4xi32>
        %r = arith.index_cast %p : i32 to index
        %s = arith.index_cast %q : i32 to index
        %xx = arith.addi %x, %r : index
        %yy = arith.addi %y, %s : index
        %v = memref.load %from[%yy, %xx] : memref<6x7xi32>
        %u = arith.addi %t, %v : i32
        affine.yield %u : i32
      }
      affine.store %sum, %to[%y, %x] : memref<6x7xi32>
    }
  }
  return
}
