// A function with an early return, a return from its loop and a condition of two parts, as lowered C has it, called by each
// iteration. It is structured and inlined, so that the loop is a kernel. The expected values are those of a Python function.
// test: run --entry=main --arg=iota[14] --arg=zeros[14] --arg=14
// expect: arg 1 = [-1, -1, 5, 3, 2, 0, 1, 1, 1, 1, 1, 1, 1, 0]
func.func private @steps(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c5 = arith.constant 5 : i32
  %c9 = arith.constant 9 : i32
  %c100 = arith.constant 100 : i32
  %none = arith.constant -1 : i32
  %negative = arith.cmpi slt, %x, %c0 : i32
  cf.cond_br %negative, ^none, ^enter
^none:
  return %none : i32
^enter:
  cf.br ^head(%c0, %x : i32, i32)
^head(%i: i32, %v: i32):
  %more = arith.cmpi slt, %i, %c5 : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %w = arith.muli %v, %v : i32
  %large = arith.cmpi sgt, %w, %c100 : i32
  cf.cond_br %large, ^found, ^or
^or:
  %nine = arith.cmpi eq, %w, %c9 : i32
  cf.cond_br %nine, ^found, ^next
^found:
  return %i : i32
^next:
  %low = arith.andi %v, %c1 : i32
  %odd = arith.cmpi eq, %low, %c1 : i32
  cf.cond_br %odd, ^add, ^step(%w : i32)
^add:
  %plus = arith.addi %w, %c1 : i32
  cf.br ^step(%plus : i32)
^step(%u: i32):
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%j, %u : i32, i32)
^exit:
  return %c5 : i32
}

func.func @main(%a: memref<?xi32>, %o: memref<?xi32>, %n: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %none = arith.constant -1 : i32
  %empty = arith.cmpi slt, %n, %c1 : i32
  cf.cond_br %empty, ^failed, ^head(%c0 : i32)
^failed:
  return %none : i32
^head(%i: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %at = arith.index_cast %i : i32 to index
  %x = memref.load %a[%at] : memref<?xi32>
  %y = arith.subi %x, %c2 : i32
  %s = func.call @steps(%y) : (i32) -> i32
  memref.store %s, %o[%at] : memref<?xi32>
  %j = arith.addi %i, %c1 : i32
  cf.br ^head(%j : i32)
^exit:
  return %c0 : i32
}
