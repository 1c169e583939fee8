// test: error run --sanitize=race --arg=zeros --no-offload --device=cpu
// error: 6:5: data race: iteration (1) writes element [1] that iteration (0) reads, and nothing orders the two
func.func @f(%a: memref<9xi32>) {
  affine.parallel (%i) = (0) to (8) {
    %x = affine.load %a[%i + 1] : memref<9xi32>
    affine.store %x, %a[%i] : memref<9xi32>
  }
  return
}
