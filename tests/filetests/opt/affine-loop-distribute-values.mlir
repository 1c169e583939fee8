// The gradient of a linear model: the sums over all samples tie the samples, so the samples' errors, which are independent, become a nest of
// their own and leave an array. Where the sums need an element that the loop changes, beside a value, it stays one loop.
// test: opt --affine-loop-distribute
// test: run-opt --entry=gradient --arg=random:1 --arg=random:2 --arg=random:3 --arg=random:4
// test: run --entry=gradient --arg=random:1 --arg=random:2 --arg=random:3 --arg=random:4
// test: run --entry=gradient --arg=random:1 --arg=random:2 --arg=random:3 --arg=random:4 --map-for=gpu
// test: run-opt --entry=changed --arg=random:1 --arg=random:2 --arg=random:3 --arg=random:4

func.func @gradient(%x: memref<500x16xi32>, %t: memref<500xi32>, %w: memref<16xi32>, %g: memref<16xi32>) {
  %0:4 = memref.distinct_objects %x, %t, %w, %g : memref<500x16xi32>, memref<500xi32>, memref<16xi32>, memref<16xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 500 {
    %s = affine.for %d = 0 to 16 iter_args(%b = %z) -> (i32) {
      %v = affine.load %0#2[%d] : memref<16xi32>
      %u = affine.load %0#0[%i, %d] : memref<500x16xi32>
      %p = arith.muli %v, %u : i32
      %n = arith.addi %b, %p : i32
      affine.yield %n : i32
    }
    %a = affine.load %0#1[%i] : memref<500xi32>
    %e = arith.subi %s, %a : i32
    affine.for %d = 0 to 16 {
      %v = affine.load %0#3[%d] : memref<16xi32>
      %u = affine.load %0#0[%i, %d] : memref<500x16xi32>
      %p = arith.muli %e, %u : i32
      %n = arith.addi %v, %p : i32
      affine.store %n, %0#3[%d] : memref<16xi32>
    }
  }
  return
}

func.func @changed(%x: memref<500x16xi32>, %t: memref<500xi32>, %w: memref<16xi32>, %g: memref<16xi32>) {
  %0:4 = memref.distinct_objects %x, %t, %w, %g : memref<500x16xi32>, memref<500xi32>, memref<16xi32>, memref<16xi32>
  %z = arith.constant 0 : i32
  affine.for %i = 0 to 500 {
    %a = affine.load %0#1[%i] : memref<500xi32>
    %s = affine.for %d = 0 to 16 iter_args(%b = %a) -> (i32) {
      %v = affine.load %0#2[%d] : memref<16xi32>
      %u = affine.load %0#0[%i, %d] : memref<500x16xi32>
      %p = arith.muli %v, %u : i32
      %n = arith.addi %b, %p : i32
      affine.yield %n : i32
    }
    affine.store %s, %0#1[%i] : memref<500xi32>
    affine.for %d = 0 to 16 {
      %v = affine.load %0#3[%d] : memref<16xi32>
      %e = arith.subi %s, %a : i32
      %n = arith.addi %v, %e : i32
      affine.store %n, %0#3[%d] : memref<16xi32>
    }
  }
  return
}
