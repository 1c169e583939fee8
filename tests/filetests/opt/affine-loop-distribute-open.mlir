// Attention of one query for each head, of sizes that the run knows, in integers. Up to 64 heads with 16384 products each or more are
// distributed over the products of query and keys, the rows of weights, and the sums of values; of others each head is a thread.
// test: opt --affine-loop-distribute
// test: run-opt --entry=heads --arg=ones[2x4] --arg=iota[2x4096x4] --arg=iota[2x4096x4] --arg=zeros[2x4096] --arg=zeros[2x4]
// test: run --entry=heads --arg=ones[2x4] --arg=iota[2x4096x4] --arg=iota[2x4096x4] --arg=zeros[2x4096] --arg=zeros[2x4]
// expect: arg 4 = [1968439296, 1834254336, 1700069376, 1565884416, -1789657088, -1923842048, -2058027008, 2102755328]
// test: run-opt --entry=heads --arg=ones[2x4] --arg=iota[2x3x4] --arg=iota[2x3x4] --arg=zeros[2x3] --arg=zeros[2x4]
// test: run --entry=heads --arg=ones[2x4] --arg=iota[2x3x4] --arg=iota[2x3x4] --arg=zeros[2x3] --arg=zeros[2x4]
// expect: arg 4 = [-64, -112, -160, -208, -640, -688, -736, -784]
// test: run-opt --entry=batches --arg=ones[2x3x64] --arg=iota[2x3x256x64] --arg=zeros[2x3x256] --arg=zeros[2x3]
// test: run --entry=batches --arg=ones[2x3x64] --arg=iota[2x3x256x64] --arg=zeros[2x3x256] --arg=zeros[2x3]
// expect: arg 3 = [1046496, 2095072, 3143648, 4192224, 5240800, 6289376]
// test: run --entry=batches --arg=ones[0x3x64] --arg=iota[0x3x256x64] --arg=zeros[0x3x256] --arg=zeros[0x3]
// test: run-opt --entry=heads --arg=ones[65x64] --arg=random:1[65x256x64] --arg=random:2[65x256x64] --arg=zeros[65x256] --arg=zeros[65x64]
// test: run --entry=batches --arg=random:3[5x13x64] --arg=random:1[5x13x256x64] --arg=zeros[5x13x256] --arg=zeros[5x13]

func.func @heads(%q: memref<?x?xi32>, %k: memref<?x?x?xi32>, %v: memref<?x?x?xi32>, %p: memref<?x?xi32>, %o: memref<?x?xi32>) {
  %0:5 = memref.distinct_objects %q, %k, %v, %p, %o
      : memref<?x?xi32>, memref<?x?x?xi32>, memref<?x?x?xi32>, memref<?x?xi32>, memref<?x?xi32>
  %z = arith.constant 0 : i32
  %least = arith.constant -2147483648 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %hs = memref.dim %0#1, %c0 : memref<?x?x?xi32>
  %ts = memref.dim %0#1, %c1 : memref<?x?x?xi32>
  %ds = memref.dim %0#1, %c2 : memref<?x?x?xi32>
  affine.for %h = 0 to %hs {
    affine.for %j = 0 to %ts {
      %s = affine.for %d = 0 to %ds iter_args(%t = %z) -> (i32) {
        %x = affine.load %0#0[%h, %d] : memref<?x?xi32>
        %y = affine.load %0#1[%h, %j, %d] : memref<?x?x?xi32>
        %w = arith.muli %x, %y : i32
        %n = arith.addi %t, %w : i32
        affine.yield %n : i32
      }
      affine.store %s, %0#3[%h, %j] : memref<?x?xi32>
    }
    %m = affine.for %j = 0 to %ts iter_args(%b = %least) -> (i32) {
      %s = affine.load %0#3[%h, %j] : memref<?x?xi32>
      %n = arith.maxsi %b, %s : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to %ts {
      %x = affine.load %0#3[%h, %j] : memref<?x?xi32>
      %y = arith.subi %x, %m : i32
      affine.store %y, %0#3[%h, %j] : memref<?x?xi32>
    }
    affine.for %d = 0 to %ds {
      %s = affine.for %j = 0 to %ts iter_args(%t = %z) -> (i32) {
        %x = affine.load %0#3[%h, %j] : memref<?x?xi32>
        %y = affine.load %0#2[%h, %j, %d] : memref<?x?x?xi32>
        %w = arith.muli %x, %y : i32
        %n = arith.addi %t, %w : i32
        affine.yield %n : i32
      }
      affine.store %s, %0#4[%h, %d] : memref<?x?xi32>
    }
  }
  return
}

// The heads of several images: the number that is compared is a product. The greatest sum of a head takes all of its sums.
func.func @batches(%q: memref<?x?x64xi32>, %k: memref<?x?x?x64xi32>, %p: memref<?x?x?xi32>, %o: memref<?x?xi32>) {
  %0:4 = memref.distinct_objects %q, %k, %p, %o
      : memref<?x?x64xi32>, memref<?x?x?x64xi32>, memref<?x?x?xi32>, memref<?x?xi32>
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %bs = memref.dim %0#1, %c0 : memref<?x?x?x64xi32>
  %hs = memref.dim %0#1, %c1 : memref<?x?x?x64xi32>
  %ts = memref.dim %0#1, %c2 : memref<?x?x?x64xi32>
  affine.for %b = 0 to %bs {
    affine.for %h = 0 to %hs {
      affine.for %j = 0 to %ts {
        %s = affine.for %d = 0 to 64 iter_args(%t = %z) -> (i32) {
          %x = affine.load %0#0[%b, %h, %d] : memref<?x?x64xi32>
          %y = affine.load %0#1[%b, %h, %j, %d] : memref<?x?x?x64xi32>
          %w = arith.muli %x, %y : i32
          %n = arith.addi %t, %w : i32
          affine.yield %n : i32
        }
        affine.store %s, %0#2[%b, %h, %j] : memref<?x?x?xi32>
      }
      %m = affine.for %j = 0 to %ts iter_args(%g = %z) -> (i32) {
        %s = affine.load %0#2[%b, %h, %j] : memref<?x?x?xi32>
        %n = arith.maxsi %g, %s : i32
        affine.yield %n : i32
      }
      affine.store %m, %0#3[%b, %h] : memref<?x?xi32>
    }
  }
  return
}
