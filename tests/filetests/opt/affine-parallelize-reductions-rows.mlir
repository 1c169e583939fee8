// test: opt --affine-parallelize-reductions=target=cpu --affine-mark-inbounds --affine-map-to-gpu=target=cpu
// test: run --entry=rows --arg=iota --arg=zeros --arg=zeros
// test: run-opt --entry=rows --arg=iota --arg=zeros --arg=zeros

// A workgroup of 8 threads has a row: they share each loop, every thread adds up their sums, and one
// stores it. A barrier stands before the sums are read.
func.func @rows(%x: memref<64x96xi32>, %y: memref<64x96xi32>, %s: memref<64xi32>) {
  %0:3 = memref.distinct_objects %x, %y, %s : memref<64x96xi32>, memref<64x96xi32>, memref<64xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 96 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<64x96xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.store %t, %0#2[%i] : memref<64xi32>
    affine.for %j = 0 to 96 {
      %v = affine.load %0#0[%i, %j] : memref<64x96xi32>
      %d = arith.subi %v, %t : i32
      affine.store %d, %0#1[%i, %j] : memref<64x96xi32>
    }
  }
  return
}

// A row of one element fewer: the workgroup would cost more than one thread's work.
func.func @short_rows(%x: memref<64x95xi32>, %y: memref<64x95xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<64x95xi32>, memref<64x95xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 95 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<64x95xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 95 {
      affine.store %t, %0#1[%i, %j] : memref<64x95xi32>
    }
  }
  return
}

// Rows that lie across memory: threads that run in step would read elements far apart.
func.func @columns(%x: memref<32x64xi32>, %y: memref<32x64xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<32x64xi32>, memref<32x64xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %t = affine.for %j = 0 to 32 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %0#0[%j, %i] : memref<32x64xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 32 {
      affine.store %t, %0#1[%j, %i] : memref<32x64xi32>
    }
  }
  return
}
