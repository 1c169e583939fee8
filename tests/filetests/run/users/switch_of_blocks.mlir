// A loop of blocks with a switch in its body, as lowered C has it.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [100, 1, 2, 100, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
func.func @switch_of_blocks(%a: memref<20xi32>, %o: memref<20xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  cf.br ^h(%c0 : index)
^h(%i: index):
  %c = arith.cmpi slt, %i, %c20 : index
  cf.cond_br %c, ^b, ^e
^b:
  %v = memref.load %a[%i] : memref<20xi32>
  cf.switch %v : i32, [ default: ^d(%v : i32), 0: ^s, 3: ^s, -2: ^d(%v : i32) ]
^s:
  %k = arith.constant 100 : i32
  cf.br ^d(%k : i32)
^d(%w: i32):
  memref.store %w, %o[%i] : memref<20xi32>
  %i1 = arith.addi %i, %c1 : index
  cf.br ^h(%i1 : index)
^e:
  return
}
