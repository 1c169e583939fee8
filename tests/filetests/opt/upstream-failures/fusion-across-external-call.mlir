// test: opt "--affine-loop-fusion=maximal"
// A function that is only declared may write what the second loop reads: the loops stay on their sides of the call.
func.func private @elsewhere(memref<8xi32>)

func.func @main(%a: memref<8xi32>, %f: memref<8xi32>, %g: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    affine.store %x, %f[%i] : memref<8xi32>
  }
  func.call @elsewhere(%f) : (memref<8xi32>) -> ()
  affine.for %i = 0 to 8 {
    %x = affine.load %f[%i] : memref<8xi32>
    affine.store %x, %g[%i] : memref<8xi32>
  }
  return
}
