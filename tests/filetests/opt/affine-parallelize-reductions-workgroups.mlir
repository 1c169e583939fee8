// Reductions for targets whose workgroups have memory of their own.
// test: opt --affine-parallelize-reductions=target=gpu
// test: run-opt --entry=sum --arg=iota --arg=ones
// test: run-opt --entry=short --arg=iota --arg=ones
// test: run-opt --entry=open --arg=iota[1] --arg=zeros
// test: run-opt --entry=open --arg=iota[1100] --arg=zeros
// test: run-opt --entry=row_sums --arg=random:1 --arg=zeros
// test: run-opt --entry=few --arg=random:1 --arg=zeros
// test: stages --affine-parallelize-reductions=target=gpu

// Each workgroup leaves one partial result, and one workgroup combines these with what was there.
func.func @sum(%a: memref<9001xi32>, %s: memref<i32>) {
  %before = affine.load %s[] : memref<i32>
  %all = affine.for %i = 0 to 9001 iter_args(%acc = %before) -> i32 {
    %x = affine.load %a[%i] : memref<9001xi32>
    %y = arith.addi %acc, %x : i32
    affine.yield %y : i32
  }
  affine.store %all, %s[] : memref<i32>
  return
}

// Enough for one workgroup only.
func.func @short(%a: memref<1001xi32>, %s: memref<i32>) {
  %zero = arith.constant 0 : i32
  %all = affine.for %i = 0 to 1001 iter_args(%acc = %zero) -> i32 {
    %x = affine.load %a[%i] : memref<1001xi32>
    %y = arith.addi %acc, %x : i32
    affine.yield %y : i32
  }
  affine.store %all, %s[] : memref<i32>
  return
}

// As many workgroups for any number of iterations.
func.func @open(%a: memref<?xi32>, %s: memref<i32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %zero = arith.constant 0 : i32
  %all = affine.for %i = 0 to %n iter_args(%acc = %zero) -> i32 {
    %x = affine.load %a[%i] : memref<?xi32>
    %y = arith.addi %acc, %x : i32
    affine.yield %y : i32
  }
  affine.store %all, %s[] : memref<i32>
  return
}

// A workgroup for each row.
func.func @row_sums(%a: memref<256x512xi32>, %s: memref<256xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 256 {
    %all = affine.for %j = 0 to 512 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<256x512xi32>
      %y = arith.addi %acc, %x : i32
      affine.yield %y : i32
    }
    affine.store %all, %s[%i] : memref<256xi32>
  }
  return
}

// 512 iterations are few for what each computes of every element: 4 chunks of each.
func.func @few(%a: memref<512xi32>, %s: memref<512xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %own = affine.load %a[%i] : memref<512xi32>
    %all = affine.for %j = 0 to 512 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%j] : memref<512xi32>
      %d = arith.subi %x, %own : i32
      %q = arith.muli %d, %d : i32
      %c = arith.muli %q, %d : i32
      %y = arith.addi %acc, %c : i32
      affine.yield %y : i32
    }
    affine.store %all, %s[%i] : memref<512xi32>
  }
  return
}
