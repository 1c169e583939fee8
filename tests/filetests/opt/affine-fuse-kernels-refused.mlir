// test: opt --affine-fuse-kernels --affine-scalrep
// test: run --entry=neighbours --arg=iota --arg=zeros
// test: run-opt --entry=neighbours --arg=iota --arg=zeros
// expect: arg 1 = [2, 4, 6, 8, 10, 12, 14, 0]
// test: run --entry=overwritten --arg=iota --arg=zeros --arg=zeros
// test: run-opt --entry=overwritten --arg=iota --arg=zeros --arg=zeros
// expect: arg 0 = [9, 9, 9, 9, 9, 9, 9, 9]
// expect: arg 1 = [0, 1, 2, 3, 4, 5, 6, 7]
// test: run --entry=rows --arg=iota --arg=zeros --arg=zeros
// test: run-opt --entry=rows --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 2, 4, 6]
// expect: arg 2 = [1, 5]
// test: run --entry=between --arg=iota --arg=zeros --arg=zeros
// test: run-opt --entry=between --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 2, 4, 42, 8, 10, 12, 14]
// expect: arg 2 = [0, 1, 2, 3, 4, 5, 6, 7]
// test: run --entry=scaled --arg=iota --arg=iota
// test: run-opt --entry=scaled --arg=iota --arg=iota
// expect: arg 1 = [1, 7]

// An iteration reads what the next one of the first loop writes.
func.func @neighbours(%x: memref<8xi32>, %y: memref<8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    %s = arith.addi %a, %a : i32
    affine.store %s, %t[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 7 {
    %a = affine.load %t[%i + 1] : memref<8xi32>
    affine.store %a, %y[%i] : memref<8xi32>
  }
  memref.dealloc %t : memref<8xi32>
  return
}

// The second loop overwrites what a later iteration of the first one reads.
func.func @overwritten(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  %nine = arith.constant 9 : i32
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    affine.store %a, %y[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.store %nine, %x[-%i + 7] : memref<8xi32>
  }
  return
}

// One loop of the first nest is parallel that the second one reduces: fused, fewer threads would have
// work.
func.func @rows(%x: memref<2x2xi32>, %y: memref<2x2xi32>, %z: memref<2xi32>) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %a = affine.load %x[%i, %j] : memref<2x2xi32>
      %s = arith.addi %a, %a : i32
      affine.store %s, %y[%i, %j] : memref<2x2xi32>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %a = affine.load %x[%i, %j] : memref<2x2xi32>
      %s = affine.load %z[%i] : memref<2xi32>
      %t = arith.addi %s, %a : i32
      affine.store %t, %z[%i] : memref<2xi32>
    }
  }
  return
}

// What stands between the loops overwrites an element of the first one.
func.func @between(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  %answer = arith.constant 42 : i32
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    %s = arith.addi %a, %a : i32
    affine.store %s, %y[%i] : memref<8xi32>
  }
  affine.store %answer, %y[3] : memref<8xi32>
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    affine.store %a, %z[%i] : memref<8xi32>
  }
  return
}

// The first loop scales what the second one adds to: fused, the sum would not start from what a loop in front of it leaves.
func.func @scaled(%x: memref<2x2xi32>, %y: memref<2xi32>) {
  affine.for %i = 0 to 2 {
    %a = affine.load %y[%i] : memref<2xi32>
    %d = arith.addi %a, %a : i32
    affine.store %d, %y[%i] : memref<2xi32>
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %a = affine.load %x[%i, %j] : memref<2x2xi32>
      %s = affine.load %y[%i] : memref<2xi32>
      %t = arith.addi %s, %a : i32
      affine.store %t, %y[%i] : memref<2xi32>
    }
  }
  return
}
