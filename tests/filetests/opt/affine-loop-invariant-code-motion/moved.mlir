// test: opt --affine-loop-invariant-code-motion
// test: run-opt --entry=elements --arg=iota --arg=zeros --arg=3
// expect: arg 0 = [0, 1, 2, 3, 4, 5, 6, 7]
// expect: arg 1 = [3, 3, 3, 3, 3, 3, 3, 3]
// test: run-opt --entry=stored_once --arg=iota --arg=zeros --arg=4
// expect: arg 1 = [0, 0, 0, 0, 4, 0, 0, 0]
// test: run-opt --entry=nest --arg=iota --arg=zeros
// test: run-opt --entry=none --arg=iota --arg=zeros --arg=0
// test: run-opt --entry=condition --arg=iota --arg=zeros

// The load of %a leaves the loop, since nothing writes there; so does the sum.
func.func @elements(%a: memref<8xi32>, %b: memref<8xi32>, %k: index) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[symbol(%k)] : memref<8xi32>
    affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}

// The store leaves with the load that it stores: no other access is to %b.
func.func @stored_once(%a: memref<8xi32>, %b: memref<8xi32>, %k: index) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[symbol(%k)] : memref<8xi32>
    affine.store %x, %b[symbol(%k)] : memref<8xi32>
  }
  return
}

// Out of both loops; what depends on %i leaves the inner one.
func.func @nest(%a: memref<8xi32>, %b: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[0] : memref<8xi32>
      %y = affine.load %a[%i] : memref<8xi32>
      %p = arith.muli %x, %y : i32
      affine.store %p, %b[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

// A loop that may have no iterations keeps its accesses, and the division; the product leaves.
func.func @none(%a: memref<8xi32>, %b: memref<8xi32>, %n: index) {
  %c = arith.constant 7 : i32
  affine.for %i = 0 to %n {
    %x = affine.load %a[9 mod 8] : memref<8xi32>
    %m = arith.index_cast %n : index to i32
    %q = arith.divsi %c, %m : i32
    %p = arith.muli %m, %m : i32
    %s = arith.addi %p, %q : i32
    affine.store %s, %b[0] : memref<8xi32>
  }
  return
}

// A store under a condition stays, and so does a load.
func.func @condition(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (d0 - 9 >= 0)>(%i) {
      %x = affine.load %a[3] : memref<8xi32>
      affine.store %x, %b[0] : memref<8xi32>
    }
  }
  return
}
