// Scans along rows in the memory of workgroups.
// test: opt --affine-parallelize-scans=target=gpu
// test: run-opt --entry=beside --arg=iota --arg=zeros
// expect: result 0 = 64
// test: run-opt --entry=complete --arg=random:1 --arg=zeros
// test: run-opt --entry=in_part --arg=random:1[3x9] --arg=zeros[3x9] --arg=zeros[3]
// test: run-opt --entry=in_part --arg=random:1[2x5000] --arg=zeros[2x5000] --arg=zeros[2]
// test: run-opt --entry=columns --arg=random:1 --arg=zeros
// test: stages --affine-parallelize-scans=target=gpu

// Tiles that are complete, of two iterations a thread, whose elements lie three places apart.
func.func @complete(%a: memref<4x64xi32>, %b: memref<4x64xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %r = 0 to 4 {
    affine.for %i = 0 to 64 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%r, %i] : memref<4x64xi32>
      %y = arith.addi %acc, %x : i32
      affine.store %y, %b[%r, %i] : memref<4x64xi32>
      affine.yield %y : i32
    }
  }
  return
}

// What goes into the sum is stored, and the last value; rows of open length.
func.func @in_part(%a: memref<?x?xi64>, %b: memref<?x?xi64>, %c: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xi64>
  %n = memref.dim %a, %c1 : memref<?x?xi64>
  %one = arith.constant 1 : i64
  affine.for %r = 0 to %m {
    %last = affine.for %i = 0 to %n iter_args(%acc = %one) -> i64 {
      %x = affine.load %a[%r, %i] : memref<?x?xi64>
      affine.store %acc, %b[%r, %i] : memref<?x?xi64>
      %y = arith.maxsi %acc, %x : i64
      affine.yield %y : i64
    }
    affine.store %last, %c[%r] : memref<?xi64>
  }
  return
}

// Threads that scan columns access adjacent elements as they are.
func.func @columns(%a: memref<64x4xi32>, %b: memref<64x4xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %r = 0 to 4 {
    affine.for %i = 0 to 64 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %r] : memref<64x4xi32>
      %y = arith.addi %acc, %x : i32
      affine.store %y, %b[%i, %r] : memref<64x4xi32>
      affine.yield %y : i32
    }
  }
  return
}

// Rows in memory of the function itself, and a loop without a scan: only that one would need arguments to be apart, so that
// the function has one version.
func.func @beside(%a: memref<4xi32>, %b: memref<4xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %r = 0 to 4 {
    %x = affine.load %a[%r] : memref<4xi32>
    affine.store %x, %b[%r] : memref<4xi32>
  }
  %t = memref.alloc() : memref<4x64xi32>
  affine.for %r = 0 to 4 {
    affine.for %i = 0 to 64 iter_args(%acc = %zero) -> i32 {
      %y = arith.addi %acc, %one : i32
      affine.store %y, %t[%r, %i] : memref<4x64xi32>
      affine.yield %y : i32
    }
  }
  %last = affine.load %t[3, 63] : memref<4x64xi32>
  memref.dealloc %t : memref<4x64xi32>
  return %last : i32
}
