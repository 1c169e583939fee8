// Two nested loops of blocks that sum rows.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [55, 176, 297, 418, 539, 660, 781, 902, 1023]
func.func @nest_of_blocks(%a: memref<9x11xf32>, %o: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c11 = arith.constant 11 : index
  %z = arith.constant 0.0 : f32
  cf.br ^h(%c0 : index)
^h(%i: index):
  %c = arith.cmpi slt, %i, %c9 : index
  cf.cond_br %c, ^b, ^e
^b:
  cf.br ^h2(%c0, %z : index, f32)
^h2(%j: index, %s: f32):
  %d = arith.cmpi slt, %j, %c11 : index
  cf.cond_br %d, ^b2, ^x2
^b2:
  %v = memref.load %a[%i, %j] : memref<9x11xf32>
  %n = arith.addf %s, %v : f32
  %j1 = arith.addi %j, %c1 : index
  cf.br ^h2(%j1, %n : index, f32)
^x2:
  memref.store %s, %o[%i] : memref<9xf32>
  %i1 = arith.addi %i, %c1 : index
  cf.br ^h(%i1 : index)
^e:
  return
}
