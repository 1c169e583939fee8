// A product of flat matrices as C has it, whose size is a global variable that every loop and every row loads. The program only
// loads it, so that kernels are for this size; the sum of the elements times powers of 31 is Python's.
//
// test: run --entry=product --arg=zeros[2025] --arg=zeros[2025] --arg=zeros[2025]
// expect: result 0 = -240548608
// test: run --entry=product --arg=zeros[2025] --arg=zeros[2025] --arg=zeros[2025] --no-specialize
// expect: result 0 = -240548608
memref.global @size : memref<1xi32> = dense<45>

func.func @product(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %power = arith.constant 31 : i32
  %size = memref.get_global @size : memref<1xi32>
  %all = memref.dim %a, %c0 : memref<?xi32>
  scf.for %at = %c0 to %all step %c1 {
    %number = arith.index_cast %at : index to i32
    %x = arith.remsi %number, %seven : i32
    memref.store %x, %a[%at] : memref<?xi32>
    %rest = arith.remsi %number, %five : i32
    %y = arith.subi %rest, %two : i32
    memref.store %y, %b[%at] : memref<?xi32>
  }
  %ei = scf.while (%i = %zero) : (i32) -> i32 {
    %n = memref.load %size[%c0] : memref<1xi32>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %ej = scf.while (%j = %zero) : (i32) -> i32 {
      %n = memref.load %size[%c0] : memref<1xi32>
      %more = arith.cmpi slt, %j, %n : i32
      scf.condition(%more) %j : i32
    } do {
    ^bb0(%j: i32):
      %ek = scf.while (%k = %zero) : (i32) -> i32 {
        %n = memref.load %size[%c0] : memref<1xi32>
        %more = arith.cmpi slt, %k, %n : i32
        scf.condition(%more) %k : i32
      } do {
      ^bb0(%k: i32):
        %n = memref.load %size[%c0] : memref<1xi32>
        %row = arith.muli %i, %n : i32
        %of_a = arith.addi %row, %k : i32
        %at_a = arith.index_cast %of_a : i32 to index
        %x = memref.load %a[%at_a] : memref<?xi32>
        %before = arith.muli %k, %n : i32
        %of_b = arith.addi %before, %j : i32
        %at_b = arith.index_cast %of_b : i32 to index
        %y = memref.load %b[%at_b] : memref<?xi32>
        %of_c = arith.addi %row, %j : i32
        %at_c = arith.index_cast %of_c : i32 to index
        %sum = memref.load %c[%at_c] : memref<?xi32>
        %p = arith.muli %x, %y : i32
        %more = arith.addi %sum, %p : i32
        memref.store %more, %c[%at_c] : memref<?xi32>
        %next = arith.addi %k, %one : i32
        scf.yield %next : i32
      }
      %next = arith.addi %j, %one : i32
      scf.yield %next : i32
    }
    %next = arith.addi %i, %one : i32
    scf.yield %next : i32
  }
  %check = scf.for %at = %c0 to %all step %c1 iter_args(%s = %zero) -> (i32) {
    %v = memref.load %c[%at] : memref<?xi32>
    %t = arith.muli %s, %power : i32
    %u = arith.addi %t, %v : i32
    scf.yield %u : i32
  }
  return %check : i32
}
