// Sixteen rows occupy the cores of a CPU, so that the threads of a workgroup share each, in one kernel. Of fewer rows, sums are cut
// into several groups a row.
// test: opt --affine-parallelize-reductions=target=cpu
// test: run-opt --entry=enough --arg=random:1 --arg=zeros
// test: run-opt --entry=few --arg=random:1 --arg=zeros
// test: run --entry=enough --arg=random:1 --arg=zeros
// test: run --entry=few --arg=random:1 --arg=zeros

func.func @enough(%x: memref<16x20000xi32>, %y: memref<16x20000xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<16x20000xi32>, memref<16x20000xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 16 {
    %t = affine.for %j = 0 to 20000 iter_args(%s = %z) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<16x20000xi32>
      %n = arith.addi %s, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 20000 {
      %e = affine.load %0#0[%i, %j] : memref<16x20000xi32>
      %p = arith.xori %e, %t : i32
      affine.store %p, %0#1[%i, %j] : memref<16x20000xi32>
    }
  }
  return
}

func.func @few(%x: memref<14x20000xi32>, %y: memref<14x20000xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<14x20000xi32>, memref<14x20000xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 14 {
    %t = affine.for %j = 0 to 20000 iter_args(%s = %z) -> (i32) {
      %v = affine.load %0#0[%i, %j] : memref<14x20000xi32>
      %n = arith.addi %s, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 20000 {
      %e = affine.load %0#0[%i, %j] : memref<14x20000xi32>
      %p = arith.xori %e, %t : i32
      affine.store %p, %0#1[%i, %j] : memref<14x20000xi32>
    }
  }
  return
}
