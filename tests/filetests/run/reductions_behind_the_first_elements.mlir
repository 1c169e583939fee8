// Reductions that begin behind the first elements, beside a multiple of a vector: some go in front of the vectors. Arrays are empty, end
// in front of the first vector or in it, or are long.
// test: run --entry=sum --arg=iota[2] --arg=zeros
// expect: arg 1 = [0]
// test: run --entry=sum --arg=iota[3] --arg=zeros
// expect: arg 1 = [0]
// test: run --entry=sum --arg=iota[4] --arg=zeros
// expect: arg 1 = [3]
// test: run --entry=sum --arg=iota[5] --arg=zeros
// expect: arg 1 = [7]
// test: run --entry=sum --arg=iota[9] --arg=zeros
// expect: arg 1 = [33]
// test: run --entry=sum --arg=iota[5003] --arg=zeros
// expect: arg 1 = [12512500]
// test: run --entry=least --arg=ones[1] --arg=zeros
// expect: arg 1 = [0]
// test: run --entry=least --arg=ones[3] --arg=zeros
// expect: arg 1 = [1]
// test: run --entry=least --arg=ones[20011] --arg=zeros
// expect: arg 1 = [1]
// test: run --entry=last --arg=ones[2] --arg=zeros
// expect: arg 1 = [1]
// test: run --entry=last --arg=ones[20011] --arg=zeros
// expect: arg 1 = [20010]
// test: run --entry=shifted --arg=iota --arg=zeros
// expect: arg 1 = [4498497, 4501494, 4504491, 4507488]

// The sum from the fourth element on.
func.func @sum(%x: memref<?xi32>, %y: memref<1xi32>) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %n = memref.dim %x, %zero : memref<?xi32>
  %sum = affine.for %i = 3 to %n iter_args(%a = %none) -> (i32) {
    %v = affine.load %x[%i] : memref<?xi32>
    %next = arith.addi %a, %v : i32
    affine.yield %next : i32
  }
  affine.store %sum, %y[0] : memref<1xi32>
  return
}

// The place of the least element from the second one on, the first of equals; 0 if there is none.
func.func @least(%x: memref<?xf32>, %y: memref<1xi32>) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %high = arith.constant 2.0 : f32
  %n = memref.dim %x, %zero : memref<?xf32>
  %best:2 = affine.for %i = 1 to %n iter_args(%least = %high, %place = %none) -> (f32, i32) {
    %v = affine.load %x[%i] : memref<?xf32>
    %is_less = arith.cmpf olt, %v, %least : f32
    %at = arith.index_cast %i : index to i32
    %less = arith.select %is_less, %v, %least : f32
    %where = arith.select %is_less, %at, %place : i32
    affine.yield %less, %where : f32, i32
  }
  affine.store %best#1, %y[0] : memref<1xi32>
  return
}

// The place of the greatest element from the second one on, the last of equals.
func.func @last(%x: memref<?xf32>, %y: memref<1xi32>) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i32
  %low = arith.constant -1.0 : f32
  %n = memref.dim %x, %zero : memref<?xf32>
  %best:2 = affine.for %i = 1 to %n iter_args(%most = %low, %place = %none) -> (f32, i32) {
    %v = affine.load %x[%i] : memref<?xf32>
    %is_more = arith.cmpf oge, %v, %most : f32
    %at = arith.index_cast %i : index to i32
    %more = arith.select %is_more, %v, %most : f32
    %where = arith.select %is_more, %at, %place : i32
    affine.yield %more, %where : f32, i32
  }
  affine.store %best#1, %y[0] : memref<1xi32>
  return
}

// Sums of as many elements that begin at each of four places: x[t + 3] … x[t + 2999].
func.func @shifted(%x: memref<3003xi32>, %y: memref<4xi32>) {
  %none = arith.constant 0 : i32
  affine.for %t = 0 to 4 {
    %sum = affine.for %i = 3 to 3000 iter_args(%a = %none) -> (i32) {
      %v = affine.load %x[%t + %i] : memref<3003xi32>
      %next = arith.addi %a, %v : i32
      affine.yield %next : i32
    }
    affine.store %sum, %y[%t] : memref<4xi32>
  }
  return
}
