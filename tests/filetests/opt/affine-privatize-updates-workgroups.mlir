// Workgroups update copies in their own memory.
// test: opt --affine-privatize-updates=target=gpu
// test: run-opt --entry=counted --arg=ones --arg=random:1
// test: run-opt --entry=open --arg=random:1[2300] --arg=random:1
// test: run-opt --entry=open --arg=random:1[0] --arg=random:1
// test: run-opt --entry=too_few --arg=ones --arg=random:1
// test: run-opt --entry=too_large --arg=iota --arg=random:1
// test: stages --offload
func.func @counted(%keys: memref<4099xi32>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 4099 {
    %k = affine.load %keys[%i] : memref<4099xi32>
    %at = arith.index_cast %k : i32 to index
    %x = memref.load %h[%at] : memref<16xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%at] : memref<16xi32>
  }
  return
}
// Two subscripts, of a number of iterations that the run knows.
func.func @open(%keys: memref<?xi32>, %h: memref<3x5xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %keys, %c0 : memref<?xi32>
  %three = arith.constant 3 : i32
  affine.for %i = 0 to %n {
    %k = affine.load %keys[%i] : memref<?xi32>
    %r = arith.remui %k, %three : i32
    %at = arith.index_cast %r : i32 to index
    %x = memref.load %h[%at, %at] : memref<3x5xi32>
    %y = arith.maxsi %x, %k : i32
    memref.store %y, %h[%at, %at] : memref<3x5xi32>
  }
  return
}
// Adding the copies would be as much as the updates.
func.func @too_few(%keys: memref<100xi32>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 100 {
    %k = affine.load %keys[%i] : memref<100xi32>
    %at = arith.index_cast %k : i32 to index
    %x = memref.load %h[%at] : memref<16xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%at] : memref<16xi32>
  }
  return
}
// 2049 elements of 8 bytes do not fit 16 KiB.
func.func @too_large(%keys: memref<20000xi32>, %h: memref<2049xi64>) {
  %one = arith.constant 1 : i64
  %size = arith.constant 2049 : i32
  affine.for %i = 0 to 20000 {
    %k = affine.load %keys[%i] : memref<20000xi32>
    %r = arith.remui %k, %size : i32
    %at = arith.index_cast %r : i32 to index
    %x = memref.load %h[%at] : memref<2049xi64>
    %y = arith.addi %x, %one : i64
    memref.store %y, %h[%at] : memref<2049xi64>
  }
  return
}
