// Blocks of a scan in the memory of workgroups.
// test: opt --affine-parallelize-scans=target=gpu
// test: run-opt --entry=after --arg=random:1 --arg=zeros
// test: run-opt --entry=before --arg=random:1[3] --arg=zeros[3] --arg=zeros
// test: run-opt --entry=before --arg=random:1[10001] --arg=zeros[10001] --arg=zeros
// test: stages --affine-parallelize-scans=target=gpu

// What comes out of the sum is stored.
func.func @after(%a: memref<8193xi32>, %b: memref<8193xi32>) {
  %zero = arith.constant 0 : i32
  %last = affine.for %i = 0 to 8193 iter_args(%acc = %zero) -> i32 {
    %x = affine.load %a[%i] : memref<8193xi32>
    %y = arith.addi %acc, %x : i32
    affine.store %y, %b[%i] : memref<8193xi32>
    affine.yield %y : i32
  }
  return
}

// What goes into it is, with the term, and the last value after it; every second element, of so many as
// the argument has.
func.func @before(%a: memref<?xi64>, %b: memref<?xi64>, %c: memref<1xi64>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi64>
  %one = arith.constant 1 : i64
  %last = affine.for %i = 1 to %n step 2 iter_args(%acc = %one) -> i64 {
    %x = affine.load %a[%i] : memref<?xi64>
    %p = arith.muli %acc, %x : i64
    %y = arith.maxsi %acc, %x : i64
    affine.store %p, %b[%i] : memref<?xi64>
    affine.yield %y : i64
  }
  affine.store %last, %c[0] : memref<1xi64>
  return
}
