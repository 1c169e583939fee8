// Statistics of four channels. There are too few elements in all for a cut to pay by itself, but a thread for each channel would take 1024
// steps one after the other: several workgroups have a channel. A channel of 448 elements stays a thread's.
// test: opt --affine-parallelize-reductions
// test: run-opt --entry=channels --arg=random:1 --arg=zeros
// test: run --entry=channels --arg=random:1 --arg=zeros --map-for=gpu
// test: run --entry=short --arg=random:1 --arg=zeros --map-for=gpu

func.func @channels(%x: memref<16x4x64xi32>, %y: memref<4xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<16x4x64xi32>, memref<4xi32>
  %z = arith.constant 0 : i32
  affine.for %c = 0 to 4 {
    %s = affine.for %n = 0 to 16 iter_args(%t = %z) -> (i32) {
      %u = affine.for %i = 0 to 64 iter_args(%w = %t) -> (i32) {
        %a = affine.load %0#0[%n, %c, %i] : memref<16x4x64xi32>
        %b = arith.addi %w, %a : i32
        affine.yield %b : i32
      }
      affine.yield %u : i32
    }
    affine.store %s, %0#1[%c] : memref<4xi32>
  }
  return
}

func.func @short(%x: memref<7x4x64xi32>, %y: memref<4xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<7x4x64xi32>, memref<4xi32>
  %z = arith.constant 0 : i32
  affine.for %c = 0 to 4 {
    %s = affine.for %n = 0 to 7 iter_args(%t = %z) -> (i32) {
      %u = affine.for %i = 0 to 64 iter_args(%w = %t) -> (i32) {
        %a = affine.load %0#0[%n, %c, %i] : memref<7x4x64xi32>
        %b = arith.addi %w, %a : i32
        affine.yield %b : i32
      }
      affine.yield %u : i32
    }
    affine.store %s, %0#1[%c] : memref<4xi32>
  }
  return
}
