// In the loop of a thread, the first iteration is peeled off where the others have subscripts of the iteration before.
//
// test: opt --affine-substitute-wraparounds

// Along the sides of a polygon: 0 * 3 - k * k, then 1 * 0, 2 * 1 and 3 * 2 less the square of the number before.
// test: run-opt --entry=sides --arg=iota --arg=zeros
// expect: arg 1 = [2, 5, -64510]
func.func @sides(%q: memref<4xi32>, %o: memref<3xi32>) {
  %c3 = arith.constant 3 : index
  affine.for %k = 0 to 3 {
    %start = arith.index_cast %k : index to i32
    %r:2 = affine.for %i = 0 to 4 iter_args(%c = %start, %j = %c3) -> (i32, index) {
      %x = affine.load %q[%i] : memref<4xi32>
      %y = memref.load %q[%j] : memref<4xi32>
      %d = arith.muli %x, %y : i32
      %e = arith.muli %c, %c : i32
      %s = arith.subi %d, %e : i32
      affine.yield %s, %i : i32, index
    }
    affine.store %r#0, %o[%k] : memref<3xi32>
  }
  return
}

// Of a run-time number of sides, which may be 0, in steps, with the last counter behind the loop.
// test: run-opt --entry=open --arg=iota --arg=zeros --arg=zeros --arg=4
// expect: arg 1 = [-7, -2]
// expect: arg 2 = [2, 2]
// test: run-opt --entry=open --arg=iota --arg=zeros --arg=zeros --arg=0
// expect: arg 1 = [0, 1]
// expect: arg 2 = [3, 3]
func.func @open(%q: memref<4xi32>, %o: memref<2xi32>, %l: memref<2xindex>, %n: index) {
  %c3 = arith.constant 3 : index
  affine.for %k = 0 to 2 {
    %start = arith.index_cast %k : index to i32
    %r:2 = affine.for %i = 0 to %n step 2 iter_args(%c = %start, %j = %c3) -> (i32, index) {
      %x = affine.load %q[%i] : memref<4xi32>
      %y = memref.load %q[%j] : memref<4xi32>
      %d = arith.addi %x, %y : i32
      %e = arith.muli %c, %c : i32
      %s = arith.subi %d, %e : i32
      affine.yield %s, %i : i32, index
    }
    affine.store %r#0, %o[%k] : memref<2xi32>
    affine.store %r#1, %l[%k] : memref<2xindex>
  }
  return
}

// Two before: two iterations are peeled off.
// test: run-opt --entry=two_before --arg=iota --arg=zeros
// expect: arg 1 = [-11, -11, -11]
func.func @two_before(%q: memref<4xi32>, %o: memref<3xi32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  affine.for %k = 0 to 3 {
    %start = arith.index_cast %k : index to i32
    %r:3 = affine.for %i = 0 to 4 iter_args(%c = %start, %j = %c3, %h = %c2) -> (i32, index, index) {
      %x = affine.load %q[%i] : memref<4xi32>
      %y = memref.load %q[%h] : memref<4xi32>
      %d = arith.muli %c, %c : i32
      %s = arith.muli %d, %x : i32
      %e = arith.subi %y, %s : i32
      affine.yield %e, %i, %j : i32, index, index
    }
    affine.store %r#0, %o[%k] : memref<3xi32>
  }
  return
}

// The loop is no thread's: a selection would do, but the other value ties its iterations anyway.
func.func @left_alone(%q: memref<4xi32>) -> i32 {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 4 iter_args(%c = %c0, %j = %c3) -> (i32, index) {
    %x = affine.load %q[%i] : memref<4xi32>
    %y = memref.load %q[%j] : memref<4xi32>
    %d = arith.muli %c, %c : i32
    %s = arith.muli %d, %x : i32
    %e = arith.subi %y, %s : i32
    affine.yield %e, %i : i32, index
  }
  return %r#0 : i32
}
