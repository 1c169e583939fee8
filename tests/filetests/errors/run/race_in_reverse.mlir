// test: error run --offload --sanitize=race,bounds,uninit --thread-order=reverse --arg=zeros
// error: 6:10: data race: thread (6, 0, 0) of workgroup (0, 0, 0) reads element [7] that thread (7, 0, 0) of workgroup (0, 0, 0) writes, and no barrier stands between the two
func.func @f(%a: memref<9xi32>) {
  affine.parallel (%i) = (0) to (8) {
    // The iteration before has written it.
    %x = affine.load %a[%i + 1] : memref<9xi32>
    affine.store %x, %a[%i] : memref<9xi32>
  }
  return
}
