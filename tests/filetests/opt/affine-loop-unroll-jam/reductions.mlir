// test: opt --affine-loop-unroll-jam=unroll-jam-factor=2
// test: run-opt --entry=sum --arg=iota --arg=5
// expect: result 0 = 440
// test: run-opt --entry=greatest --arg=random:1 --arg=-2.0
// test: run-opt --entry=open --arg=iota[3x4]

// The second row of each pair sums from 0; both sums are added, and the last row goes on from there.
func.func @sum(%a: memref<5x6xi32>, %from: i32) -> i32 {
  %r = affine.for %i = 0 to 5 iter_args(%s = %from) -> i32 {
    %q = affine.for %j = 0 to 6 iter_args(%t = %s) -> i32 {
      %x = affine.load %a[%i, %j] : memref<5x6xi32>
      %u = arith.addi %t, %x : i32
      affine.yield %u : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}

// The greatest number is the same in any order.
func.func @greatest(%a: memref<4x4xf32>, %from: f32) -> f32 {
  %r = affine.for %i = 0 to 4 iter_args(%s = %from) -> f32 {
    %q = affine.for %j = 0 to 4 iter_args(%t = %s) -> f32 {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      %u = arith.maximumf %t, %x : f32
      affine.yield %u : f32
    }
    affine.yield %q : f32
  }
  return %r : f32
}

// Two values; as many rows as the argument has.
func.func @open(%a: memref<?x4xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x4xi32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to %n iter_args(%s = %zero, %p = %one) -> (i32, i32) {
    %q:2 = affine.for %j = 0 to 4 iter_args(%t = %s, %o = %p) -> (i32, i32) {
      %x = affine.load %a[%i, %j] : memref<?x4xi32>
      %u = arith.addi %t, %x : i32
      %v = arith.muli %o, %x : i32
      affine.yield %u, %v : i32, i32
    }
    affine.yield %q#0, %q#1 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
