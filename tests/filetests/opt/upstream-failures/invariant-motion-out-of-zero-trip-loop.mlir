// test: opt --affine-loop-invariant-code-motion
// test: run-opt --entry=load --arg=iota --arg=ones --arg=0
// expect: arg 1 = [1, 1, 1, 1]
// test: run-opt --entry=store --arg=ones --arg=0
// expect: arg 0 = [1, 1, 1, 1]
// test: run-opt --entry=store --arg=ones --arg=2
// expect: arg 0 = [1, 1, 7, 1]
// test: run-opt --entry=never --arg=ones
// expect: arg 0 = [1, 1, 1, 1]
// test: run-opt --entry=inside --arg=ones --arg=0
// expect: arg 0 = [1, 1, 1, 1]
// test: run-opt --entry=inside --arg=ones --arg=3
// expect: arg 0 = [9, 1, 1, 1]

// Where the loop has no iteration, the subscript is 8, out of range: in front of the loop, the load would fault.
func.func @load(%a: memref<4xi32>, %b: memref<4xi32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[symbol(%n) * -5 + 8] : memref<4xi32>
    affine.store %x, %b[%i] : memref<4xi32>
  }
  return
}

// A store in front of the loop would be seen where there is no iteration.
func.func @store(%b: memref<4xi32>, %n: index) {
  %c = arith.constant 7 : i32
  affine.for %i = 0 to %n {
    affine.store %c, %b[2] : memref<4xi32>
  }
  return
}

// A loop that is known to have no iteration.
func.func @never(%b: memref<4xi32>) {
  %c = arith.constant 7 : i32
  affine.for %i = 5 to 5 {
    affine.store %c, %b[2] : memref<4xi32>
  }
  return
}

// Out of the inner loop, which runs wherever the outer one does; not out of the outer one.
func.func @inside(%b: memref<4xi32>, %n: index) {
  %c = arith.constant 9 : i32
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 2 {
      affine.store %c, %b[0] : memref<4xi32>
    }
  }
  return
}
