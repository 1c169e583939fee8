// Forces between pairs, in the order of the program: what is subtracted from a body comes before what is added to it.
//
// except: SwiftShader: it flushes subnormal numbers, so strict floats are refused
// test: run --fp=strict --entry=products --arg=40 --arg=iota[40] --arg=zeros[40]
// expect: arg 2 = [0, 779, 1552, 2313, 3056, 3775, 4464, 5117, 5728, 6291, 6800, 7249, 7632, 7943, 8176, 8325, 8384, 8347, 8208, 7961, 7600, 7119, 6512, 5773, 4896, 3875, 2704, 1377, -112, -1769, -3600, -5611, -7808, -10197, -12784, -15575, -18576, -21793, -25232, -28899]
func.func @products(%n: index, %x: memref<?xf32>, %f: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to %n {
      %a = affine.load %x[%i] : memref<?xf32>
      %b = affine.load %x[%j] : memref<?xf32>
      %g = arith.mulf %a, %b : f32
      %fi = affine.load %f[%i] : memref<?xf32>
      %more = arith.addf %fi, %g : f32
      affine.store %more, %f[%i] : memref<?xf32>
      %fj = affine.load %f[%j] : memref<?xf32>
      %less = arith.subf %fj, %g : f32
      affine.store %less, %f[%j] : memref<?xf32>
    }
  }
  return
}
