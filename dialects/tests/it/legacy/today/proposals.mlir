// Values carried by loops and conditions; their types are not spelled.
func @carried(%A: memref<?xf32>, %n: index) -> (f32, i32) {
  %zero = constant 0.0 : f32
  %count = constant 0 : i32
  %one = constant 1 : i32
  %r, %c = for %i = 0 ... %n step 2 with %sum(%zero), %k(%count) {
    %v = affine.load %A[%i] : memref<?xf32>
    %s = if (d0) : (d0 - 4 >= 0) (%i) {
      %t = addf %sum, %v : f32
      yield %t
    } else if (d0) : (d0 >= 0) (%i) {
      yield %v
    } else {
      yield %sum
    }
    %k1 = addi %k, %one : i32
    yield %s, %k1
  }
  return %r, %c : f32, i32
}
// today:
func.func @carried(%A: memref<?xf32>, %n: index) -> (f32, i32) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r, %c = affine.for %i = 0 to %n step 2 iter_args(%sum = %zero, %k = %count) -> (f32, i32) {
    %v = affine.load %A[%i] : memref<?xf32>
    %s = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) -> f32 {
      %t = arith.addf %sum, %v : f32
      affine.yield %t : f32
    } else {
      %e = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 {
        affine.yield %v : f32
      } else {
        affine.yield %sum : f32
      }
      affine.yield %e : f32
    }
    %k1 = arith.addi %k, %one : i32
    affine.yield %s, %k1 : f32, i32
  }
  return %r, %c : f32, i32
}
// -----
// A tree over two iterators, one tiled twice.
#domain = (i, j)[N] : i >= 0, 99 - i >= 0, j - 2 >= 0, N - j >= 0
#row = (i) : (i - 10 >= 0, 49 - i >= 0)
func @body(index, index, memref<?xf32>)
func @row(index)
func @tree(%A: memref<?xf32>, %N: index) {
  mldim %a : {S1, S2} floordiv (i, 32) {
    call @row(%i) with #row(%i)
    mldim %b : {S2} i mod 32 floordiv 8 {
      mldim %c : {S2} j {
        mldim %d : {S2} i mod 8 {
          call @body(%i, %j, %A) with #domain(%i, %j)[%N]
        }
      }
    }
  }
  return
}
// today:
#domain = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 99 >= 0, d1 - 2 >= 0, s0 - d1 >= 0)>
#row = affine_set<(d0) : (d0 - 10 >= 0, -d0 + 49 >= 0)>
func.func private @body(index, index, memref<?xf32>)
func.func private @row(index)
func.func @tree(%A: memref<?xf32>, %N: index) {
  affine.for %a = 0 to 4 {
    %i0 = affine.apply affine_map<(d0) -> (d0 * 32)>(%a)
    affine.if #row(%i0) {
      func.call @row(%i0) : (index) -> ()
    }
    affine.for %b = 0 to 4 {
      affine.for %c = 2 to affine_map<()[s0] -> (s0 + 1)>()[%N] {
        affine.for %d = 0 to 8 {
          %i = affine.apply affine_map<(d0, d1, d2) -> (d0 * 32 + d1 * 8 + d2)>(%a, %b, %d)
          affine.if #domain(%i, %c)[%N] {
            func.call @body(%i, %c, %A) : (index, index, memref<?xf32>) -> ()
          }
        }
      }
    }
  }
  return
}
// -----
// What functions touch, in both forms.
##window = (d0) [s0] -> (r0) : 0 <= r0 - d0 <= s0 - 1
func @blur(%in: memref<?xf32>, %out: memref<?xf32>, %at: index, %n: index) -> f32
  reads: {%in ##window(%at)[%n], %out, (d0) -> (r0) : r0 == d0 (%at)}
  writes: {}
  may_reads: /* nothing */
  may_writes: {%out ##window(%at)}
func @partly(%m: memref<4xf32>) [
  writes: {%m () -> (r0) : r0 >= 0 ()}
] attributes {lib.name: "partly"}
// today:
func.func private @blur(memref<?xf32>, memref<?xf32>, index, index) -> f32 attributes {gridloom.effects = {
  reads = [{arg = 0, inputs = array<i64: 2>, relation = affine_set<(d0, d1)[s0] : (d1 - d0 >= 0, s0 - 1 - (d1 - d0) >= 0)>, symbols = array<i64: 3>},
           {arg = 1, inputs = array<i64: 2>, relation = affine_set<(d0, d1) : (d1 - d0 == 0)>, symbols = array<i64>}],
  writes = [], may_reads = [],
  may_writes = [{arg = 1, inputs = array<i64: 2>, relation = affine_set<(d0, d1)[s0] : (d1 - d0 >= 0, s0 - 1 - (d1 - d0) >= 0)>, symbols = array<i64: -1>}]}}
func.func private @partly(memref<4xf32>) attributes {lib.name = "partly", gridloom.effects = {
  writes = [{arg = 0, inputs = array<i64>, relation = affine_set<(d0) : (d0 >= 0)>, symbols = array<i64>}]}}
// -----
// Statements of different ranges share a loop that covers both.
#narrow = (i)[A, B] : (i - A >= 0, B - i >= 0, 2 * i - 5 >= 0)
#wide = (i)[C] : (i >= 0, C - i >= 0)
func @f(index)
func @g(index)
func @shared(%a: index, %b: index, %c: index) {
  mldim %t : {S1, S2} i {
    call @f(%i) with #narrow(%i)[%a, %b]
    call @g(%i) with #wide(%i)[%c]
  }
  return
}
// today:
#narrow = affine_set<(d0)[s0, s1] : (d0 - s0 >= 0, s1 - d0 >= 0, d0 * 2 - 5 >= 0)>
#wide = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 >= 0)>
func.func private @f(index)
func.func private @g(index)
func.func @shared(%a: index, %b: index, %c: index) {
  %within = affine.max affine_map<()[s0] -> (s0, 3)>()[%a]
  %lower = affine.min affine_map<()[s0] -> (s0, 0)>()[%within]
  %upper = affine.max affine_map<()[s0, s1] -> (s0 + 1, s1 + 1)>()[%b, %c]
  affine.for %i = %lower to %upper {
    affine.if #narrow(%i)[%a, %b] {
      func.call @f(%i) : (index) -> ()
    }
    affine.if #wide(%i)[%c] {
      func.call @g(%i) : (index) -> ()
    }
  }
  return
}
