// The standard dialect with and without its prefix; affine operations.
#shift = (d0)[s0] -> (d0 + s0)
#inside = (d0) : (d0 - 1 >= 0)
module attributes {tool.versions = {producer = 3}} {
  func @f(%A: memref<100xf32>, %n: index, %v: vector<4xf32>) -> (f32, index) {
    %c0 = constant 0 : index
    %zero = constant dense<0.0> : vector<4xf32>
    %one = std.constant 1.0 : f32
    affine.for %i = 0 to 100 {
      %x = affine.load %A[%i + symbol(%n) - 1] : memref<100xf32>
      %y = std.addf %x, %one : f32
      affine.if #inside(%i) {
        affine.store %y, %A[%i] : memref<100xf32>
      } else {
        affine.terminator
      }
      affine.terminator
    }
    %m = affine.min (d0)[s0] -> (d0, s0, 100) (%n)[%n]
    %d = dim %A, %c0 : memref<100xf32>
    %r = affine.apply #shift(%d)[%n]
    %c = cmpi "sge", %r, %m : index
    %o = cmpf "olt", %one, %one : f32
    %s = select %c, %zero, %v : vector<4xf32>
    %e = extract_element %s[%c0] : vector<4xf32>
    %w = index_cast %r : index to i64
    %fp = sitofp %w : i64 to f32
    %both = and %c, %o : i1
    cond_br %both, ^bb1, ^bb2(%e : f32)
  ^bb1:
    %k = divi_signed %w, %w : i64
    %rank = rank %A : memref<100xf32>
    br ^bb2(%fp : f32)
  ^bb2(%res: f32):
    return %res, %r : f32, index
  }
  func @"odd name"()
  func @function_values() -> ((i32) -> i32) {
    %f = constant @id : (i32) -> i32
    %c = constant 5 : i32
    %r = call_indirect %f(%c) : (i32) -> i32
    return %f : (i32) -> i32
  }
  func @id(%x: i32) -> i32 { return %x : i32 }
}
// today:
module attributes {tool.versions = {producer = 3}} {
  func.func @f(%A: memref<100xf32>, %n: index, %v: vector<4xf32>) -> (f32, index) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %one = arith.constant 1.0 : f32
    affine.for %i = 0 to 100 {
      %x = affine.load %A[%i + symbol(%n) - 1] : memref<100xf32>
      %y = arith.addf %x, %one : f32
      affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
        affine.store %y, %A[%i] : memref<100xf32>
      } else {
      }
    }
    %m = affine.min affine_map<(d0)[s0] -> (d0, s0, 100)>(%n)[%n]
    %d = memref.dim %A, %c0 : memref<100xf32>
    %r = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%d)[%n]
    %c = arith.cmpi sge, %r, %m : index
    %o = arith.cmpf olt, %one, %one : f32
    %s = arith.select %c, %zero, %v : vector<4xf32>
    %e = vector.extract %s[%c0] : f32 from vector<4xf32>
    %w = arith.index_cast %r : index to i64
    %fp = arith.sitofp %w : i64 to f32
    %both = arith.andi %c, %o : i1
    cf.cond_br %both, ^bb1, ^bb2(%e : f32)
  ^bb1:
    %k = arith.divsi %w, %w : i64
    %rank = memref.rank %A : memref<100xf32>
    cf.br ^bb2(%fp : f32)
  ^bb2(%res: f32):
    return %res, %r : f32, index
  }
  func.func private @"odd name"()
  func.func @function_values() -> ((i32) -> i32) {
    %f = func.constant @id : (i32) -> i32
    %c = arith.constant 5 : i32
    %r = call_indirect %f(%c) : (i32) -> i32
    return %f : (i32) -> i32
  }
  func.func @id(%x: i32) -> i32 { return %x : i32 }
}
// -----
// A condition of the values' shape.
func @select(%c: vector<4xi1>, %t: tensor<?xi1>, %v: vector<4xf32>, %u: tensor<?xf32>) {
  %0 = select %c, %v, %v : vector<4xf32>
  %1 = select %t, %u, %u : tensor<?xf32>
  %2 = select %c, %v, %v : vector<4xi1>, vector<4xf32>
  return
}
// today:
func.func @select(%c: vector<4xi1>, %t: tensor<?xi1>, %v: vector<4xf32>, %u: tensor<?xf32>) {
  %0 = arith.select %c, %v, %v : vector<4xi1>, vector<4xf32>
  %1 = arith.select %t, %u, %u : tensor<?xi1>, tensor<?xf32>
  %2 = arith.select %c, %v, %v : vector<4xi1>, vector<4xf32>
  return
}
