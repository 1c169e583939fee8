// On drivers that gather, rounds of a thread's inner loops are unrolled: 7 of the 14 of a product's loop at a time, and of a filter of 9
// taps all. The points of a tile and the rounds share what they load: 8 points and 9 taps read 16 elements. A loop with an access that is
// not proved in range stays as it is. Where each round turns to another page of memory, as in sums of columns, a thread takes more of
// each: 16 columns.
// test: opt --affine-mark-inbounds --affine-map-to-gpu=target=gathering-cpu --canonicalize --cse
// test: run-opt --entry=product --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [1638, 1729, 4186, 4473]
// test: run-opt --entry=filter --arg=iota --arg=ones --arg=zeros
// test: run-opt --entry=columns --arg=random:1 --arg=zeros
// test: run-opt --entry=gather --arg=iota --arg=zeros --arg=zeros

// Row i of x times column j of y: with 14 elements, sum over k of (14 i + k) (2 k + j).
func.func @product(%x: memref<2x14xf32>, %y: memref<14x2xf32>, %c: memref<2x2xf32>) {
  %0:3 = memref.distinct_objects %x, %y, %c : memref<2x14xf32>, memref<14x2xf32>, memref<2x2xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %s = affine.for %k = 0 to 14 iter_args(%t = %z) -> (f32) {
        %a = affine.load %0#0[%i, %k] : memref<2x14xf32>
        %b = affine.load %0#1[%k, %j] : memref<14x2xf32>
        %p = arith.mulf %a, %b : f32
        %q = arith.addf %t, %p : f32
        affine.yield %q : f32
      }
      affine.store %s, %0#2[%i, %j] : memref<2x2xf32>
    }
  }
  return
}

func.func @filter(%x: memref<8011xf32>, %w: memref<9xf32>, %y: memref<8003xf32>) {
  %0:3 = memref.distinct_objects %x, %w, %y : memref<8011xf32>, memref<9xf32>, memref<8003xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 8003 {
    %s = affine.for %k = 0 to 9 iter_args(%t = %z) -> (f32) {
      %a = affine.load %0#0[%i + %k] : memref<8011xf32>
      %b = affine.load %0#1[%k] : memref<9xf32>
      %p = arith.mulf %a, %b : f32
      %q = arith.addf %t, %p : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#2[%i] : memref<8003xf32>
  }
  return
}

func.func @gather(%x: memref<64xf32>, %at: memref<300x16xi32>, %y: memref<300xf32>) {
  %0:3 = memref.distinct_objects %x, %at, %y : memref<64xf32>, memref<300x16xi32>, memref<300xf32>
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 300 {
    %s = affine.for %k = 0 to 16 iter_args(%t = %z) -> (f32) {
      %n = affine.load %0#1[%i, %k] : memref<300x16xi32>
      %m = arith.index_cast %n : i32 to index
      %a = memref.load %0#0[%m] : memref<64xf32>
      %q = arith.addf %t, %a : f32
      affine.yield %q : f32
    }
    affine.store %s, %0#2[%i] : memref<300xf32>
  }
  return
}

func.func @columns(%x: memref<90x4096xi32>, %y: memref<4096xi32>) {
  %0:2 = memref.distinct_objects %x, %y : memref<90x4096xi32>, memref<4096xi32>
  %z = arith.constant 0 : i32
  affine.for %j = 0 to 4096 {
    %s = affine.for %i = 0 to 90 iter_args(%t = %z) -> (i32) {
      %a = affine.load %0#0[%i, %j] : memref<90x4096xi32>
      %q = arith.addi %t, %a : i32
      affine.yield %q : i32
    }
    affine.store %s, %0#1[%j] : memref<4096xi32>
  }
  return
}
