// test: canonical
// What a loop passes on that stands outside of it, the condition among it.

func.func private @tick()

// Carried values that are one when the loop has gone around.
func.func @later_is_earlier(%n: index, %v: i32) {
  %go = arith.constant true
  %c3 = arith.constant 3 : index
  %r:2 = scf.while (%a = %c3, %b = %c3) : (index, index) -> (index, index) {
    %s = scf.for %i = %c3 to %b step %c3 iter_args(%x = %b) -> (index) {
      func.call @tick() : () -> ()
      %y = arith.addi %x, %n : index
      scf.yield %y : index
    }
    %d = arith.cmpi slt, %s, %n : index
    scf.condition(%d) %c3, %s : index, index
  } do {
  ^bb0(%p: index, %q: index):
    scf.yield %n, %n : index, index
  }
  return
}

// The same, where both are read.
func.func @two_alike(%n: index) -> index {
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %c1, %b = %c1) : (index, index) -> index {
    func.call @tick() : () -> ()
    %sum = arith.addi %a, %b : index
    %d = arith.cmpi slt, %sum, %n : index
    scf.condition(%d) %sum : index
  } do {
  ^bb0(%p: index):
    scf.yield %p, %p : index, index
  }
  return %r : index
}

// The condition holds in the second region, wherever it was made.
func.func @condition_from_outside(%c: i1, %m: memref<i1>) -> i1 {
  %r = scf.while : () -> i1 {
    func.call @tick() : () -> ()
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%p: i1):
    memref.store %p, %m[] : memref<i1>
    scf.yield
  }
  return %r : i1
}

// Without effects, but it may never end.
// differs: @may_not_end: mlir-opt takes it for dead
func.func @may_not_end(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
