// Ordered comparisons with a NaN are false, unordered ones true; maximumf keeps it, maxnumf does not.
//
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [nan, 1, nan, 1]
// expect: arg 1 = [0, 1, 0, 1]
func.func @f(%y: memref<4xf32>, %c: memref<4xi32>) {
  %quiet = arith.constant 0x7fc00000 : i32
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 4 {
    %i32 = arith.index_cast %i : index to i32
    // Made from bits: what arithmetic yields NaN is another question.
    %bits = arith.addi %i32, %quiet : i32
    %nan = arith.bitcast %bits : i32 to f32
    %r = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> f32 {
      %keeps = arith.maximumf %nan, %one : f32
      affine.yield %keeps : f32
    } else {
      %drops = arith.maxnumf %nan, %one : f32
      affine.yield %drops : f32
    }
    affine.store %r, %y[%i] : memref<4xf32>
    %k = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> i1 {
      %ordered = arith.cmpf olt, %nan, %one : f32
      affine.yield %ordered : i1
    } else {
      %unordered = arith.cmpf ult, %nan, %one : f32
      affine.yield %unordered : i1
    }
    %word = arith.extui %k : i1 to i32
    affine.store %word, %c[%i] : memref<4xi32>
  }
  return
}
