// test: opt --affine-parallelize-arg-updates
// test: run-opt --entry=first_of_open --arg=iota[40] --arg=random:1[40] --arg=zeros[8x2] --arg=zeros[8x2]
// test: run-opt --entry=left_by_the_old_one --arg=random:2 --arg=zeros --arg=zeros
// test: run-opt --entry=left_elsewhere --arg=random:3 --arg=zeros --arg=zeros
// test: run-opt --entry=left_wide --arg=random:4 --arg=zeros --arg=zeros

// Equal candidates leave the first one; iterations are numbered through both loops.
func.func @first_of_open(%key: memref<?xi32>, %a: memref<?xf32>, %max: memref<?x?xf32>, %at: memref<?x?xi32>) {
  %seven = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 1 to %n step 2 {
    affine.for %j = 2 to 8 step 3 {
      %k = affine.load %key[%i] : memref<?xi32>
      %low = arith.andi %k, %seven : i32
      %row = arith.index_cast %low : i32 to index
      %bit = arith.andi %k, %one : i32
      %column = arith.index_cast %bit : i32 to index
      %v = affine.load %a[%i] : memref<?xf32>
      %m = memref.load %max[%row, %column] : memref<?x?xf32>
      %c = arith.cmpf ogt, %v, %m : f32
      scf.if %c {
        memref.store %v, %max[%row, %column] : memref<?x?xf32>
        %x = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
        %p = arith.index_cast %x : index to i32
        memref.store %p, %at[%row, %column] : memref<?x?xi32>
      }
    }
  }
  return
}

// What is stored beside the extremum is the one before.
func.func @left_by_the_old_one(%a: memref<40xi32>, %max: memref<8xi32>, %second: memref<8xi32>) {
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 40 {
    %v = affine.load %a[%i] : memref<40xi32>
    %low = arith.andi %v, %seven : i32
    %k = arith.index_cast %low : i32 to index
    %m = memref.load %max[%k] : memref<8xi32>
    %c = arith.cmpi sgt, %v, %m : i32
    scf.if %c {
      memref.store %m, %second[%k] : memref<8xi32>
      memref.store %v, %max[%k] : memref<8xi32>
    }
  }
  return
}

// Iterations of several keys store to one element.
func.func @left_elsewhere(%a: memref<40xi32>, %max: memref<8xi32>, %last: memref<1xi32>) {
  %seven = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 40 {
    %v = affine.load %a[%i] : memref<40xi32>
    %low = arith.andi %v, %seven : i32
    %k = arith.index_cast %low : i32 to index
    %m = memref.load %max[%k] : memref<8xi32>
    %c = arith.cmpi sgt, %v, %m : i32
    scf.if %c {
      memref.store %v, %max[%k] : memref<8xi32>
      memref.store %v, %last[%c0] : memref<1xi32>
    }
  }
  return
}

// Kernels update no 64 bits atomically.
func.func @left_wide(%a: memref<40xi64>, %max: memref<8xi64>, %at: memref<8xi32>) {
  %seven = arith.constant 7 : i64
  affine.for %i = 0 to 40 {
    %v = affine.load %a[%i] : memref<40xi64>
    %low = arith.andi %v, %seven : i64
    %k = arith.index_cast %low : i64 to index
    %m = memref.load %max[%k] : memref<8xi64>
    %c = arith.cmpi sgt, %v, %m : i64
    scf.if %c {
      memref.store %v, %max[%k] : memref<8xi64>
      %p = arith.index_cast %i : index to i32
      memref.store %p, %at[%k] : memref<8xi32>
    }
  }
  return
}
