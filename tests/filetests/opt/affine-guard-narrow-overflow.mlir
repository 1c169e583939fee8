// Subscripts that C computes in `int`, with sizes that are arguments: the nest is versioned on a test that no sum or product wraps
// around. Strides of 2^30 do wrap around: then rows of four iterations lie in the same place.
// test: opt --raise-to-affine --affine-guard-narrow-overflow
// test: run-opt --entry=rows --arg=3 --arg=4 --arg=iota[12] --arg=zeros[12]
// expect: arg 3 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]
// test: run-opt --entry=rows --arg=0 --arg=4 --arg=iota[12] --arg=ones[12]
// expect: arg 3 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
// test: run-opt --entry=rows --arg=-2147483648 --arg=2147483647 --arg=iota[2] --arg=ones[2]
// expect: arg 3 = [1, 1]
// test: run-opt --entry=strided --arg=12 --arg=3 --arg=1073741824 --arg=0 --arg=zeros[3]
// expect: arg 4 = [8, 9, 10]
// test: run-opt --entry=strided --arg=12 --arg=3 --arg=-1 --arg=8 --arg=zeros[12]
// expect: arg 4 = [8, 9, 10, 0, 4, 5, 6, 0, 0, 1, 2, 0]
// test: run-opt --entry=images --arg=2 --arg=2 --arg=2 --arg=3 --arg=iota[24] --arg=zeros[24]
// expect: arg 5 = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46]
// test: run-opt --entry=unsigned --arg=2 --arg=3 --arg=zeros[6]
// expect: arg 2 = [0, 1, 2, 3, 4, 5]
// test: run-opt --entry=cut --arg=2 --arg=3 --arg=4 --arg=zeros[6]
// expect: arg 3 = [1, 1, 1, 1, 0, 0]
// test: run-opt --entry=loaded --arg=2 --arg=2 --arg=ones --arg=zeros[8]
// expect: arg 3 = [0, 2, 2, 0, 0, 0, 0, 0]
// test: run --entry=rows --arg=3 --arg=4 --arg=iota[12] --arg=zeros[12]
// test: run --entry=strided --arg=12 --arg=3 --arg=1073741824 --arg=0 --arg=zeros[3]
// test: run --entry=strided --arg=12 --arg=3 --arg=-1 --arg=8 --arg=zeros[12]
// test: run --entry=images --arg=2 --arg=2 --arg=2 --arg=3 --arg=iota[24] --arg=zeros[24]
// test: run --entry=unsigned --arg=2 --arg=3 --arg=zeros[6]
// test: run --entry=cut --arg=2 --arg=3 --arg=4 --arg=zeros[6]
func.func @rows(%m: i32, %n: i32, %x: memref<?xf32>, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %m1 = arith.index_cast %m : i32 to index
  %n1 = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %m1 step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %row = arith.muli %i32, %n : i32
    scf.for %j = %c0 to %n1 step %c1 {
      %j32 = arith.index_cast %j : index to i32
      %s = arith.addi %row, %j32 : i32
      %k = arith.index_cast %s : i32 to index
      %v = memref.load %x[%k] : memref<?xf32>
      %w = arith.mulf %v, %two : f32
      memref.store %w, %o[%k] : memref<?xf32>
    }
  }
  return
}

// Every fourth row, %s apart, begins at %at.
func.func @strided(%m: i32, %n: i32, %s: i32, %at: i32, %o: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m1 = arith.index_cast %m : i32 to index
  %n1 = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %m1 step %c4 {
    %i32 = arith.index_cast %i : index to i32
    scf.for %j = %c0 to %n1 step %c1 {
      %j32 = arith.index_cast %j : index to i32
      %row = arith.muli %i32, %s : i32
      %begin = arith.addi %row, %at : i32
      %place = arith.addi %begin, %j32 : i32
      %k = arith.index_cast %place : i32 to index
      %v = arith.addi %i32, %j32 : i32
      memref.store %v, %o[%k] : memref<?xi32>
    }
  }
  return
}

