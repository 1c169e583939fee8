// test: run --arg=zeros --arg=zeros
// expect: arg 1 = [12248811, 8109613, 6276163]
// Three sweeps in place over a plate of integers whose rim is hot, and the sum of the changes of each. Nothing keeps the elements
// from before a sweep, so the changes wait in an array while the sweep runs as wavefronts. The sums are Python's.
func.func @main(%a: memref<120x130xi32>, %change: memref<3xi32>) {
  %two = arith.constant 2 : i32
  %hot = arith.constant 100000 : i32
  affine.for %i = 0 to 120 {
    affine.store %hot, %a[%i, 0] : memref<120x130xi32>
  }
  affine.for %j = 0 to 130 {
    affine.store %hot, %a[0, %j] : memref<120x130xi32>
  }
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 119 {
      affine.for %j = 1 to 129 {
        %old = affine.load %a[%i, %j] : memref<120x130xi32>
        %n = affine.load %a[%i - 1, %j] : memref<120x130xi32>
        %w = affine.load %a[%i, %j - 1] : memref<120x130xi32>
        %e = affine.load %a[%i, %j + 1] : memref<120x130xi32>
        %s = affine.load %a[%i + 1, %j] : memref<120x130xi32>
        %nw = arith.addi %n, %w : i32
        %es = arith.addi %e, %s : i32
        %all = arith.addi %nw, %es : i32
        %mean = arith.shrsi %all, %two : i32
        affine.store %mean, %a[%i, %j] : memref<120x130xi32>
        %way = arith.subi %mean, %old : i32
        %known = affine.load %change[%t] : memref<3xi32>
        %more = arith.addi %known, %way : i32
        affine.store %more, %change[%t] : memref<3xi32>
      }
    }
  }
  return
}
