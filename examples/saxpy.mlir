// saxpy: a scaled vector is added to another one, in place.
//
//     y[i] = a * x[i] + y[i]          for 0 <= i < 65536
//
// Arguments: a (f32), x (65536 × f32, read), y (65536 × f32, read and written).
// Every iteration is independent of the others, so the whole loop becomes a grid.
//
// Run:  gridloom run examples/saxpy.mlir --arg 2.5 --arg iota --arg ones

func.func @saxpy(%a: f32, %x: memref<65536xf32>, %y: memref<65536xf32>) {
  affine.for %i = 0 to 65536 {
    %xi = affine.load %x[%i] : memref<65536xf32>
    %yi = affine.load %y[%i] : memref<65536xf32>
    %ax = arith.mulf %a, %xi : f32
    %sum = arith.addf %ax, %yi : f32
    affine.store %sum, %y[%i] : memref<65536xf32>
  }
  return
}
