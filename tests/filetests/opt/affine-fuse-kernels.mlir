// test: opt --affine-fuse-kernels --affine-scalrep
// test: run --entry=chain --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=chain --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [-1, 1, 3, 5, 3, 5, 7, 9, 7, 9, 11, 13]
// test: run --entry=product --arg=iota --arg=iota --arg=zeros
// test: run-opt --entry=product --arg=iota --arg=iota --arg=zeros
// expect: arg 2 = [7, 8, 11, 16]
// test: run --entry=siblings --arg=iota[5] --arg=zeros[5] --arg=zeros[5]
// test: run-opt --entry=siblings --arg=iota[5] --arg=zeros[5] --arg=zeros[5]
// expect: arg 1 = [0, 2, 4, 6, 8]
// expect: arg 2 = [0, 1, 4, 9, 16]
// test: run --entry=greatest --arg=iota --arg=zeros
// test: run-opt --entry=greatest --arg=iota --arg=zeros
// expect: arg 1 = [12, 13, 14, 15]

// Three nests over temporaries, one of which is freed in between: one nest without either.
func.func @chain(%x: memref<3x4xi32>, %b: memref<4xi32>, %y: memref<3x4xi32>) {
  %one = arith.constant 1 : i32
  %t = memref.alloc() : memref<3x4xi32>
  %u = memref.alloc() : memref<3x4xi32>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<3x4xi32>
      %c = affine.load %b[%j] : memref<4xi32>
      %d = arith.addi %a, %c : i32
      affine.store %d, %t[%i, %j] : memref<3x4xi32>
    }
  }
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %a = affine.load %t[%i, %j] : memref<3x4xi32>
      affine.store %a, %u[%i, %j] : memref<3x4xi32>
    }
  }
  memref.dealloc %t : memref<3x4xi32>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %a = affine.load %u[%i, %j] : memref<3x4xi32>
      %d = arith.subi %a, %one : i32
      affine.store %d, %y[%i, %j] : memref<3x4xi32>
    }
  }
  memref.dealloc %u : memref<3x4xi32>
  return
}

// Zeros, a product and what is done with its elements: the sum starts from a constant, and is stored
// once.
func.func @product(%a: memref<2x2xi32>, %b: memref<2x2xi32>, %y: memref<2x2xi32>) {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %c = memref.alloc() : memref<2x2xi32>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      affine.store %zero, %c[%i, %j] : memref<2x2xi32>
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 2 {
        %l = affine.load %a[%i, %k] : memref<2x2xi32>
        %r = affine.load %b[%k, %j] : memref<2x2xi32>
        %p = arith.muli %l, %r : i32
        %s = affine.load %c[%i, %j] : memref<2x2xi32>
        %n = arith.addi %s, %p : i32
        affine.store %n, %c[%i, %j] : memref<2x2xi32>
      }
    }
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 2 {
      %s = affine.load %c[%i, %j] : memref<2x2xi32>
      %u = arith.addi %s, %five : i32
      %v = arith.maxsi %u, %five : i32
      affine.store %v, %y[%i, %j] : memref<2x2xi32>
    }
  }
  memref.dealloc %c : memref<2x2xi32>
  return
}

// Both read the same elements.
func.func @siblings(%x: memref<?xi32>, %y: memref<?xi32>, %z: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xi32>
    %s = arith.addi %a, %a : i32
    affine.store %s, %y[%i] : memref<?xi32>
  }
  affine.for %i = 0 to %n {
    %a = affine.load %x[%i] : memref<?xi32>
    %p = arith.muli %a, %a : i32
    affine.store %p, %z[%i] : memref<?xi32>
  }
  return
}

// The first row, then the greatest element of each column: the reduction starts from a loaded element, and is stored once.
func.func @greatest(%x: memref<4x4xi32>, %y: memref<4xi32>) {
  affine.for %j = 0 to 4 {
    %a = affine.load %x[0, %j] : memref<4x4xi32>
    affine.store %a, %y[%j] : memref<4xi32>
  }
  affine.for %j = 0 to 4 {
    affine.for %i = 1 to 4 {
      %a = affine.load %y[%j] : memref<4xi32>
      %b = affine.load %x[%i, %j] : memref<4x4xi32>
      %m = arith.maxsi %a, %b : i32
      affine.store %m, %y[%j] : memref<4xi32>
    }
  }
  return
}
