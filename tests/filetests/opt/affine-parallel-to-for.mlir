// test: opt --affine-parallel-to-for
// test: run-opt --entry=proved --arg=random:1
// test: run-opt --entry=one --arg=random:1 --arg=6
// test: run-opt --entry=arguments --arg=random:1 --arg=random:1
// test: run-opt --entry=reduces --arg=random:1
// test: run-opt --entry=once --arg=random:1 --arg=3
// test: stages --offload

// Each iteration has elements of its own: loops say as much.
func.func @proved(%a: memref<8x8xi32>) {
  affine.parallel (%i, %j) = (0, max(1, 0)) to (8, 7) step (1, 2) {
    %x = affine.load %a[%i, %j] : memref<8x8xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i, %j] : memref<8x8xi32>
  }
  return
}

// At most one iteration.
func.func @one(%a: memref<8xi32>, %n: index) {
  affine.parallel (%i) = (0) to (min(1, %n)) {
    %x = affine.load %a[0] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[0] : memref<8xi32>
  }
  return
}

// Only the operation says that the iterations are independent: it stays.
func.func @promised(%a: memref<8xi32>, %p: memref<8xindex>) {
  %one = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (8) {
    %k = affine.load %p[%i] : memref<8xindex>
    memref.store %one, %a[%k] : memref<8xi32>
  }
  affine.parallel (%i) = (0) to (8) {
    %x = affine.load %a[0] : memref<8xi32>
    %y = arith.maxsi %x, %one : i32
    affine.store %y, %a[0] : memref<8xi32>
  }
  return
}

// Two arguments may be one buffer.
func.func @arguments(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.parallel (%i) = (0) to (8) {
    %x = affine.load %a[%i] : memref<8xi32>
    affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}

// A reduction has an order as soon as it is computed.
func.func @reduces(%a: memref<8xf32>) -> f32 {
  %sum = affine.parallel (%i) = (0) to (8) reduce ("addf") -> f32 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.yield %x : f32
  }
  return %sum : f32
}

// No counters, no loops.
func.func @once(%a: memref<8xi32>, %x: i32) {
  affine.parallel () = () to () {
    affine.store %x, %a[0] : memref<8xi32>
  }
  return
}
