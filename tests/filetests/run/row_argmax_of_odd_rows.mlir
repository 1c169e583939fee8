// The place of the greatest number of each row, the first one of equals. Rows begin beside multiples of a vector, so that threads
// share them from a lead on; all numbers are equal, or two zeros are that differ in their sign.
// test: run --entry=first --arg=ones --arg=zeros
// expect: arg 1 = [0, 0, 0, 0, 0, 0, 0]
// test: run --map-for=gpu --entry=first --arg=ones --arg=zeros
// expect: arg 1 = [0, 0, 0, 0, 0, 0, 0]
// test: run --entry=second --arg=ones --arg=zeros
// expect: arg 1 = [1, 1, 1, 1, 1, 1, 1]
// test: run --map-for=gpu --entry=second --arg=ones --arg=zeros
// expect: arg 1 = [1, 1, 1, 1, 1, 1, 1]
// test: run --entry=last --arg=ones --arg=zeros
// expect: arg 1 = [1200, 1200, 1200, 1200, 1200, 1200, 1200]
// test: run --map-for=gpu --entry=last --arg=ones --arg=zeros
// expect: arg 1 = [1200, 1200, 1200, 1200, 1200, 1200, 1200]
// test: run --fp=strict --entry=zeros_of_both_signs --arg=zeros
// expect: result 0 = -7
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// test: run --fp=strict --map-for=gpu --entry=zeros_of_both_signs --arg=zeros
// expect: result 0 = -7
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// test: run --entry=behind --arg=ones
// expect: result 0 = 0

// The sum of the places, each as often as its row is long, which a second loop of the row subtracts: on drivers that run kernels on the CPU,
// threads share rows that several loops walk.
func.func @behind(%x: memref<3x131xf32>) -> i32 {
  %none = arith.constant 0 : i32
  %low = arith.constant -1.0 : f32
  %ways = memref.alloc() : memref<3x131xi32>
  affine.for %i = 0 to 3 {
    %best:2 = affine.for %j = 0 to 131 iter_args(%most = %low, %place = %none) -> (f32, i32) {
      %v = affine.load %x[%i, %j] : memref<3x131xf32>
      %is_more = arith.cmpf ogt, %v, %most : f32
      %at = arith.index_cast %j : index to i32
      %more = arith.select %is_more, %v, %most : f32
      %where = arith.select %is_more, %at, %place : i32
      affine.yield %more, %where : f32, i32
    }
    affine.for %j = 0 to 131 {
      %v = affine.load %x[%i, %j] : memref<3x131xf32>
      %n = arith.fptosi %v : f32 to i32
      %way = arith.muli %n, %best#1 : i32
      affine.store %way, %ways[%i, %j] : memref<3x131xi32>
    }
  }
  %sum = affine.for %i = 0 to 3 iter_args(%all = %none) -> (i32) {
    %row = affine.for %j = 0 to 131 iter_args(%so_far = %all) -> (i32) {
      %way = affine.load %ways[%i, %j] : memref<3x131xi32>
      %next = arith.addi %so_far, %way : i32
      affine.yield %next : i32
    }
    affine.yield %row : i32
  }
  memref.dealloc %ways : memref<3x131xi32>
  return %sum : i32
}

func.func @first(%x: memref<7x1201xf32>, %places: memref<7xi32>) {
  %none = arith.constant -1 : i32
  %low = arith.constant -1.0 : f32
  affine.for %i = 0 to 7 {
    %best:2 = affine.for %j = 0 to 1201 iter_args(%most = %low, %place = %none) -> (f32, i32) {
      %v = affine.load %x[%i, %j] : memref<7x1201xf32>
      %is_more = arith.cmpf ogt, %v, %most : f32
      %at = arith.index_cast %j : index to i32
      %more = arith.select %is_more, %v, %most : f32
      %where = arith.select %is_more, %at, %place : i32
      affine.yield %more, %where : f32, i32
    }
    affine.store %best#1, %places[%i] : memref<7xi32>
  }
  return
}

func.func @second(%x: memref<7x1200xf32>, %places: memref<7xi32>) {
  %none = arith.constant -1 : i32
  %low = arith.constant -1.0 : f32
  affine.for %i = 0 to 7 {
    %best:2 = affine.for %j = 1 to 1200 iter_args(%most = %low, %place = %none) -> (f32, i32) {
      %v = affine.load %x[%i, %j] : memref<7x1200xf32>
      %is_more = arith.cmpf ogt, %v, %most : f32
      %at = arith.index_cast %j : index to i32
      %more = arith.select %is_more, %v, %most : f32
      %where = arith.select %is_more, %at, %place : i32
      affine.yield %more, %where : f32, i32
    }
    affine.store %best#1, %places[%i] : memref<7xi32>
  }
  return
}

// Of equals the last one.
func.func @last(%x: memref<7x1201xf32>, %places: memref<7xi32>) {
  %none = arith.constant -1 : i32
  %low = arith.constant -1.0 : f32
  affine.for %i = 0 to 7 {
    %best:2 = affine.for %j = 0 to 1201 iter_args(%most = %low, %place = %none) -> (f32, i32) {
      %v = affine.load %x[%i, %j] : memref<7x1201xf32>
      %is_more = arith.cmpf oge, %v, %most : f32
      %at = arith.index_cast %j : index to i32
      %more = arith.select %is_more, %v, %most : f32
      %where = arith.select %is_more, %at, %place : i32
      affine.yield %more, %where : f32, i32
    }
    affine.store %best#1, %places[%i] : memref<7xi32>
  }
  return
}

// The number of rows whose greatest number is the negative zero in front of the positive one, with the sign that its bits have.
func.func @zeros_of_both_signs(%x: memref<7x1200xf32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %minus = arith.constant -0.0 : f32
  %low = arith.constant -2.0 : f32
  %most = memref.alloc() : memref<7xf32>
  affine.for %i = 0 to 7 {
    affine.store %minus, %x[%i, 1] : memref<7x1200xf32>
  }
  affine.for %i = 0 to 7 {
    %best = affine.for %j = 1 to 1200 iter_args(%more = %low) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<7x1200xf32>
      %is_more = arith.cmpf ogt, %v, %more : f32
      %next = arith.select %is_more, %v, %more : f32
      affine.yield %next : f32
    }
    affine.store %best, %most[%i] : memref<7xf32>
  }
  %count = affine.for %i = 0 to 7 iter_args(%sum = %zero) -> (i32) {
    %v = affine.load %most[%i] : memref<7xf32>
    %bits = arith.bitcast %v : f32 to i32
    %is_negative = arith.cmpi slt, %bits, %zero : i32
    %less = arith.subi %sum, %one : i32
    %next = arith.select %is_negative, %less, %sum : i32
    affine.yield %next : i32
  }
  memref.dealloc %most : memref<7xf32>
  return %count : i32
}
