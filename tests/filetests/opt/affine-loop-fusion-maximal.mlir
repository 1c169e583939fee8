// test: opt --affine-loop-fusion=maximal
// test: run --entry=blur --arg=iota --arg=zeros
// test: run-opt --entry=blur --arg=iota --arg=zeros
// expect: arg 1 = [0, 3, 6, 9, 12, 15, 18, 0]
// test: run --entry=early --arg=zeros --arg=zeros
// test: run-opt --entry=early --arg=zeros --arg=zeros
// expect: arg 1 = [0, 0, 7, 7, 0, 0, 0, 0]
// test: run --entry=dynamic --arg=iota[6] --arg=zeros[6]
// test: run-opt --entry=dynamic --arg=iota[6] --arg=zeros[6]
// expect: arg 1 = [1, 3, 5, 7, 9, 0]

// A stencil over what the first loop produces: shifted by one.
func.func @blur(%a: memref<8xi32>, %c: memref<8xi32>) {
  %b = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    affine.store %x, %b[%i] : memref<8xi32>
  }
  affine.for %i = 1 to 7 {
    %x = affine.load %b[%i - 1] : memref<8xi32>
    %y = affine.load %b[%i] : memref<8xi32>
    %z = affine.load %b[%i + 1] : memref<8xi32>
    %s = arith.addi %x, %y : i32
    %t = arith.addi %s, %z : i32
    affine.store %t, %c[%i] : memref<8xi32>
  }
  return
}

// The second loop begins and ends before the first one does.
func.func @early(%b: memref<8xi32>, %c: memref<8xi32>) {
  %v = arith.constant 7 : i32
  affine.for %i = 2 to 8 {
    affine.store %v, %b[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 4 {
    %x = affine.load %b[%i] : memref<8xi32>
    affine.store %x, %c[%i] : memref<8xi32>
  }
  return
}

// Bounds that are extents: shifted, with min and max where a piece may be empty.
func.func @dynamic(%a: memref<?xi32>, %c: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %b = memref.alloc(%n) : memref<?xi32>
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xi32>
    affine.store %x, %b[%i] : memref<?xi32>
  }
  affine.for %i = 0 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
    %x = affine.load %b[%i] : memref<?xi32>
    %y = affine.load %b[%i + 1] : memref<?xi32>
    %s = arith.addi %x, %y : i32
    affine.store %s, %c[%i] : memref<?xi32>
  }
  return
}
