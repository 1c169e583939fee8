// Solvers whose steps depend on each other, which one workgroup runs. The values are Python's.
// test: run --entry=forward --arg=iota --arg=iota
// expect: arg 1 = [0, 1, 5, -2, 12, -16, -9, 61, -2, -135, 103, -275, 579, 684, -2823, 985, 9182, -8171, 12668, -20925, -46104, 167361, -43794, -500950]
// test: run --entry=seidel --arg=iota --arg=zeros
// expect: result 0 = -609485260
// test: run --entry=tridiagonal --arg=iota
// expect: arg 0 = [[141, 4, 1], [141, 3, -1], [138, -3, 8], [135, 13, 3], [123, 3, 0], [111, -3, 17], [108, 22, 3], [87, 3, 0], [66, -3, 26], [63, 31, 3], [33, 3, 0], [3, 37, 35]]

// x[t] is done after step t; the matrix is (24 i + j) mod 7 - 3, with a unit diagonal.
func.func @forward(%l: memref<24x24xi32>, %x: memref<24xi32>) {
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  affine.for %t = 0 to 24 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%t) to 24 {
      %n = affine.load %l[%i, %t] : memref<24x24xi32>
      %r = arith.remsi %n, %seven : i32
      %a = arith.subi %r, %three : i32
      %b = affine.load %x[%t] : memref<24xi32>
      %p = arith.muli %a, %b : i32
      %c = affine.load %x[%i] : memref<24xi32>
      %u = arith.subi %c, %p : i32
      affine.store %u, %x[%i] : memref<24xi32>
    }
  }
  return
}

// Three sweeps of Gauss-Seidel with a dense matrix, (100 i + j) mod 11 - 5: x[i] = i - sum a[i, j] x[j]. The
// result is the polynomial of the unknowns at 31.
func.func @seidel(%n: memref<100x100xi32>, %x: memref<100xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %eleven = arith.constant 11 : i32
  %base = arith.constant 31 : i32
  affine.for %t = 0 to 3 {
    affine.for %i = 0 to 100 {
      %s = affine.for %j = 0 to 100 iter_args(%acc = %zero) -> i32 {
        %m = affine.load %n[%i, %j] : memref<100x100xi32>
        %r = arith.remsi %m, %eleven : i32
        %a = arith.subi %r, %five : i32
        %b = affine.load %x[%j] : memref<100xi32>
        %p = arith.muli %a, %b : i32
        %next = arith.addi %acc, %p : i32
        affine.yield %next : i32
      }
      %k = arith.index_cast %i : index to i32
      %u = arith.subi %k, %s : i32
      affine.store %u, %x[%i] : memref<100xi32>
    }
  }
  %sum = affine.for %i = 0 to 100 iter_args(%acc = %zero) -> i32 {
    %b = affine.load %x[%i] : memref<100xi32>
    %p = arith.muli %acc, %base : i32
    %next = arith.addi %p, %b : i32
    affine.yield %next : i32
  }
  return %sum : i32
}

// Three tridiagonal systems without a division: forwards d[i] -= ((i + s) mod 3 - 1) d[i - 1], backwards
// d[i] -= (i s mod 3 - 1) d[i + 1].
func.func @tridiagonal(%d: memref<12x3xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to 12 {
    affine.for %s = 0 to 3 {
      %k = affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod 3 - 1)>(%i, %s)
      %a = arith.index_cast %k : index to i32
      %b = affine.load %d[%i - 1, %s] : memref<12x3xi32>
      %p = arith.muli %a, %b : i32
      %c = affine.load %d[%i, %s] : memref<12x3xi32>
      %u = arith.subi %c, %p : i32
      affine.store %u, %d[%i, %s] : memref<12x3xi32>
    }
  }
  %three = arith.constant 3 : i32
  affine.for %t = 0 to 11 {
    affine.for %s = 0 to 3 {
      %at = affine.apply affine_map<(d0) -> (10 - d0)>(%t)
      %i = arith.index_cast %at : index to i32
      %j = arith.index_cast %s : index to i32
      %is = arith.muli %i, %j : i32
      %r = arith.remsi %is, %three : i32
      %a = arith.subi %r, %one : i32
      %b = affine.load %d[11 - %t, %s] : memref<12x3xi32>
      %p = arith.muli %a, %b : i32
      %c = affine.load %d[10 - %t, %s] : memref<12x3xi32>
      %u = arith.subi %c, %p : i32
      affine.store %u, %d[10 - %t, %s] : memref<12x3xi32>
    }
  }
  return
}
