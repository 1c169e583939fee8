// test: run --arg=zeros
// expect: result 0 = 264275080
// Three sweeps in place over a plate of integers whose rim is hot: every element is a quarter of
// its neighbours' sum, those above and to the left from this sweep. No loop is parallel, and
// tiles have to be skewed; the sum of all elements is Python's.
func.func @plate(%a: memref<60x70xi32>) -> i32 {
  %two = arith.constant 2 : i32
  %hot = arith.constant 1000000 : i32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 60 {
    affine.store %hot, %a[%i, 0] : memref<60x70xi32>
  }
  affine.for %j = 0 to 70 {
    affine.store %hot, %a[0, %j] : memref<60x70xi32>
  }
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 59 {
      affine.for %j = 1 to 69 {
        %n = affine.load %a[%i - 1, %j] : memref<60x70xi32>
        %w = affine.load %a[%i, %j - 1] : memref<60x70xi32>
        %e = affine.load %a[%i, %j + 1] : memref<60x70xi32>
        %s = affine.load %a[%i + 1, %j] : memref<60x70xi32>
        %nw = arith.addi %n, %w : i32
        %es = arith.addi %e, %s : i32
        %all = arith.addi %nw, %es : i32
        %mean = arith.shrsi %all, %two : i32
        affine.store %mean, %a[%i, %j] : memref<60x70xi32>
      }
    }
  }
  %sum = affine.for %i = 0 to 60 iter_args(%r = %zero) -> i32 {
    %row = affine.for %j = 0 to 70 iter_args(%q = %r) -> i32 {
      %x = affine.load %a[%i, %j] : memref<60x70xi32>
      %y = arith.addi %q, %x : i32
      affine.yield %y : i32
    }
    affine.yield %row : i32
  }
  return %sum : i32
}
