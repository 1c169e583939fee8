// `-` may be part of a name, so `%i-1` is one name and no difference.
// test: error
// error: 6:25: use of undeclared SSA value name '%i-1'
func.func @previous(%x: memref<8xf32>, %y: memref<8xf32>) {
  affine.for %i = 1 to 8 {
    %v = affine.load %x[%i-1] : memref<8xf32>
    affine.store %v, %y[%i] : memref<8xf32>
  }
  return
}
