// Threads have arrays of their own; where too few updates come to an element, or the array is not
// small, nothing changes.
// test: opt --affine-privatize-updates=target=cpu
// test: run-opt --entry=counted --arg=ones --arg=random:1
// test: run-opt --entry=too_few --arg=ones --arg=random:1
// test: run-opt --entry=too_large --arg=iota[9] --arg=random:1
// test: run-opt --entry=too_large_for_an_open_size --arg=iota[9] --arg=random:1
// test: run-opt --entry=table_of_keys --arg=ones --arg=random:1
// test: run-opt --entry=few_columns --arg=ones --arg=random:1
// test: run-opt --entry=few_rows --arg=ones --arg=random:1
// test: run-opt --entry=running_sums --arg=random:2 --arg=random:1
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

// Groups share the rows, the threads of a group the columns.
func.func @table_of_keys(%keys: memref<67x69xindex>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 67 {
    affine.for %j = 0 to 69 {
      %k = affine.load %keys[%i, %j] : memref<67x69xindex>
      %x = memref.load %h[%k] : memref<16xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<16xi32>
    }
  }
  return
}
// Too few columns for the threads of a group, too few rows for groups.
func.func @few_columns(%keys: memref<801x3xindex>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 801 {
    affine.for %j = 0 to 3 {
      %k = affine.load %keys[%i, %j] : memref<801x3xindex>
      %x = memref.load %h[%k] : memref<16xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<16xi32>
    }
  }
  return
}
func.func @few_rows(%keys: memref<3x1601xindex>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 1601 {
      %k = affine.load %keys[%i, %j] : memref<3x1601xindex>
      %x = memref.load %h[%k] : memref<16xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<16xi32>
    }
  }
  return
}
// The inner loop carries a value through memory: its iterations stay with one thread.
func.func @running_sums(%keys: memref<801x64xi32>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  %c15 = arith.constant 15 : i32
  affine.for %i = 0 to 801 {
    affine.for %j = 1 to 64 {
      %before = affine.load %keys[%i, %j - 1] : memref<801x64xi32>
      %here = affine.load %keys[%i, %j] : memref<801x64xi32>
      %sum = arith.addi %before, %here : i32
      affine.store %sum, %keys[%i, %j] : memref<801x64xi32>
      %low = arith.andi %sum, %c15 : i32
      %k = arith.index_cast %low : i32 to index
      %x = memref.load %h[%k] : memref<16xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<16xi32>
    }
  }
  return
}
