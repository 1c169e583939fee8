// test: opt --merge-adjacent-accesses
// test: run --entry=runs --arg=iota --arg=zeros
// test: run-opt --entry=runs --arg=iota --arg=zeros
// expect: arg 1 = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32]
// test: run-opt --entry=pairs --arg=random:1[9x9] --arg=6 --arg=6
// Runs of four and of two, in any order, with what computes between them.

// Loads up to the first of them, stores down to the last.
func.func @runs(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c4 step %c1 {
    %a2 = memref.load %x[%i, %c2] {gridloom.inbounds} : memref<4x4xf32>
    %b2 = arith.addf %a2, %one : f32
    %d2 = arith.addf %b2, %b2 : f32
    %a0 = memref.load %x[%i, %c0] {gridloom.inbounds} : memref<4x4xf32>
    %b0 = arith.addf %a0, %one : f32
    %d0 = arith.addf %b0, %b0 : f32
    %a1 = memref.load %x[%i, %c1] {gridloom.inbounds} : memref<4x4xf32>
    %a3 = memref.load %x[%i, %c3] {gridloom.inbounds} : memref<4x4xf32>
    %b1 = arith.addf %a1, %one : f32
    %d1 = arith.addf %b1, %b1 : f32
    %b3 = arith.addf %a3, %one : f32
    %d3 = arith.addf %b3, %b3 : f32
    memref.store %d3, %y[%i, %c3] {gridloom.inbounds} : memref<4x4xf32>
    memref.store %d0, %y[%i, %c0] {gridloom.inbounds} : memref<4x4xf32>
    memref.store %d1, %y[%i, %c1] {gridloom.inbounds} : memref<4x4xf32>
    memref.store %d2, %y[%i, %c2] {gridloom.inbounds} : memref<4x4xf32>
  }
  return
}

// Columns of a dynamic row, two by two: the loop counts in twos.
func.func @pairs(%x: memref<?x?xi32>, %n: index, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %j = %c0 to %n step %c2 iter_args(%s = %zero) -> i32 {
    %j1 = arith.addi %j, %c1 : index
    %a = memref.load %x[%i, %j] {gridloom.inbounds} : memref<?x?xi32>
    %b = memref.load %x[%i, %j1] {gridloom.inbounds} : memref<?x?xi32>
    %p = arith.muli %a, %b : i32
    %t = arith.addi %s, %p : i32
    scf.yield %t : i32
  }
  return %sum : i32
}

// In a kernel that is one already.
gpu.module @kernels {
  gpu.func @kernel(%x: memref<64x2xf32>, %y: memref<64x2xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = gpu.thread_id x
    %a = memref.load %x[%i, %c0] {gridloom.inbounds} : memref<64x2xf32>
    %b = memref.load %x[%i, %c1] {gridloom.inbounds} : memref<64x2xf32>
    memref.store %b, %y[%i, %c0] {gridloom.inbounds} : memref<64x2xf32>
    memref.store %a, %y[%i, %c1] {gridloom.inbounds} : memref<64x2xf32>
    gpu.return
  }
}
