// Into memory, over a triangle of 200 rows: the sum of i * (i + 1) for i < 200,
// added to the 1 that is there.
// test: run --arg=ones
// except: SwiftShader: it has no i64
// expect: arg 0 = [2666601]
func.func @triangle(%r: memref<1xi64>) {
  affine.for %i = 0 to 200 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %x = arith.index_cast %i : index to i64
      %t = affine.load %r[0] : memref<1xi64>
      %y = arith.addi %t, %x : i64
      affine.store %y, %r[0] : memref<1xi64>
    }
  }
  return
}
