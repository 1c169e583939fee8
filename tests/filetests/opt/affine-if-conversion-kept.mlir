// Elements that branches store in some iterations become results of the branches.
// test: opt --affine-if-conversion
// test: run-opt --entry=first --arg=iota --arg=zeros --arg=zeros --arg=zeros --arg=3.0
// expect: arg 1 = [1]
// expect: arg 2 = [4]
// expect: arg 3 = 4.0
// test: run-opt --entry=first --arg=iota --arg=ones --arg=zeros --arg=zeros --arg=3.0
// expect: arg 1 = [1]
// expect: arg 2 = [0]
// expect: arg 3 = 0.0
// test: run-opt --entry=first_nested --arg=iota --arg=zeros --arg=ones --arg=3.0
// expect: arg 1 = 1
// expect: arg 2 = 4
// test: run-opt --entry=in_the_else_branch --arg=iota --arg=zeros --arg=3.0
// expect: arg 1 = [0, 3]
// test: run-opt --entry=left_summed --arg=iota --arg=zeros --arg=zeros --arg=3.0
// expect: arg 1 = 9
// expect: arg 2 = [0, 0, 0, 0, 0, 4, 9, 15, 22, 30]
// test: run-opt --entry=left_of_rows --arg=iota --arg=zeros --arg=13.0
// expect: arg 1 = [-1, -1, 4, 4]
// test: run-opt --entry=left_unwritten --arg=iota --arg=zeros[4] --arg=3 --arg=3.0
// expect: arg 1 = [0, 0, 0, 9]

// if (x[i] > t && !found) { found = 1; at = i; v = x[i]; }
func.func @first(%x: memref<10xf32>, %found: memref<1xi32>, %at: memref<1xindex>, %v: memref<f32>, %t: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to 10 {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %f = affine.load %found[0] : memref<1xi32>
    %unset = arith.cmpi eq, %f, %c0 : i32
    %takes = arith.andi %hit, %unset : i1
    scf.if %takes {
      affine.store %c1, %found[0] : memref<1xi32>
      affine.store %i, %at[0] : memref<1xindex>
      affine.store %a, %v[] : memref<f32>
    }
  }
  return
}

// if (x[i] > t) { if (!found) at = i; found = 1; }
func.func @first_nested(%x: memref<10xf32>, %found: memref<i32>, %at: memref<i32>, %t: f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to 10 {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    scf.if %hit {
      %f = affine.load %found[] : memref<i32>
      %unset = arith.cmpi eq, %f, %c0 : i32
      scf.if %unset {
        %k = arith.index_cast %i : index to i32
        affine.store %k, %at[] : memref<i32>
      }
      affine.store %c1, %found[] : memref<i32>
    }
  }
  return
}

// The last one that is not above.
func.func @in_the_else_branch(%x: memref<10xf32>, %at: memref<2xindex>, %t: f32) {
  affine.for %i = 0 to 10 {
    %a = affine.load %x[%i] : memref<10xf32>
    %above = arith.cmpf ogt, %a, %t : f32
    scf.if %above {
    } else {
      affine.store %i, %at[1] : memref<2xindex>
    }
  }
  return
}

// The loop adds up what it has found so far.
func.func @left_summed(%x: memref<10xf32>, %at: memref<index>, %sums: memref<10xindex>, %t: f32) {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to 10 iter_args(%sum = %c0) -> index {
    %a = affine.load %x[%i] : memref<10xf32>
    %k = affine.load %at[] : memref<index>
    %s = arith.addi %sum, %k : index
    affine.store %s, %sums[%i] : memref<10xindex>
    %hit = arith.cmpf ogt, %a, %t : f32
    scf.if %hit {
      affine.store %i, %at[] : memref<index>
    }
    affine.yield %s : index
  }
  return
}

// The loop over rows is parallel as it is.
func.func @left_of_rows(%x: memref<4x5xf32>, %at: memref<4xi32>, %t: f32) {
  %none = arith.constant -1 : i32
  affine.for %i = 0 to 4 {
    affine.store %none, %at[%i] : memref<4xi32>
    affine.for %j = 0 to 5 {
      %a = affine.load %x[%i, %j] : memref<4x5xf32>
      %hit = arith.cmpf ogt, %a, %t : f32
      scf.if %hit {
        %k = arith.index_cast %j : index to i32
        affine.store %k, %at[%i] : memref<4xi32>
      }
    }
  }
  return
}

// The element may be out of range where no iteration stores.
func.func @left_unwritten(%x: memref<10xf32>, %at: memref<?xindex>, %k: index, %t: f32) {
  affine.for %i = 0 to 10 {
    %a = affine.load %x[%i] : memref<10xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    scf.if %hit {
      affine.store %i, %at[symbol(%k)] : memref<?xindex>
    }
  }
  return
}
