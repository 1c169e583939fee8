// At the lowest level, loops that are parallel as written become kernels; that others stay is said, with what
// would try more.
//
// test: stages --offload=opt-level=0
// remark: 22:10: each iteration needs the result of the previous one
// remark: 31:3: an anti dependence of distance 1 to 299
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

func.func @total(%x: memref<5000xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 5000 iter_args(%before = %zero) -> (f32) {
    %v = affine.load %x[%i] : memref<5000xf32>
    %after = arith.addf %before, %v : f32
    affine.yield %after : f32
  }
  return %sum : f32
}

func.func @column_sums(%x: memref<300x200xf32>, %y: memref<200xf32>) {
  affine.for %i = 0 to 300 {
    affine.for %j = 0 to 200 {
      %v = affine.load %x[%i, %j] : memref<300x200xf32>
      %before = affine.load %y[%j] : memref<200xf32>
      %after = arith.addf %before, %v : f32
      affine.store %after, %y[%j] : memref<200xf32>
    }
  }
  return
}
