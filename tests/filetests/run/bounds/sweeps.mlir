// Two sweeps there and back of the mean of neighbours: one test in front of the loop over time, for both nests.
// test: run --arg=iota[6] --arg=zeros[6] --arg=2
// expect: arg 0 = [0, 1, 1.375, 3, 0.875, 5]
// test: stages --offload=target=cpu
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>, %t: index) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %s = 0 to %t {
    affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
      %l = affine.load %a[%i - 1] : memref<?xf32>
      %r = affine.load %a[%i + 1] : memref<?xf32>
      %x = arith.addf %l, %r : f32
      %y = arith.mulf %x, %half : f32
      affine.store %y, %b[%i] : memref<?xf32>
    }
    affine.for %i = 1 to affine_map<(d0) -> (d0 - 1)>(%n) {
      %l = affine.load %b[%i - 1] : memref<?xf32>
      %r = affine.load %b[%i + 1] : memref<?xf32>
      %x = arith.addf %l, %r : f32
      %y = arith.mulf %x, %half : f32
      affine.store %y, %a[%i] : memref<?xf32>
    }
  }
  return
}
