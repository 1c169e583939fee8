// Scans along rows, each by a workgroup that walks its row tile by tile.
//
// Row i of ones, from i on: its sums are i + 1, …, i + 300. Two tiles, the last not complete.
// test: run --map-for=gpu --entry=closed --arg=ones --arg=zeros --arg=iota
// expect: arg 2 = [300, 301, 302]
// Sums before each element, of tiles and a part of one, of a part alone, of rows with one element and with none.
// test: run --map-for=gpu --no-specialize --entry=open --arg=ones[2x4500] --arg=zeros[2x4500] --arg=iota[2]
// expect: arg 2 = [4500, 4501]
// test: run --map-for=gpu --no-specialize --entry=open --arg=iota[2x4] --arg=zeros[2x4] --arg=ones[2]
// expect: arg 1 = [1, 1, 2, 4, 1, 5, 10, 16]
// expect: arg 2 = [7, 23]
// test: run --map-for=gpu --no-specialize --entry=open --arg=iota[3x1] --arg=ones[3x1] --arg=ones[3]
// expect: arg 1 = [1, 1, 1]
// expect: arg 2 = [1, 2, 3]
// test: run --map-for=gpu --no-specialize --entry=open --arg=iota[3x0] --arg=ones[3x0] --arg=iota[3]
// expect: arg 2 = [0, 1, 2]
// The greatest of 64-bit integers so far, in place: row 1 of a ramp from 2048 on stays as it is, and row 0, from 7 on, too.
// test: run --map-for=gpu --entry=greatest --arg=iota --arg=zeros
// expect: arg 1 = [2047, 4095]
// A row of ones is divided by its sum, 128, summed up, and its sums multiplied by 128, in three loops that a workgroup shares.
// test: run --map-for=gpu --entry=distribution --arg=ones --arg=zeros
// expect: arg 1 = [128, 128, 128]
// Products below the diagonal, in tiles whose last is not known to be complete: of twos, as many as the row has columns.
// test: run --map-for=gpu --entry=triangle --arg=ones --arg=zeros
// expect: arg 1 = [1, 2, 4, 8, 16, 32, 64, 128]
// A branch computes the term: of 0, 1, …, 599 in two rows those above 99, whose sums are those of 100 to 299 and 300 to 599.
// test: run --map-for=gpu --entry=masked --arg=iota --arg=zeros
// expect: arg 1 = [39900, 134850]
func.func @closed(%x: memref<3x300xi32>, %y: memref<3x300xi32>, %last: memref<3xi32>) {
  affine.for %i = 0 to 3 {
    %from = affine.load %last[%i] : memref<3xi32>
    %all = affine.for %j = 0 to 300 iter_args(%sum = %from) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<3x300xi32>
      %next = arith.addi %sum, %v : i32
      affine.store %next, %y[%i, %j] : memref<3x300xi32>
      affine.yield %next : i32
    }
    affine.store %all, %last[%i] : memref<3xi32>
  }
  return
}

func.func @open(%x: memref<?x?xi32>, %y: memref<?x?xi32>, %last: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  %n = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %i = 0 to %m {
    %from = affine.load %last[%i] : memref<?xi32>
    %all = affine.for %j = 0 to %n iter_args(%sum = %from) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<?x?xi32>
      affine.store %sum, %y[%i, %j] : memref<?x?xi32>
      %next = arith.addi %sum, %v : i32
      affine.yield %next : i32
    }
    affine.store %all, %last[%i] : memref<?xi32>
  }
  return
}

func.func @greatest(%x: memref<2x2048xi64>, %last: memref<2xi64>) {
  %least = arith.constant 7 : i64
  affine.for %i = 0 to 2 {
    %all = affine.for %j = 0 to 2048 iter_args(%most = %least) -> (i64) {
      %v = affine.load %x[%i, %j] : memref<2x2048xi64>
      %next = arith.maxsi %most, %v : i64
      affine.store %next, %x[%i, %j] : memref<2x2048xi64>
      affine.yield %next : i64
    }
    affine.store %all, %last[%i] : memref<2xi64>
  }
  return
}

func.func @distribution(%x: memref<3x128xf32>, %last: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 3 {
    %total = affine.for %j = 0 to 128 iter_args(%sum = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<3x128xf32>
      %next = arith.addf %sum, %v : f32
      affine.yield %next : f32
    }
    %all = affine.for %j = 0 to 128 iter_args(%sum = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<3x128xf32>
      %share = arith.divf %v, %total : f32
      %next = arith.addf %sum, %share : f32
      affine.store %next, %x[%i, %j] : memref<3x128xf32>
      affine.yield %next : f32
    }
    affine.for %j = 0 to 128 {
      %v = affine.load %x[%i, %j] : memref<3x128xf32>
      %scaled = arith.mulf %v, %total : f32
      affine.store %scaled, %x[%i, %j] : memref<3x128xf32>
    }
    %scaled = arith.mulf %all, %total : f32
    affine.store %scaled, %last[%i] : memref<3xf32>
  }
  return
}

func.func @triangle(%x: memref<8x8xi32>, %last: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {
    %all = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%product = %one) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<8x8xi32>
      %two = arith.addi %v, %one : i32
      %next = arith.muli %product, %two : i32
      affine.store %product, %x[%i, %j] : memref<8x8xi32>
      affine.yield %next : i32
    }
    affine.store %all, %last[%i] : memref<8xi32>
  }
  return
}

func.func @masked(%x: memref<2x300xi32>, %last: memref<2xi32>) {
  %zero = arith.constant 0 : i32
  %limit = arith.constant 99 : i32
  affine.for %i = 0 to 2 {
    %all = affine.for %j = 0 to 300 iter_args(%sum = %zero) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<2x300xi32>
      %is_above = arith.cmpi sgt, %v, %limit : i32
      %term = scf.if %is_above -> (i32) {
        scf.yield %v : i32
      } else {
        scf.yield %zero : i32
      }
      %next = arith.addi %sum, %term : i32
      affine.store %next, %x[%i, %j] : memref<2x300xi32>
      affine.yield %next : i32
    }
    affine.store %all, %last[%i] : memref<2xi32>
  }
  return
}
