// The program of upper_bound_wraps.mlir where nothing wraps: all eight iterations add 1 to the elements 0 and 1.
//
// test: run --arg=zeros --arg=5
// expect: arg 0 = [8, 8, 0, 0, 0, 0, 0, 0]
func.func @main(%a: memref<8xi32>, %s: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%s] to affine_map<(d0)[s0] -> (d0 + s0 + 2)>(%i)[%s] {
      %x = affine.load %a[%j - symbol(%s) - %i] : memref<8xi32>
      %c = arith.constant 1 : i32
      %y = arith.addi %x, %c : i32
      affine.store %y, %a[%j - symbol(%s) - %i] : memref<8xi32>
    }
  }
  return
}
