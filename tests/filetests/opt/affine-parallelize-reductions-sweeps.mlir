// Sums beside stores, in each step of a loop: the loops inside of an iteration count as work, too. A row of 64 elements alone is not worth
// launches, 64 rows of 64 are.
// test: opt --affine-parallelize-reductions
// test: run-opt --entry=sweeps --arg=iota --arg=zeros
// expect: result 0 = 41932800
// test: run-opt --entry=row --arg=iota --arg=zeros
// expect: result 0 = 10080

// Five steps of `v += u`, each of which sums up what it stores.
func.func @sweeps(%u: memref<64x64xi32>, %v: memref<64x64xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %last = affine.for %t = 0 to 5 iter_args(%before = %c0) -> i32 {
    %s = affine.for %i = 0 to 64 iter_args(%a = %c0) -> i32 {
      %r = affine.for %j = 0 to 64 iter_args(%b = %a) -> i32 {
        %x = affine.load %u[%i, %j] : memref<64x64xi32>
        %y = affine.load %v[%i, %j] : memref<64x64xi32>
        %z = arith.addi %x, %y : i32
        affine.store %z, %v[%i, %j] : memref<64x64xi32>
        %w = arith.addi %b, %z : i32
        affine.yield %w : i32
      }
      affine.yield %r : i32
    }
    affine.yield %s : i32
  }
  return %last : i32
}

func.func @row(%u: memref<64xi32>, %v: memref<64xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %last = affine.for %t = 0 to 5 iter_args(%before = %c0) -> i32 {
    %s = affine.for %i = 0 to 64 iter_args(%a = %c0) -> i32 {
      %x = affine.load %u[%i] : memref<64xi32>
      %y = affine.load %v[%i] : memref<64xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %v[%i] : memref<64xi32>
      %w = arith.addi %a, %z : i32
      affine.yield %w : i32
    }
    affine.yield %s : i32
  }
  return %last : i32
}
