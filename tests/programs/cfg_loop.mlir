// A host function of basic blocks: a loop made of branches around a parallel
// loop, and a switch that picks what is added at the end.
//     three times, t = 0, 1, 2:   x[i] = 2 * x[i] + t     for 0 <= i < 30
//     then x[0] += 100 if mode = 0, += 200 if mode = 5, += 300 otherwise

func.func @cfg_loop(%x: memref<30xi32>, %mode: i32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %h1 = arith.constant 100 : i32
  %h2 = arith.constant 200 : i32
  %h3 = arith.constant 300 : i32
  cf.br ^head(%zero : i32)
^head(%t: i32):
  %more = arith.cmpi slt, %t, %three : i32
  cf.cond_br %more, ^body, ^choose
^body:
  affine.for %i = 0 to 30 {
    %a = affine.load %x[%i] : memref<30xi32>
    %b = arith.muli %a, %two : i32
    %c = arith.addi %b, %t : i32
    affine.store %c, %x[%i] : memref<30xi32>
  }
  %next = arith.addi %t, %one : i32
  cf.br ^head(%next : i32)
^choose:
  cf.switch %mode : i32, [
    default: ^end(%h3 : i32),
    0: ^end(%h1 : i32),
    5: ^end(%h2 : i32)
  ]
^end(%extra: i32):
  %first = memref.load %x[%c0] : memref<30xi32>
  %sum = arith.addi %first, %extra : i32
  memref.store %sum, %x[%c0] : memref<30xi32>
  return
}
