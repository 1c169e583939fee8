// Updates under conditions and of keys that a condition has tested, enough of them for threads to have arrays of their own on
// drivers that run kernels on the CPU. Of 3000 counts up by one, 1500 are even and go to bins 0, 2, 4, 6 and 8 of 10.
// test: run --entry=even --arg=zeros
// expect: arg 0 = [300, 0, 300, 0, 300, 0, 300, 0, 300, 0]
// Of the differences of keys below 12 and 4 those from 0 to 6 count: 250 times each.
// test: run --entry=tested --arg=zeros
// expect: arg 0 = [250, 250, 250, 250, 250, 250, 250]
// Both conditions hold for multiples of 6 below 1500, 250 of them; key 0 of each second row.
// test: run --entry=nested --arg=zeros[3x4]
// expect: arg 0 = [250, 0, 0, 0, 0, 0, 0, 0, 250, 0, 0, 0]
// The greatest multiple of 3 by its remainder of 2: 2994 and 2997.
// test: run --entry=greatest --arg=zeros
// expect: arg 0 = [2994, 2997]
// A division is not computed where its divisor may be 0: 1000 / (i mod 3) for i below 3000 gives 1000 for 1 and 500 for 2.
// test: run --entry=divided --arg=iota
// expect: arg 0 = [0, 1001, 1002]
// What the branch loads beyond the end is loaded in it: keys are 0.
// test: run --entry=shorter --arg=zeros --arg=zeros
// expect: arg 1 = [2000, 0]
func.func @even(%h: memref<10xi32>) {
  %keys = memref.alloc() : memref<3000xindex>
  %two = arith.constant 2 : index
  %ten = arith.constant 10 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 3000 {
    affine.store %i, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %odd = arith.remui %k, %two : index
    %c = arith.cmpi eq, %odd, %zero : index
    scf.if %c {
      %b = arith.remui %k, %ten : index
      %x = memref.load %h[%b] : memref<10xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%b] : memref<10xi32>
    }
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
func.func @tested(%h: memref<7xi32>) {
  %keys = memref.alloc() : memref<3000xindex>
  %twelve = arith.constant 12 : index
  %four = arith.constant 4 : index
  %seven = arith.constant 7 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 3000 {
    %r = arith.remui %i, %twelve : index
    %k = arith.subi %r, %four : index
    affine.store %k, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %from = arith.cmpi sge, %k, %zero : index
    %to = arith.cmpi slt, %k, %seven : index
    %c = arith.andi %from, %to : i1
    scf.if %c {
      %x = memref.load %h[%k] : memref<7xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<7xi32>
    }
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
func.func @nested(%h: memref<3x4xi32>) {
  %keys = memref.alloc() : memref<3000xindex>
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : index
  %half = arith.constant 1500 : index
  %twelve = arith.constant 12 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 3000 {
    affine.store %i, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %r = arith.remui %k, %three : index
    %c = arith.cmpi eq, %r, %zero : index
    scf.if %c {
      %odd = arith.remui %k, %two : index
      %even = arith.cmpi eq, %odd, %zero : index
      scf.if %even {
        %wide = arith.remui %k, %twelve : index
        %row = arith.divui %wide, %three : index
        %x = memref.load %h[%row, %odd] : memref<3x4xi32>
        %y = arith.addi %x, %one : i32
        memref.store %y, %h[%row, %odd] : memref<3x4xi32>
      }
    }
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
func.func @greatest(%h: memref<2xi32>) {
  %keys = memref.alloc() : memref<3000xi32>
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 3000 {
    %n = arith.index_cast %i : index to i32
    affine.store %n, %keys[%i] : memref<3000xi32>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xi32>
    %r = arith.remui %k, %three : i32
    %c = arith.cmpi eq, %r, %zero : i32
    scf.if %c {
      %odd = arith.remui %k, %two : i32
      %b = arith.index_cast %odd : i32 to index
      %x = memref.load %h[%b] : memref<2xi32>
      %y = arith.maxsi %x, %k : i32
      memref.store %y, %h[%b] : memref<2xi32>
    }
  }
  memref.dealloc %keys : memref<3000xi32>
  return
}
func.func @divided(%h: memref<3xi32>) {
  %keys = memref.alloc() : memref<3000xindex>
  %three = arith.constant 3 : index
  %zero = arith.constant 0 : index
  %thousand = arith.constant 1000 : index
  %five_hundred = arith.constant 500 : index
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 3000 {
    %r = arith.remui %i, %three : index
    affine.store %r, %keys[%i] : memref<3000xindex>
  }
  affine.for %i = 0 to 3000 {
    %k = affine.load %keys[%i] : memref<3000xindex>
    %c = arith.cmpi ne, %k, %zero : index
    scf.if %c {
      %q = arith.divui %thousand, %k : index
      %b = arith.divui %thousand, %q : index
      %x = memref.load %h[%b] : memref<3xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%b] : memref<3xi32>
    }
  }
  memref.dealloc %keys : memref<3000xindex>
  return
}
func.func @shorter(%keys: memref<2000xindex>, %h: memref<2xi32>) {
  %one = arith.constant 1 : i32
  %marks = memref.alloc() : memref<3000xi1>
  %end = arith.constant 2000 : index
  affine.for %i = 0 to 3000 {
    %m = arith.cmpi slt, %i, %end : index
    affine.store %m, %marks[%i] : memref<3000xi1>
  }
  affine.for %i = 0 to 3000 {
    %c = affine.load %marks[%i] : memref<3000xi1>
    scf.if %c {
      %k = memref.load %keys[%i] : memref<2000xindex>
      %x = memref.load %h[%k] : memref<2xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %h[%k] : memref<2xi32>
    }
  }
  memref.dealloc %marks : memref<3000xi1>
  return
}
