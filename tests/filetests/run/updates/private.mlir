// Updates of elements that data chooses, enough of them for threads to have arrays of their own on
// drivers that run kernels on the CPU. 3000 counts up by one go to 10 bins of 300 each.
// test: run --entry=tens --arg=zeros
// expect: arg 0 = [300, 300, 300, 300, 300, 300, 300, 300, 300, 300]
// test: run --entry=tens --arg=iota
// expect: arg 0 = [300, 301, 302, 303, 304, 305, 306, 307, 308, 309]
// test: run --entry=greatest --arg=zeros
// expect: arg 0 = [2996, 2997, 2998, 2999]
// test: run --entry=less --arg=zeros
// expect: arg 0 = [-1500, -1500]
// test: run --entry=open --arg=zeros[4001] --arg=zeros
// expect: arg 1 = [4001, 0, 0]
// test: run --entry=open --arg=zeros[0] --arg=iota
// expect: arg 1 = [0, 1, 2]
// test: run --entry=table --arg=zeros
// expect: arg 0 = [1200, 0, 0, 1200]
// test: run --map-for=gpu --entry=tens --arg=zeros
// expect: arg 0 = [300, 300, 300, 300, 300, 300, 300, 300, 300, 300]
// test: run --map-for=gpu --entry=tens --arg=iota
// expect: arg 0 = [300, 301, 302, 303, 304, 305, 306, 307, 308, 309]
// test: run --map-for=gpu --entry=greatest --arg=zeros
// expect: arg 0 = [2996, 2997, 2998, 2999]
// test: run --map-for=gpu --entry=less --arg=zeros
// expect: arg 0 = [-1500, -1500]
// test: run --map-for=gpu --entry=open --arg=zeros[4001] --arg=zeros
// expect: arg 1 = [4001, 0, 0]
// test: run --map-for=gpu --entry=open --arg=zeros[0] --arg=iota
// expect: arg 1 = [0, 1, 2]
// test: run --map-for=gpu --entry=table --arg=zeros
// expect: arg 0 = [1200, 0, 0, 1200]
// test: run --entry=both
// test: run --entry=rows
// test: run --map-for=gpu --entry=both
// test: run --map-for=gpu --entry=rows
func.func @tens(%h: memref<10xi32>) {
  %keys = memref.alloc() : memref<3000xindex>
  %ten = arith.constant 10 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 3000 {
    %k = arith.remui %i, %ten : index
    affine.store %k, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %x = memref.load %h[%k] : memref<10xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%k] : memref<10xi32>
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
func.func @greatest(%h: memref<4xi32>) {
  %keys = memref.alloc() : memref<3000xindex>
  %four = arith.constant 4 : index
  affine.for %i = 0 to 3000 {
    %k = arith.remui %i, %four : index
    affine.store %k, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %v = arith.index_cast %i : index to i32
    %x = memref.load %h[%k] : memref<4xi32>
    %y = arith.maxsi %x, %v : i32
    memref.store %y, %h[%k] : memref<4xi32>
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
func.func @less(%h: memref<2xf32>) {
  %keys = memref.alloc() : memref<3000xindex>
  %two = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 3000 {
    %k = arith.remui %i, %two : index
    affine.store %k, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %x = memref.load %h[%k] : memref<2xf32>
    %y = arith.subf %x, %one : f32
    memref.store %y, %h[%k] : memref<2xf32>
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
func.func @open(%keys: memref<?xi32>, %h: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %keys, %c0 : memref<?xi32>
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %key = affine.load %keys[%i] : memref<?xi32>
    %k = arith.index_cast %key : i32 to index
    %x = memref.load %h[%k] : memref<3xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%k] : memref<3xi32>
  }
  return
}
func.func @table(%h: memref<2x2xi32>) {
  %keys = memref.alloc() : memref<2400xindex>
  %two = arith.constant 2 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2400 {
    %k = arith.remui %i, %two : index
    affine.store %k, %keys[%i] : memref<2400xindex>
  }
  affine.for %i = 0 to 2400 {
    %k = affine.load %keys[%i] : memref<2400xindex>
    %x = memref.load %h[%k, %k] : memref<2x2xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%k, %k] : memref<2x2xi32>
  }
  memref.dealloc %keys : memref<2400xindex>
  return
}
// Two arrays, each with updates of its own, behind a test.
func.func @both(%data: memref<5000xi32>, %sums: memref<8xi32>, %counts: memref<8xi32>) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 3 to 4999 {
    %v = affine.load %data[%i] : memref<5000xi32>
    %low = arith.andi %v, %seven : i32
    %k = arith.index_cast %low : i32 to index
    %positive = arith.cmpi sgt, %v, %one : i32
    scf.if %positive {
      %x = memref.load %sums[%k] : memref<8xi32>
      %y = arith.addi %x, %v : i32
      memref.store %y, %sums[%k] : memref<8xi32>
    }
    %c = memref.load %counts[%k] : memref<8xi32>
    %d = arith.addi %c, %one : i32
    memref.store %d, %counts[%k] : memref<8xi32>
  }
  return
}
func.func @rows(%data: memref<600x9xi32>, %counts: memref<4xi32>) {
  %three = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 600 {
    affine.for %j = 0 to 9 {
      %v = affine.load %data[%i, %j] : memref<600x9xi32>
      %low = arith.andi %v, %three : i32
      %k = arith.index_cast %low : i32 to index
      %c = memref.load %counts[%k] : memref<4xi32>
      %d = arith.addi %c, %one : i32
      memref.store %d, %counts[%k] : memref<4xi32>
    }
  }
  return
}
