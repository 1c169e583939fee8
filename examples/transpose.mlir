// transpose: from a matrix stored row by row into one stored column by column.
//
//     b[j, i] = a[i, j]          for 0 <= i < 192, 0 <= j < 320
//
// Arguments: a (192 × 320 × f32, read), b (320 × 192 × f32, written).
// The layout map on b says that its element (j, i) lies in memory where a plain
// 192 × 320 array has (i, j). Files and printed results are in logical order
// whatever the layout, so b reads as the transpose of a, while in memory the
// two hold the same bytes: the kernel is a straight copy.
//
// Run:  gridloom run examples/transpose.mlir --arg iota --arg zeros

#by_columns = affine_map<(d0, d1) -> (d1, d0)>

func.func @transpose(%a: memref<192x320xf32>, %b: memref<320x192xf32, #by_columns>) {
  affine.for %i = 0 to 192 {
    affine.for %j = 0 to 320 {
      %aij = affine.load %a[%i, %j] : memref<192x320xf32>
      affine.store %aij, %b[%j, %i] : memref<320x192xf32, #by_columns>
    }
  }
  return
}
