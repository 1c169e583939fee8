// test: opt --affine-map-to-gpu --gpu-kernel-outlining

// The kernel is named after the function, not after the version of it that launches it.
func.func @two(%a: memref<64xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    affine.store %x, %b[%i] : memref<64xf32>
  }
  return
}
