// imperfect: a nest with statements before and after its inner loop.
//
//     scale[i] = 0.5 * a[i, 0]
//     b[i, j]  = a[i, j] * scale[i]                 for 0 <= i < 200, 0 <= j < 120
//     ends[i]  = b[i, 119] + a[i, 0]
//
// Arguments: a (200 × 120 × f32, read), b (200 × 120 × f32, written),
// scale, ends (200 × f32, written).
// The inner loop needs what the statement before it stored, and the statement
// after it needs what the inner loop stored: spreading i and j over one grid
// without keeping that order gives wrong sums in `ends`.
//
// Run:  gridloom run examples/imperfect.mlir --arg random:1 --arg zeros --arg zeros --arg zeros

func.func @imperfect(%a: memref<200x120xf32>, %b: memref<200x120xf32>,
                     %scale: memref<200xf32>, %ends: memref<200xf32>) {
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 200 {
    %first = affine.load %a[%i, 0] : memref<200x120xf32>
    %factor = arith.mulf %half, %first : f32
    affine.store %factor, %scale[%i] : memref<200xf32>
    affine.for %j = 0 to 120 {
      %aij = affine.load %a[%i, %j] : memref<200x120xf32>
      %s = affine.load %scale[%i] : memref<200xf32>
      %scaled = arith.mulf %aij, %s : f32
      affine.store %scaled, %b[%i, %j] : memref<200x120xf32>
    }
    %last = affine.load %b[%i, 119] : memref<200x120xf32>
    %end = arith.addf %last, %first : f32
    affine.store %end, %ends[%i] : memref<200xf32>
  }
  return
}
