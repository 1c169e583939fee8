// Bounds of every form, tiles by maps in place.
func @matmul(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %m = dim %C, 0 : memref<?x?xf32>
  %n = dim %C, 1 : memref<?x?xf32>
  for %t = 0 to ()[s0] -> (ceildiv(s0, 32)) ()[%m] {
    for %i = (d0) -> (32 * d0) (%t) to min (d0)[s0] -> (32 * (d0 + 1), s0) (%t)[%m] {
      for %j = -4 to %n step 2 {
        for %l = max ()[s0, s1] -> (0, s0 - s1)()[%m, %n] to %n {
          %c = load %C[%i, %j] : memref<?x?xf32>
          store %c to %A[%l, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
// today:
func.func @matmul(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %C, %c0 : memref<?x?xf32>
  %c1 = arith.constant 1 : index
  %n = memref.dim %C, %c1 : memref<?x?xf32>
  affine.for %t = 0 to affine_map<()[s0] -> (s0 ceildiv 32)>()[%m] {
    affine.for %i = affine_map<(d0) -> (d0 * 32)>(%t) to min affine_map<(d0)[s0] -> (d0 * 32 + 32, s0)>(%t)[%m] {
      affine.for %j = -4 to %n step 2 {
        affine.for %l = max affine_map<()[s0, s1] -> (0, s0 - s1)>()[%m, %n] to %n {
          %c = memref.load %C[%i, %j] : memref<?x?xf32>
          memref.store %c, %A[%l, %j] : memref<?x?xf32>
        }
      }
    }
  }
  return
}
// -----
// Sets in place, with and without parentheses.
func @chain(%n: index) {
  for %i = 0 to 10 {
    if (d0)[s0] : s0 - d0 - 1 >= 0, d0 >= 0 (%i)[%n] {
      "use.low"(%i) : (index) -> ()
    } else if (d0) : ((d0 + 1) * 2 - 8 >= 0) (%i) {
      "use.mid"(%i) : (index) -> ()
    }
    if (d0) : (d0 + 1) mod 2 == 0 (%i) {
    } else {
      "use.odd"(%i) : (index) -> ()
    }
  }
  return
}
// today:
func.func @chain(%n: index) {
  affine.for %i = 0 to 10 {
    affine.if affine_set<(d0)[s0] : (s0 - d0 - 1 >= 0, d0 >= 0)>(%i)[%n] {
      "use.low"(%i) : (index) -> ()
    } else {
      affine.if affine_set<(d0) : (d0 * 2 - 6 >= 0)>(%i) {
        "use.mid"(%i) : (index) -> ()
      }
    }
    affine.if affine_set<(d0) : ((d0 + 1) mod 2 == 0)>(%i) {
    } else {
      "use.odd"(%i) : (index) -> ()
    }
  }
  return
}
// -----
// One name for all results, used before and after one another.
#split = (d0)[s0] -> (floordiv(d0, 8), d0 mod 8, d0 - s0)
func @results(%i: index, %n: index) -> (index, index, index) {
  %0 = affine_apply #split(%i)[%n]
  %1 = "affine_apply"(%0#0) {map: (d0) -> (d0 + 1)} : (index) -> index
  %2 = "some.pair"(%1) : (index) -> (index, index)
  return %0#1, %2#1, %0#2 : index, index, index
}
// today:
func.func @results(%i: index, %n: index) -> (index, index, index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 8)>(%i)[%n]
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 mod 8)>(%i)[%n]
  %2 = affine.apply affine_map<(d0)[s0] -> (d0 - s0)>(%i)[%n]
  %3 = affine.apply affine_map<(d0) -> (d0 + 1)>(%0)
  %4:2 = "some.pair"(%3) : (index) -> (index, index)
  return %1, %4#1, %2 : index, index, index
}
