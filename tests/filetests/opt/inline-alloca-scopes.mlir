// Scopes of stack memory in loops are inlined, so that the loops are mapped; where memory would
// gather, they stay.
// test: opt --inline-alloca-scopes
// test: run --entry=reversed --arg=iota --arg=zeros
// expect: arg 1 = [2, 5, 8, 11]
// test: run --entry=nested --arg=iota --arg=zeros
// expect: arg 1 = [1, 2, 3, 4]
// test: run --entry=until_small --arg=100
// expect: result 0 = 6
func.func @reversed(%a: memref<4x3xf32>, %s: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %z = memref.alloca_scope -> (f32) {
      %t = memref.alloca() : memref<3xf32>
      affine.for %j = 0 to 3 {
        %u = affine.load %a[%i, %j] : memref<4x3xf32>
        affine.store %u, %t[2 - %j] : memref<3xf32>
      }
      %v = affine.load %t[0] : memref<3xf32>
      memref.alloca_scope.return %v : f32
    }
    affine.store %z, %s[%i] : memref<4xf32>
  }
  return
}
func.func @nested(%a: memref<4xi32>, %s: memref<4xi32>) {
  %one = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (4) {
    %x, %y = memref.alloca_scope -> (i32, i32) {
      %z = memref.alloca_scope -> (i32) {
        %t = memref.alloca() : memref<i32>
        %u = affine.load %a[%i] : memref<4xi32>
        memref.store %u, %t[] : memref<i32>
        %v = memref.load %t[] : memref<i32>
        memref.alloca_scope.return %v : i32
      }
      %w = arith.addi %z, %one : i32
      memref.alloca_scope.return %z, %w : i32, i32
    }
    affine.store %y, %s[%i] : memref<4xi32>
  }
  return
}
func.func @until_small(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%x = %n, %k = %zero) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi sgt, %x, %one : i32
    scf.condition(%go) %x, %k : i32, i32
  } do {
  ^bb0(%x: i32, %k: i32):
    %h = memref.alloca_scope -> (i32) {
      %t = memref.alloca() : memref<i32>
      %y = arith.shrui %x, %one : i32
      memref.store %y, %t[] : memref<i32>
      %z = memref.load %t[] : memref<i32>
      memref.alloca_scope.return %z : i32
    }
    %k1 = arith.addi %k, %one : i32
    scf.yield %h, %k1 : i32, i32
  }
  return %r#1 : i32
}
