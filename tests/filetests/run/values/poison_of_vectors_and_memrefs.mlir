// Poison of a vector type, into which elements are inserted, and of a memref type, as
// `lift-cf-to-scf` of MLIR begins what a loop carries with.
// test: run --entry=rows --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 11, 18, 17, 16, 15]
// test: run --entry=steps --arg=iota --arg=3
// expect: arg 0 = [0, 8, 16, 24, 32, 40]
// test: run --entry=unused --arg=1
// expect: result 0 = 4
func.func @rows(%a: memref<4x4xf32>, %o: memref<4x4xf32>) {
  %none = ub.poison : vector<4xf32>
  %c3 = arith.constant 3.0 : f32
  affine.for %i = 0 to 4 {
    %x = affine.for %j = 0 to 4 iter_args(%v = %none) -> vector<4xf32> {
      %e = affine.load %a[%i, %j] : memref<4x4xf32>
      %w = vector.insert %e, %v [%j] : f32 into vector<4xf32>
      affine.yield %w : vector<4xf32>
    }
    %r = vector.shuffle %x, %x [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
    %threes = vector.broadcast %c3 : f32 to vector<4xf32>
    %s = arith.addf %r, %threes : vector<4xf32>
    %y = affine.if affine_set<(i) : (i mod 2 == 0)>(%i) -> vector<4xf32> {
      affine.yield %x : vector<4xf32>
    } else {
      affine.yield %s : vector<4xf32>
    }
    affine.vector_store %y, %o[%i, 0] : memref<4x4xf32>, vector<4xf32>
  }
  return
}
func.func @steps(%a: memref<6xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = ub.poison : memref<6xi32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%m = %none) -> memref<6xi32> {
    affine.for %j = 0 to 6 {
      %v = affine.load %a[%j] : memref<6xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %a[%j] : memref<6xi32>
    }
    scf.yield %a : memref<6xi32>
  }
  return
}
func.func @unused(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %f = arith.constant 4.0 : f32
  %a = memref.alloca() : memref<1xf32>
  memref.store %f, %a[%c0] : memref<1xf32>
  %none = ub.poison : memref<1xf32>
  %m = scf.if %c -> memref<1xf32> {
    scf.yield %a : memref<1xf32>
  } else {
    scf.yield %none : memref<1xf32>
  }
  %v = memref.load %m[%c0] : memref<1xf32>
  return %v : f32
}
