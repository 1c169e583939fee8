// Shifts of narrow integers in subscripts, as C has them: bits of a map, of words with a sign, and a shift to the left that fits its type. One
// that may not fit stays.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=bits --arg=ones --arg=zeros
// expect: arg 1 = [15, 15, 3]
// test: run-opt --entry=signed --arg=iota --arg=zeros
// expect: arg 1 = [1, 3, 5]
// test: run-opt --entry=left --arg=iota --arg=zeros
// expect: arg 1 = [0, 4]
func.func @bits(%f: memref<10xi32>, %w: memref<3xi32>) {
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  affine.for %i = 0 to 10 {
    %n = arith.index_cast %i : index to i32
    %v = affine.load %f[%i] : memref<10xi32>
    %s = arith.andi %n, %c3 : i32
    %z = arith.shli %v, %s : i32
    %k = arith.shrui %n, %c2 : i32
    %q = arith.index_castui %k : i32 to index
    %o = memref.load %w[%q] : memref<3xi32>
    %r = arith.ori %o, %z : i32
    memref.store %r, %w[%q] : memref<3xi32>
  }
  return
}

func.func @signed(%x: memref<6xi32>, %y: memref<3xi32>) {
  %c1 = arith.constant 1 : i32
  %one = arith.constant 1 : index
  affine.for %i = -4 to 2 {
    %n = arith.index_cast %i : index to i32
    %v = affine.load %x[%i + 4] : memref<6xi32>
    %k = arith.shrsi %n, %c1 : i32
    %q = arith.index_cast %k : i32 to index
    %at = affine.apply affine_map<(d0) -> (d0 + 2)>(%q)
    memref.store %v, %y[%at] : memref<3xi32>
  }
  return
}

func.func @left(%x: memref<8xi32>, %y: memref<2xi32>) {
  %c2 = arith.constant 2 : i32
  affine.for %i = 0 to 2 {
    %n = arith.index_cast %i : index to i32
    %k = arith.shli %n, %c2 : i32
    %q = arith.index_cast %k : i32 to index
    %v = memref.load %x[%q] : memref<8xi32>
    affine.store %v, %y[%i] : memref<2xi32>
  }
  return
}

func.func @may_wrap(%x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c4 = arith.constant 4 : i8
  affine.for %i = 0 to %n {
    %b = arith.index_cast %i : index to i8
    %k = arith.shli %b, %c4 : i8
    %q = arith.index_cast %k : i8 to index
    %v = memref.load %x[%q] : memref<?xi32>
    affine.store %v, %y[%i] : memref<?xi32>
  }
  return
}
