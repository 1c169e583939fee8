// Updates by a load, an operation and a store become atomic where they are all that ties a loop: counts
// and weights of bins, and the extrema of their members. Values are 0 to 63 and bin is value mod 8,
// so that bin b has b, b + 8, ..., b + 56: eight of them, with a sum of 8 b + 224.
// test: run --arg=iota --arg=zeros --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [8, 8, 8, 8, 8, 8, 8, 8]
// expect: arg 2 = [224, 232, 240, 248, 256, 264, 272, 280]
// expect: arg 3 = [56, 57, 58, 59, 60, 61, 62, 63]
// expect: arg 4 = [-224, -232, -240, -248, -256, -264, -272, -280]
func.func @histograms(%values: memref<64xi32>, %counts: memref<8xi32>, %sums: memref<8xf32>,
                      %most: memref<8xi32>, %less: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %values[%i] : memref<64xi32>
    %r = arith.remui %v, %eight : i32
    %b = arith.index_cast %r : i32 to index
    %n = memref.load %counts[%b] : memref<8xi32>
    %m = arith.addi %one, %n : i32
    memref.store %m, %counts[%b] : memref<8xi32>
    %x = arith.sitofp %v : i32 to f32
    %s = memref.load %sums[%b] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    memref.store %t, %sums[%b] : memref<8xf32>
    %h = memref.load %most[%b] : memref<8xi32>
    %g = arith.maxsi %h, %v : i32
    memref.store %g, %most[%b] : memref<8xi32>
    %k = memref.load %less[%b] : memref<8xi32>
    %l = arith.subi %k, %v : i32
    memref.store %l, %less[%b] : memref<8xi32>
  }
  return
}
