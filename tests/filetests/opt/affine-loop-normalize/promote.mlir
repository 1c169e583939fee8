// test: opt --affine-loop-normalize=promote-single-iter
// test: run-opt --entry=nest --arg=iota
// expect: result 0 = 12
// test: run-opt --entry=one --arg=zeros --arg=4

// One iteration, of which the first is known when the program runs only.
func.func @one(%a: memref<8xindex>, %m: index) {
  affine.for %i = affine_map<()[s0] -> (s0 mod 8)>()[%m] to affine_map<()[s0] -> (s0 mod 8 + 1)>()[%m] {
    affine.store %i, %a[%i] : memref<8xindex>
  }
  return
}

// Loops in each other; the inner one stays.
func.func @nest(%a: memref<8xi32>) -> i32 {
  %z = arith.constant 0 : i32
  %r = affine.for %i = 3 to 4 iter_args(%s = %z) -> i32 {
    %q = affine.for %j = 0 to 3 iter_args(%t = %s) -> i32 {
      %x = affine.load %a[%i + %j] : memref<8xi32>
      %u = arith.addi %t, %x : i32
      affine.yield %u : i32
    }
    affine.yield %q : i32
  }
  return %r : i32
}
