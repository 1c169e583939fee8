// Threads have arrays of their own; where too few updates come to an element, or the array is not
// small, nothing changes.
// test: opt --affine-privatize-updates=target=cpu
// test: run-opt --entry=counted --arg=ones --arg=random:1
// test: run-opt --entry=too_few --arg=ones --arg=random:1
// test: run-opt --entry=too_large --arg=iota[9] --arg=random:1
// test: run-opt --entry=too_large_for_an_open_size --arg=iota[9] --arg=random:1
func.func @counted(%keys: memref<2048xindex>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 2048 {
    %k = affine.load %keys[%i] : memref<2048xindex>
    %x = memref.load %h[%k] : memref<16xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%k] : memref<16xi32>
  }
  return
}
func.func @too_few(%keys: memref<500xindex>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 500 {
    %k = affine.load %keys[%i] : memref<500xindex>
    %x = memref.load %h[%k] : memref<16xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%k] : memref<16xi32>
  }
  return
}
func.func @too_large(%keys: memref<?xindex>, %h: memref<5000xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %keys, %c0 : memref<?xindex>
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %k = affine.load %keys[%i] : memref<?xindex>
    %x = memref.load %h[%k] : memref<5000xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%k] : memref<5000xi32>
  }
  return
}
func.func @too_large_for_an_open_size(%keys: memref<?xindex>, %h: memref<600xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %keys, %c0 : memref<?xindex>
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %k = affine.load %keys[%i] : memref<?xindex>
    %x = memref.load %h[%k] : memref<600xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %h[%k] : memref<600xi32>
  }
  return
}
