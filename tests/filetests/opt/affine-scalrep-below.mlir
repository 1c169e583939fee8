// test: opt --affine-scalrep
// test: run --entry=rows --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=rows --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [0, 1, 2, 4, 5, 6]
// test: run --entry=overwritten --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=overwritten --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [0, 1, 2, 4, 8, 9]
// test: run --entry=outside --arg=iota --arg=zeros
// test: run-opt --entry=outside --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 0, 0]

// What an iteration of a parallel loop stores is loaded in a loop inside: the value goes there.
func.func @rows(%x: memref<2xi32>, %a: memref<2x3xi32>, %y: memref<2x3xi32>) {
  %t = memref.alloc() : memref<2xi32>
  affine.for %i = 0 to 2 {
    %v = affine.load %x[%i] : memref<2xi32>
    affine.store %v, %t[%i] : memref<2xi32>
    affine.for %j = 0 to 3 {
      %s = affine.load %t[%i] : memref<2xi32>
      %w = affine.load %a[%i, %j] : memref<2x3xi32>
      %n = arith.addi %s, %w : i32
      affine.store %n, %y[%i, %j] : memref<2x3xi32>
    }
  }
  memref.dealloc %t : memref<2xi32>
  return
}

// The loop inside writes the element as well: each of its iterations loads what the one before it left.
func.func @overwritten(%x: memref<2xi32>, %a: memref<2x3xi32>, %y: memref<2x3xi32>) {
  affine.for %i = 0 to 2 {
    %v = affine.load %x[%i] : memref<2xi32>
    %t = memref.alloc() : memref<3xi32>
    affine.store %v, %t[0] : memref<3xi32>
    affine.for %j = 0 to 3 {
      %s = affine.load %t[0] : memref<3xi32>
      %w = affine.load %a[%i, %j] : memref<2x3xi32>
      %n = arith.addi %s, %w : i32
      affine.store %n, %y[%i, %j] : memref<2x3xi32>
      affine.store %n, %t[%j] : memref<3xi32>
    }
    memref.dealloc %t : memref<3xi32>
  }
  return
}

// In no iteration of a parallel loop: the loop may be a kernel, which loads for itself.
func.func @outside(%x: memref<1xi32>, %y: memref<4xi32>) {
  %v = affine.load %x[0] : memref<1xi32>
  affine.for %j = 0 to 4 {
    %s = affine.load %x[0] : memref<1xi32>
    %n = arith.addi %s, %v : i32
    affine.store %n, %y[%j] : memref<4xi32>
  }
  return
}
