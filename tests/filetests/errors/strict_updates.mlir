// Updates whose order strict floats keep: the remark says what would permit atomic ones.
//
// test: error compile --fp=strict --remarks
// exit: 0
// remark: 8:3: known only when the program runs; strict floats keep the order of these updates, since the first one of +0 and -0 stays; relaxed floats, fastmath<nsz> on the comparison, or a value that is never -0 (such as of math.absf) permit atomic ones
// remark: 17:3: known only when the program runs; strict floats keep the order of these updates; relaxed floats permit atomic ones
func.func @f(%k: memref<64xindex>, %a: memref<64xf32>, %most: memref<8xf32>, %sums: memref<8xf32>) {
  affine.for %i = 0 to 64 {
    %b = affine.load %k[%i] : memref<64xindex>
    %x = affine.load %a[%i] : memref<64xf32>
    %m = memref.load %most[%b] : memref<8xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    scf.if %c {
      memref.store %x, %most[%b] : memref<8xf32>
    }
  }
  affine.for %i = 0 to 64 {
    %b = affine.load %k[%i] : memref<64xindex>
    %x = affine.load %a[%i] : memref<64xf32>
    %s = memref.load %sums[%b] : memref<8xf32>
    %t = arith.addf %s, %x : f32
    memref.store %t, %sums[%b] : memref<8xf32>
  }
  return
}
