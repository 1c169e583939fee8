// test: opt --lower-affine --canonicalize --cse
// test: run-opt --entry=same --arg=random:1 --arg=6

// `%i + 1` is made once by lowering, which writes no overflow flags, and once by folding `%i + 2 - 1`, which writes the
// default ones: it is one sum, and one element.
func.func @same(%m: memref<64xf32>, %i: index) -> (f32, f32) {
  %c2 = arith.constant 2 : index
  %j = arith.addi %i, %c2 : index
  %x = affine.load %m[symbol(%i) + 1] : memref<64xf32>
  %y = affine.load %m[symbol(%j) - 1] : memref<64xf32>
  return %x, %y : f32, f32
}
