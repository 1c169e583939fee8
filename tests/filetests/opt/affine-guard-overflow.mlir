// Bounds that may leave 64 bits: a test of %s, with the nest as it is written where that fails.
// test: opt --affine-guard-overflow
// test: run-opt --entry=symbolic_bounds --arg=random:1 --arg=6
// test: run-opt --entry=ordinary --arg=random:1[40] --arg=6 --arg=2
// test: run-opt --entry=with_results --arg=random:1 --arg=6 --arg=1.5
func.func @symbolic_bounds(%a: memref<8xf32>, %s: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%s] to affine_map<(d0)[s0] -> (d0 + s0 + 2)>(%i)[%s] {
      %x = affine.load %a[%j - symbol(%s) - %i] : memref<8xf32>
      affine.store %x, %a[%j - symbol(%s) - %i] : memref<8xf32>
    }
  }
  return
}

// A loop that can be run to its end stays far from 2^63, whatever %n is, and the test that %n is at most the extent does
// not wrap around either: no test.
func.func @plain(%a: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n step 32 {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %a[%i] : memref<?xf32>
  }
  return
}

// Differences of subscripts do not depend on %s, but what affine-guard-bounds would compare with the extent, %n + %s,
// may wrap around.
func.func @ordinary(%a: memref<?xf32>, %n: index, %s: index) {
  affine.for %i = 0 to %n step 32 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (d0 + 32, s0)>(%i)[%n] {
      %x = affine.load %a[%j + symbol(%s)] : memref<?xf32>
      affine.store %x, %a[%j + symbol(%s)] : memref<?xf32>
    }
  }
  return
}

// No limit of the numbers from outside helps.
func.func @hopeless(%a: memref<8xi32>) {
  %c = arith.constant 7 : i32
  affine.for %i = -9223372036854775808 to 9223372036854775807 step 4611686018427387904 {
    affine.store %c, %a[%i floordiv 4611686018427387904 * 9223372036854775807] : memref<8xi32>
  }
  return
}

// Beside the bounds, the loop's results go through the test.
func.func @with_results(%a: memref<8xf32>, %s: index, %z: f32) -> f32 {
  %r = affine.for %i = affine_map<()[s0] -> (s0 * 3)>()[%s] to affine_map<()[s0] -> (s0 * 3 + 8)>()[%s] iter_args(%c = %z) -> (f32) {
    %x = affine.load %a[%i - symbol(%s) * 3] : memref<8xf32>
    %y = arith.addf %c, %x : f32
    affine.yield %y : f32
  }
  return %r : f32
}
