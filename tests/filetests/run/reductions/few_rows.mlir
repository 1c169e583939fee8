// Sums and maxima of few channels, over images of many elements: several workgroups for each channel, whose partial results
// a workgroup combines where they are many.
//
// Elements count from 0, so that channel c of image n has 3500 (6 n + c) + k for k from 0 to 3499. Over 16 images these
// add up to 3500 * 3500 * (720 + 16 c) + 16 * 3499 * 1750, and the greatest is 3500 * (90 + c) + 3499.
// test: run --map-for=gpu --entry=channels --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [8917972000, 9113972000, 9309972000, 9505972000, 9701972000, 9897972000]
// expect: arg 2 = [318499, 321999, 325499, 328999, 332499, 335999]
// Two long rows of ones, from what was there on, with a last part that is not full.
// test: run --map-for=gpu --entry=rows --arg=ones --arg=ones
// expect: arg 1 = [300002, 300002]
// Eight columns of 40,001 elements, which count from 0: column j has 40001 j + 8 * (0 + … + 40000).
// test: run --map-for=gpu --entry=columns --arg=iota --arg=zeros
// expect: arg 1 = [6400160000, 6400200001, 6400240002, 6400280003, 6400320004, 6400360005, 6400400006, 6400440007]
// test: run --entry=channels --arg=iota --arg=zeros --arg=zeros
// expect: arg 2 = [318499, 321999, 325499, 328999, 332499, 335999]
func.func @channels(%x: memref<16x6x50x70xi64>, %sums: memref<6xi64>, %most: memref<6xi64>) {
  %zero = arith.constant 0 : i64
  affine.for %c = 0 to 6 {
    %all:2 = affine.for %n = 0 to 16 iter_args(%a0 = %zero, %b0 = %zero) -> (i64, i64) {
      %image:2 = affine.for %h = 0 to 50 iter_args(%a1 = %a0, %b1 = %b0) -> (i64, i64) {
        %row:2 = affine.for %w = 0 to 70 iter_args(%a = %a1, %b = %b1) -> (i64, i64) {
          %v = affine.load %x[%n, %c, %h, %w] : memref<16x6x50x70xi64>
          %s = arith.addi %a, %v : i64
          %m = arith.maxsi %b, %v : i64
          affine.yield %s, %m : i64, i64
        }
        affine.yield %row#0, %row#1 : i64, i64
      }
      affine.yield %image#0, %image#1 : i64, i64
    }
    affine.store %all#0, %sums[%c] : memref<6xi64>
    affine.store %all#1, %most[%c] : memref<6xi64>
  }
  return
}

func.func @rows(%x: memref<2x300001xi32>, %sums: memref<2xi32>) {
  affine.for %i = 0 to 2 {
    %from = affine.load %sums[%i] : memref<2xi32>
    %s = affine.for %j = 0 to 300001 iter_args(%a = %from) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<2x300001xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.store %s, %sums[%i] : memref<2xi32>
  }
  return
}

func.func @columns(%x: memref<40001x8xi64>, %sums: memref<8xi64>) {
  %zero = arith.constant 0 : i64
  affine.for %j = 0 to 8 {
    %s = affine.for %i = 0 to 40001 iter_args(%a = %zero) -> (i64) {
      %v = affine.load %x[%i, %j] : memref<40001x8xi64>
      %n = arith.addi %a, %v : i64
      affine.yield %n : i64
    }
    affine.store %s, %sums[%j] : memref<8xi64>
  }
  return
}
