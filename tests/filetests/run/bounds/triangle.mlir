// Elements at and below the diagonal, by an inner loop as long as the outer counter says, and back from the end.
// test: run --arg=zeros[4x4] --arg=iota[4] --arg=4
// expect: arg 0 = [3, 0, 0, 0, 2, 3, 0, 0, 1, 2, 3, 0, 0, 1, 2, 3]
// test: stages --offload=target=cpu
func.func @main(%a: memref<?x?xf32>, %b: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = affine.load %b[symbol(%n) - 1 - %i + %j] : memref<?xf32>
      affine.store %x, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
