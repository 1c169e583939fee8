// Every %by-th element from %first on: the bound divides by a number of the run.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=slice --arg=iota[10] --arg=zeros[10] --arg=1 --arg=3
// expect: arg 1 = [1, 4, 7, 0, 0, 0, 0, 0, 0, 0]
// test: run-opt --entry=in_the_bound --arg=iota[10] --arg=zeros[10] --arg=4
// expect: arg 1 = [0, 4, 0, 0, 0, 0, 0, 0, 0, 0]
// test: run --no-specialize --entry=slice --arg=iota[10] --arg=zeros[10] --arg=1 --arg=3
// expect: arg 1 = [1, 4, 7, 0, 0, 0, 0, 0, 0, 0]

func.func @slice(%from: memref<?xf32>, %to: memref<?xf32>, %first: index, %by: index) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %from, %c0 : memref<?xf32>
  %n = affine.apply affine_map<()[n, first, by] -> ((n - first) floordiv by)>()[%size, %first, %by]
  affine.for %i = 0 to %n {
    %scaled = arith.muli %i, %by : index
    %at = arith.addi %scaled, %first : index
    %v = memref.load %from[%at] : memref<?xf32>
    affine.store %v, %to[%i] : memref<?xf32>
  }
  return
}

func.func @in_the_bound(%from: memref<?xf32>, %to: memref<?xf32>, %by: index) {
  %c0 = arith.constant 0 : index
  %size = memref.dim %from, %c0 : memref<?xf32>
  affine.for %i = 0 to affine_map<()[n, by] -> (n floordiv by)>()[%size, %by] {
    %at = arith.muli %i, %by : index
    %v = memref.load %from[%at] : memref<?xf32>
    affine.store %v, %to[%i] : memref<?xf32>
  }
  return
}
