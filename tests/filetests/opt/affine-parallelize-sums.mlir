// test: opt --affine-parallelize=parallel-reductions
// test: run-opt --entry=sum --arg=iota --arg=100
// expect: result 0 = 145
// expect: result 1 = 1021
// test: run-opt --entry=rows --arg=random:1 --arg=zeros
// test: run-opt --entry=kept --arg=random:1
// test: run-opt --entry=shared --arg=random:1 --arg=zeros
// remark: 42:8: this loop stays sequential: it carries a value that is not a reduction of affine.parallel, which combines values in any order
// remark: 53:8: this loop stays sequential: its iterations are ordered by an output dependence

// A sum from %from, and the bits of the squares and of 900: 900 is 0b1110000100, the squares
// below 100 set the seven lower bits but the second, which no square has.
func.func @sum(%a: memref<10xi32>, %from: i32) -> (i32, i32) {
  %least = arith.constant 900 : i32
  %r:2 = affine.for %i = 0 to 10 iter_args(%s = %from, %g = %least) -> (i32, i32) {
    %x = affine.load %a[%i] : memref<10xi32>
    %t = arith.addi %s, %x : i32
    %q = arith.muli %x, %x : i32
    %h = arith.ori %g, %q : i32
    affine.yield %t, %h : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// Both loops: the rows, and the greatest element of each.
func.func @rows(%a: memref<4x6xf32>, %m: memref<4xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 4 {
    %r = affine.for %j = 0 to 6 iter_args(%g = %z) -> f32 {
      %x = affine.load %a[%i, %j] : memref<4x6xf32>
      %h = arith.maximumf %g, %x : f32
      affine.yield %h : f32
    }
    affine.store %r, %m[%i] : memref<4xf32>
  }
  return
}

// Sums of floats keep their order.
func.func @kept(%a: memref<10xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> f32 {
    %x = affine.load %a[%i] : memref<10xf32>
    %t = arith.addf %s, %x : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// The iterations write one element besides.
func.func @shared(%a: memref<10xi32>, %last: memref<i32>) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 0 to 10 iter_args(%s = %z) -> i32 {
    %x = affine.load %a[%i] : memref<10xi32>
    affine.store %x, %last[] : memref<i32>
    %t = arith.addi %s, %x : i32
    affine.yield %t : i32
  }
  return %r : i32
}
