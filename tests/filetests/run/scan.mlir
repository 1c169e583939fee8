// Running sums of ones and what they are before each element, in chunks: of
// 9001 elements from 5 on, so that the last chunk is shorter.
//
// test: run --entry=sums --arg=ones --arg=zeros --arg=zeros --arg=5
// expect: result 0 = 9006
// expect: arg 1 = [6, 2256, 4506, 6756, 9006]
// expect: arg 2 = [10, 4510, 9010, 13510, 18010]
// test: run --map-for=gpu --entry=sums --arg=ones --arg=zeros --arg=zeros --arg=5
// expect: result 0 = 9006
// expect: arg 1 = [6, 2256, 4506, 6756, 9006]
// expect: arg 2 = [10, 4510, 9010, 13510, 18010]
func.func @sums(%x: memref<9001xi32>, %after: memref<5xi32>, %before: memref<5xi32>, %s: i32) -> i32 {
  %two = arith.constant 2 : i32
  %y = memref.alloc() : memref<9001xi32>
  %z = memref.alloc() : memref<9001xi32>
  %last = affine.for %i = 0 to 9001 iter_args(%acc = %s) -> i32 {
    %v = affine.load %x[%i] : memref<9001xi32>
    %n = arith.addi %v, %acc : i32
    affine.store %n, %y[%i] : memref<9001xi32>
    %d = arith.muli %acc, %two : i32
    affine.store %d, %z[%i] : memref<9001xi32>
    affine.yield %n : i32
  }
  affine.for %i = 0 to 5 {
    %n = affine.load %y[%i * 2250] : memref<9001xi32>
    affine.store %n, %after[%i] : memref<5xi32>
    %b = affine.load %z[%i * 2250] : memref<9001xi32>
    affine.store %b, %before[%i] : memref<5xi32>
  }
  memref.dealloc %y : memref<9001xi32>
  memref.dealloc %z : memref<9001xi32>
  return %last : i32
}

// In place and of a size that only the run knows: none, one chunk, several.
//
// test: run --entry=in_place --arg=ones[6000] --arg=0 --arg=zeros
// expect: arg 2 = [1, 1, 1]
// test: run --entry=in_place --arg=ones[6000] --arg=3 --arg=zeros
// expect: arg 2 = [3, 1, 1]
// test: run --entry=in_place --arg=ones[6000] --arg=6000 --arg=zeros
// expect: arg 2 = [3, 4097, 6000]
func.func @in_place(%x: memref<?xi32>, %m: i32, %some: memref<3xi32>) {
  %none = arith.constant 0 : i32
  %n = arith.index_cast %m : i32 to index
  affine.for %i = 0 to %n iter_args(%acc = %none) -> i32 {
    %v = affine.load %x[%i] : memref<?xi32>
    %sum = arith.addi %acc, %v : i32
    affine.store %sum, %x[%i] : memref<?xi32>
    affine.yield %sum : i32
  }
  affine.for %k = 0 to 1 {
    %a = affine.load %x[2] : memref<?xi32>
    affine.store %a, %some[0] : memref<3xi32>
    %b = affine.load %x[4096] : memref<?xi32>
    affine.store %b, %some[1] : memref<3xi32>
    %c = affine.load %x[5999] : memref<?xi32>
    affine.store %c, %some[2] : memref<3xi32>
  }
  return
}

// A scan whose iterations hold scans: the outer one is cut, with them in it.
//
// test: run --entry=nested --arg=zeros --arg=zeros
// expect: arg 0 = [1, 4097, 8193]
// expect: arg 1 = [1, 2, 3]
func.func @nested(%some: memref<3xi32>, %inner: memref<3xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %y = memref.alloc() : memref<8193xi32>
  %z = memref.alloc() : memref<8193x3xi32>
  affine.for %i = 0 to 8193 iter_args(%acc = %zero) -> i32 {
    %n = arith.addi %acc, %one : i32
    affine.store %n, %y[%i] : memref<8193xi32>
    affine.for %j = 0 to 3 iter_args(%sum = %zero) -> i32 {
      %m = arith.addi %sum, %one : i32
      affine.store %m, %z[%i, %j] : memref<8193x3xi32>
      affine.yield %m : i32
    }
    affine.yield %n : i32
  }
  affine.for %k = 0 to 3 {
    %v = affine.load %y[%k * 4096] : memref<8193xi32>
    %w = affine.load %z[8192, %k] : memref<8193x3xi32>
    affine.store %v, %some[%k] : memref<3xi32>
    affine.store %w, %inner[%k] : memref<3xi32>
  }
  memref.dealloc %y : memref<8193xi32>
  memref.dealloc %z : memref<8193x3xi32>
  return
}
