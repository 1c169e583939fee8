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
// test: run-opt --entry=masked --arg=ones --arg=random:2 --arg=random:1
// test: run-opt --entry=tested --arg=iota --arg=random:1
// test: run-opt --entry=changing --arg=ones --arg=random:1
// test: run-opt --entry=shorter --arg=ones --arg=ones --arg=random:1
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

// The update goes to a margin where the mask does not hold; its column is always there, its row may not be.
func.func @masked(%keys: memref<2048xindex>, %x: memref<2048xi32>, %h: memref<3x5xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 2048 {
    %v = affine.load %x[%i] : memref<2048xi32>
    %c = arith.cmpi sgt, %v, %zero : i32
    scf.if %c {
      %k = affine.load %keys[%i] : memref<2048xindex>
      %m = affine.apply affine_map<(d0) -> (d0 mod 5)>(%i)
      %y = memref.load %h[%k, %m] : memref<3x5xi32>
      %z = arith.addi %y, %v : i32
      memref.store %z, %h[%k, %m] : memref<3x5xi32>
    }
  }
  return
}
// The branch has tested the key: no update is out of range, but without the test its key would be.
func.func @tested(%keys: memref<2048xindex>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  %sixteen = arith.constant 16 : index
  affine.for %i = 0 to 2048 {
    %k = affine.load %keys[%i] : memref<2048xindex>
    %c = arith.cmpi ult, %k, %sixteen : index
    scf.if %c {
      %y = memref.load %h[%k] : memref<16xi32>
      %z = arith.addi %y, %one : i32
      memref.store %z, %h[%k] : memref<16xi32>
    }
  }
  return
}
// The loop writes its keys: they cannot be found again behind it, and updates keep their guards.
func.func @changing(%keys: memref<2048xindex>, %h: memref<16xi32>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : index
  affine.for %i = 0 to 2048 {
    %k = affine.load %keys[%i] : memref<2048xindex>
    %y = memref.load %h[%k] : memref<16xi32>
    %z = arith.addi %y, %one : i32
    memref.store %z, %h[%k] : memref<16xi32>
    %l = arith.muli %k, %two : index
    affine.store %l, %keys[%i] : memref<2048xindex>
  }
  return
}
// What the branch loads is not there without its condition: it stays a branch.
func.func @shorter(%keys: memref<2048xindex>, %x: memref<2000xi32>, %h: memref<16xi32>) {
  %end = arith.constant 2000 : index
  affine.for %i = 0 to 2048 {
    %k = affine.load %keys[%i] : memref<2048xindex>
    %from = arith.addi %i, %k : index
    %c = arith.cmpi ult, %from, %end : index
    scf.if %c {
      %v = memref.load %x[%from] : memref<2000xi32>
      %y = memref.load %h[%k] : memref<16xi32>
      %z = arith.addi %y, %v : i32
      memref.store %z, %h[%k] : memref<16xi32>
    }
  }
  return
}
