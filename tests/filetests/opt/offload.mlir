// The outer loop of `rows` is parallel and becomes the grid, the inner one stays in a thread;
// `scan` carries a value from each iteration to the next and stays on the host.
//
// test: stages --offload
// remark: 20:3: a flow dependence of distance 1
func.func @rows(%x: memref<20x7xf32>, %y: memref<20xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 20 {
    %sum = affine.for %j = 0 to 7 iter_args(%before = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<20x7xf32>
      %after = arith.addf %before, %v : f32
      affine.yield %after : f32
    }
    affine.store %sum, %y[%i] : memref<20xf32>
  }
  return
}

func.func @scan(%x: memref<20xf32>) {
  affine.for %i = 1 to 20 {
    %before = affine.load %x[%i - 1] : memref<20xf32>
    %v = affine.load %x[%i] : memref<20xf32>
    %sum = arith.addf %before, %v : f32
    affine.store %sum, %x[%i] : memref<20xf32>
  }
  return
}