// Four sizes: ((b * C + c) * H + y) * W + x.
func.func @images(%nb: i32, %nc: i32, %nh: i32, %nw: i32, %x: memref<?xf32>, %o: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b1 = arith.index_cast %nb : i32 to index
  %c2 = arith.index_cast %nc : i32 to index
  %h1 = arith.index_cast %nh : i32 to index
  %w1 = arith.index_cast %nw : i32 to index
  scf.for %b = %c0 to %b1 step %c1 {
    %b32 = arith.index_cast %b : index to i32
    scf.for %c = %c0 to %c2 step %c1 {
      %c32 = arith.index_cast %c : index to i32
      scf.for %y = %c0 to %h1 step %c1 {
        %y32 = arith.index_cast %y : index to i32
        scf.for %z = %c0 to %w1 step %c1 {
          %z32 = arith.index_cast %z : index to i32
          %p0 = arith.muli %b32, %nc : i32
          %p1 = arith.addi %p0, %c32 : i32
          %p2 = arith.muli %p1, %nh : i32
          %p3 = arith.addi %p2, %y32 : i32
          %p4 = arith.muli %p3, %nw : i32
          %p5 = arith.addi %p4, %z32 : i32
          %k = arith.index_cast %p5 : i32 to index
          %v = memref.load %x[%k] : memref<?xf32>
          %w = arith.addf %v, %v : f32
          memref.store %w, %o[%k] : memref<?xf32>
        }
      }
    }
  }
  return
}

// Unsigned integers, which have to be less than 2^31 as well.
func.func @unsigned(%m: i32, %n: i32, %o: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.index_castui %m : i32 to index
  %n1 = arith.index_castui %n : i32 to index
  scf.for %i = %c0 to %m1 step %c1 {
    %i32 = arith.index_castui %i : index to i32
    scf.for %j = %c0 to %n1 step %c1 {
      %j32 = arith.index_castui %j : index to i32
      %row = arith.muli %i32, %n : i32
      %s = arith.addi %row, %j32 : i32
      %k = arith.index_castui %s : i32 to index
      memref.store %s, %o[%k] : memref<?xi32>
    }
  }
  return
}

// The condition is affine too, once nothing wraps around.
func.func @cut(%m: i32, %n: i32, %total: i32, %o: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %m1 = arith.index_cast %m : i32 to index
  %n1 = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %m1 step %c1 {
    %i32 = arith.index_cast %i : index to i32
    scf.for %j = %c0 to %n1 step %c1 {
      %j32 = arith.index_cast %j : index to i32
      %row = arith.muli %i32, %n : i32
      %s = arith.addi %row, %j32 : i32
      %is = arith.cmpi slt, %s, %total : i32
      scf.if %is {
        %k = arith.index_cast %s : i32 to index
        memref.store %one, %o[%k] : memref<?xi32>
      }
    }
  }
  return
}

// The stride is loaded in the outer loop: the test is made in there.
func.func @loaded(%m: i32, %n: i32, %strides: memref<2xi32>, %o: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m1 = arith.index_cast %m : i32 to index
  %n1 = arith.index_cast %n : i32 to index
  scf.for %t = %c0 to %c2 step %c1 {
    %s = memref.load %strides[%t] : memref<2xi32>
    scf.for %i = %c0 to %m1 step %c1 {
      %i32 = arith.index_cast %i : index to i32
      scf.for %j = %c0 to %n1 step %c1 {
        %j32 = arith.index_cast %j : index to i32
        %row = arith.muli %i32, %s : i32
        %place = arith.addi %row, %j32 : i32
        %k = arith.index_cast %place : i32 to index
        %old = memref.load %o[%k] : memref<?xi32>
        %new = arith.addi %old, %i32 : i32
        memref.store %new, %o[%k] : memref<?xi32>
      }
    }
  }
  return
}

// A hash wraps around on purpose: no test.
func.func @hash(%n: i32, %x: memref<?xi32>, %o: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %factor = arith.constant -1640531527 : i32
  %mask = arith.constant 15 : i32
  %one = arith.constant 1 : i32
  %n1 = arith.index_cast %n : i32 to index
  scf.for %i = %c0 to %n1 step %c1 {
    %i32 = arith.index_cast %i : index to i32
    %p = arith.muli %i32, %factor : i32
    %q = arith.andi %p, %mask : i32
    %k = arith.index_cast %q : i32 to index
    memref.store %one, %o[%k] : memref<16xi32>
  }
  return
}
