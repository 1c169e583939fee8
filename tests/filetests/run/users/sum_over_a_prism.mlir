// A sum whose innermost bounds depend on both counters around it.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [0, 21, 129, 390, 870, 1635, 2751, 4284, 6300, 8865, 12045, 15205, 18104, 20720, 23031, 25015, 26650, 27914, 28785, 29241]
func.func @sum_over_a_prism(%a: memref<20x20xf64>, %o: memref<20xf64>) {
  affine.for %i = 0 to 20 {
    %z = arith.constant 0.0 : f64
    affine.store %z, %o[%i] : memref<20xf64>
    affine.for %j = 0 to affine_map<(d0)->(d0+1)>(%i) {
      affine.for %k = affine_map<(d0)->(d0)>(%j) to min affine_map<(d0,d1)->(20, d0+d1)>(%i, %j) {
        %x = affine.load %a[%j, %k] : memref<20x20xf64>
        %y = affine.load %o[%i] : memref<20xf64>
        %s = arith.addf %x, %y : f64
        affine.store %s, %o[%i] : memref<20xf64>
      }
    }
  }
  return
}
