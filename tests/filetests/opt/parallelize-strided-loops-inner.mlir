// A loop with a run-time stride inside of a parallel one is parallel, too, where the stride is not 0; else each thread runs it.
// test: opt --parallelize-strided-loops
// test: run --no-specialize --entry=rows --arg=iota[2x3] --arg=ones[4x3] --arg=1 --arg=2
// test: run-opt --entry=rows --arg=iota[2x3] --arg=ones[4x3] --arg=1 --arg=2
// expect: arg 1 = [0, 1, 2, 1, 1, 1, 3, 4, 5, 1, 1, 1]
// test: run --no-specialize --entry=rows --arg=iota[2x3] --arg=ones[2x3] --arg=1 --arg=0
// test: run-opt --entry=rows --arg=iota[2x3] --arg=ones[2x3] --arg=1 --arg=0
// expect: arg 1 = [3, 4, 5, 1, 1, 1]
// test: run --no-specialize --entry=rows --arg=iota[1x1] --arg=ones[1x1] --arg=5 --arg=7
// expect: arg 1 = [0]
// test: run --no-specialize --entry=rows --arg=iota[0x3] --arg=ones[1x3] --arg=5 --arg=7
// expect: arg 1 = [1, 1, 1]
// test: run --no-specialize --entry=rows --arg=random:1[67x33] --arg=zeros[199x33] --arg=1 --arg=3

func.func @rows(%x: memref<?x?xi32>, %y: memref<?x?xi32>, %rs: index, %ys: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xi32>
  %m = memref.dim %x, %c1 : memref<?x?xi32>
  affine.for %j = 0 to %m {
    affine.for %i = 0 to %n {
      %r = arith.muli %i, %rs : index
      %q = arith.muli %i, %ys : index
      %a = memref.load %x[%r, %j] : memref<?x?xi32>
      memref.store %a, %y[%q, %j] : memref<?x?xi32>
    }
  }
  return
}
