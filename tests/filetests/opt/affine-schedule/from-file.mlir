// test: opt --affine-schedule=file=tests/filetests/opt/affine-schedule/from-file.schedule
// test: run-opt --entry=copy --arg=random:1

// The schedule of a file, with comments and blanks.
func.func @copy(%a: memref<2x16x16xi32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %x = affine.load %a[0, %i, %j] : memref<2x16x16xi32>
      affine.store %x, %a[1, %i, %j] : memref<2x16x16xi32>
    }
  }
  return
}
