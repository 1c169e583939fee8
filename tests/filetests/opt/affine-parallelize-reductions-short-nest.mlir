// A sum over 20 rows of 200, each of which is too short for launches of its own: the rows are shared by threads, though
// they are fewer than a loop by itself must have. A nest of 20 rows of 20 stays, as not worth a launch.
// test: opt --affine-parallelize-reductions
// test: run-opt --entry=main --arg=iota --arg=zeros --arg=zeros
// test: run --entry=main --arg=iota --arg=zeros --arg=zeros
// test: run --entry=main --arg=iota --arg=zeros --arg=zeros --map-for=gpu
// expect: arg 2 = [39800, 119800, 199800, 279800, 359800, 439800, 519800, 599800, 679800, 759800, 839800, 919800, 999800, 1079800, 1159800, 1239800, 1319800, 1399800, 1479800, 1559800]
// expect: result 0 = 7998000
func.func @main(%x: memref<20x200xi32>, %y: memref<20x200xi32>, %r: memref<20xi32>) -> i32 {
  %0:3 = memref.distinct_objects %x, %y, %r : memref<20x200xi32>, memref<20x200xi32>, memref<20xi32>
  %z = arith.constant 0 : i32
  %s = affine.for %i = 0 to 20 iter_args(%a = %z) -> i32 {
    %t = affine.for %j = 0 to 200 iter_args(%b = %a) -> i32 {
      %v = affine.load %0#0[%i, %j] : memref<20x200xi32>
      %w = arith.addi %v, %v : i32
      affine.store %w, %0#1[%i, %j] : memref<20x200xi32>
      %c = arith.addi %b, %v : i32
      affine.yield %c : i32
    }
    affine.yield %t : i32
  }
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 200 {
      %v = affine.load %0#1[%i, %j] : memref<20x200xi32>
      %o = affine.load %0#2[%i] : memref<20xi32>
      %n = arith.addi %o, %v : i32
      affine.store %n, %0#2[%i] : memref<20xi32>
    }
  }
  return %s : i32
}

func.func @small(%x: memref<20x20xi32>, %y: memref<20x20xi32>) -> i32 {
  %0:2 = memref.distinct_objects %x, %y : memref<20x20xi32>, memref<20x20xi32>
  %z = arith.constant 0 : i32
  %s = affine.for %i = 0 to 20 iter_args(%a = %z) -> i32 {
    %t = affine.for %j = 0 to 20 iter_args(%b = %a) -> i32 {
      %v = affine.load %0#0[%i, %j] : memref<20x20xi32>
      affine.store %v, %0#1[%i, %j] : memref<20x20xi32>
      %c = arith.addi %b, %v : i32
      affine.yield %c : i32
    }
    affine.yield %t : i32
  }
  return %s : i32
}
