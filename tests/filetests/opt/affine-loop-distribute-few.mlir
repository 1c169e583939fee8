// Attention of one query for four heads, in integers. A thread for each head would leave a device idle, so the products of query and keys
// become a nest over heads and keys, and so do the sums of values; the greatest product of a head and the weights of its keys stay rows.
// test: opt --affine-loop-distribute
// test: run-opt --entry=heads --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros --arg=zeros
// test: run --entry=heads --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros --arg=zeros
// test: run --entry=heads --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros --arg=zeros --map-for=gpu
// test: run-opt --entry=short --arg=random:1 --arg=random:2 --arg=zeros

func.func @heads(%q: memref<4x64xi32>, %k: memref<4x300x64xi32>, %v: memref<4x300x64xi32>, %p: memref<4x300xi32>,
    %o: memref<4x64xi32>) {
  %0:5 = memref.distinct_objects %q, %k, %v, %p, %o
      : memref<4x64xi32>, memref<4x300x64xi32>, memref<4x300x64xi32>, memref<4x300xi32>, memref<4x64xi32>
  %z = arith.constant 0 : i32
  %least = arith.constant -2147483648 : i32
  affine.for %h = 0 to 4 {
    %m = affine.for %j = 0 to 300 iter_args(%b = %least) -> (i32) {
      %s = affine.for %d = 0 to 64 iter_args(%t = %z) -> (i32) {
        %x = affine.load %0#0[%h, %d] : memref<4x64xi32>
        %y = affine.load %0#1[%h, %j, %d] : memref<4x300x64xi32>
        %w = arith.muli %x, %y : i32
        %n = arith.addi %t, %w : i32
        affine.yield %n : i32
      }
      affine.store %s, %0#3[%h, %j] : memref<4x300xi32>
      %n = arith.maxsi %b, %s : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 300 {
      %x = affine.load %0#3[%h, %j] : memref<4x300xi32>
      %y = arith.subi %x, %m : i32
      affine.store %y, %0#3[%h, %j] : memref<4x300xi32>
    }
    affine.for %d = 0 to 64 {
      %s = affine.for %j = 0 to 300 iter_args(%t = %z) -> (i32) {
        %x = affine.load %0#3[%h, %j] : memref<4x300xi32>
        %y = affine.load %0#2[%h, %j, %d] : memref<4x300x64xi32>
        %w = arith.muli %x, %y : i32
        %n = arith.addi %t, %w : i32
        affine.yield %n : i32
      }
      affine.store %s, %0#4[%h, %d] : memref<4x64xi32>
    }
  }
  return
}

// A nest of few rounds is not worth a launch of its own.
func.func @short(%k: memref<4x30x64xi32>, %q: memref<4x64xi32>, %p: memref<4x30xi32>) {
  %0:3 = memref.distinct_objects %k, %q, %p : memref<4x30x64xi32>, memref<4x64xi32>, memref<4x30xi32>
  %z = arith.constant 0 : i32
  affine.for %h = 0 to 4 {
    %m = affine.for %j = 0 to 30 iter_args(%b = %z) -> (i32) {
      %s = affine.for %d = 0 to 64 iter_args(%t = %z) -> (i32) {
        %x = affine.load %0#1[%h, %d] : memref<4x64xi32>
        %y = affine.load %0#0[%h, %j, %d] : memref<4x30x64xi32>
        %w = arith.muli %x, %y : i32
        %n = arith.addi %t, %w : i32
        affine.yield %n : i32
      }
      %n = arith.maxsi %b, %s : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 30 {
      affine.store %m, %0#2[%h, %j] : memref<4x30xi32>
    }
  }
  return
}
