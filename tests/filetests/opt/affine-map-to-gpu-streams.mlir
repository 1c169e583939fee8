// Where gathers wait for memory, a nest that accesses most elements a few times is mapped as for drivers that fetch elements lane by
// lane: a thread takes eight columns of a running sum, which are two vectors, and its rounds are not unrolled. Of few columns a thread
// has one, and seven rounds become one, since a lane then still has few accesses in each. A product of matrices, whose elements many
// iterations read, gets the tile and the unrolled rounds of drivers that gather.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=slow-gathering-cpu --canonicalize --cse
// test: run-opt --entry=columns --arg=random:1 --arg=zeros
// test: run-opt --entry=few_columns --arg=random:1 --arg=zeros
// test: run --entry=few_columns --arg=random:1 --arg=zeros
// test: run-opt --entry=product --arg=iota --arg=iota --arg=zeros

func.func @columns(%x: memref<50x2048xf32>, %y: memref<50x2048xf32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<50x2048xf32>, memref<50x2048xf32>
  affine.for %j = 0 to 2048 {
    affine.for %i = 1 to 50 {
      %a = affine.load %0#0[%i, %j] : memref<50x2048xf32>
      %b = affine.load %0#1[%i - 1, %j] : memref<50x2048xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %0#1[%i, %j] : memref<50x2048xf32>
    }
  }
  return
}

func.func @few_columns(%x: memref<51x130xi32>, %y: memref<51x130xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<51x130xi32>, memref<51x130xi32>
  %z = arith.constant 0 : i32
  affine.for %j = 0 to 130 {
    %s = affine.for %i = 0 to 51 iter_args(%t = %z) -> (i32) {
      %a = affine.load %0#0[%i, %j] : memref<51x130xi32>
      %c = arith.addi %t, %a : i32
      affine.store %c, %0#1[%i, %j] : memref<51x130xi32>
      affine.yield %c : i32
    }
  }
  return
}

func.func @product(%x: memref<32x14xf32>, %y: memref<14x32xf32>, %c: memref<32x32xf32>) {
  %0:3 = memref.distinct_objects %x, %y, %c : memref<32x14xf32>, memref<14x32xf32>, memref<32x32xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %s = affine.for %k = 0 to 14 iter_args(%t = %z) -> (f32) {
        %a = affine.load %0#0[%i, %k] : memref<32x14xf32>
        %b = affine.load %0#1[%k, %j] : memref<14x32xf32>
        %p = arith.mulf %a, %b : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      affine.store %s, %0#2[%i, %j] : memref<32x32xf32>
    }
  }
  return
}
