// Loops of blocks: tested at the start, tested at the end, with a conditional inside, with several exits.
// test: opt --lift-cf-to-scf
// test: run-opt --entry=nested --arg=random:1[9] --arg=6
// test: run-opt --entry=at_the_end --arg=random:1[9] --arg=6
// test: run-opt --entry=symbols --arg=random:1[9] --arg=6
// test: run-opt --entry=two_exits --arg=iota[9] --arg=6
func.func @nested(%a: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  cf.br ^head(%c0, %c0 : index, index)
^head(%i: index, %count: index):
  %square = arith.muli %i, %i : index
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit(%square : index)
^body:
  %small = arith.cmpi slt, %square, %n : index
  cf.cond_br %small, ^store, ^next(%count : index)
^store:
  memref.store %x, %a[%i] : memref<?xf32>
  %one_more = arith.addi %count, %c1 : index
  cf.br ^next(%one_more : index)
^next(%k: index):
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %k : index, index)
^exit(%last: index):
  %sum = arith.addi %last, %count : index
  return %sum : index
}

func.func @at_the_end(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  cf.br ^body(%c0 : index)
^body(%i: index):
  memref.store %x, %a[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  %done = arith.cmpi sge, %j, %n : index
  cf.cond_br %done, ^exit, ^body(%j : index)
^exit:
  return
}

// A symbol of the map is none inside of the loop.
func.func @symbols(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  affine.store %x, %a[symbol(%i) + 1] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  return
}

func.func @two_exits(%a: memref<?xindex>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit(%c0 : index)
^body:
  %x = memref.load %a[%i] : memref<?xindex>
  %found = arith.cmpi eq, %x, %c1 : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %found, ^exit(%i : index), ^head(%j : index)
^exit(%r: index):
  return %r : index
}

// The band needs the counter of a loop whose bound would be no symbol in a
// structured loop: the blocks stay.
func.func @band_of_a_lost_counter(%f: i1) {
  %c0 = arith.constant 0 : index
  cf.br ^head(%c0 : index)
^head(%a: index):
  cf.cond_br %f, ^body, ^exit
^body:
  affine.for %i = affine_map<()[s0] -> (s0)>()[%a] to 0 {
    affine.parallel (%x, %y) = (0, 0) to (min(%i, 5), 5) {
    }
  }
  cf.br ^head(%c0 : index)
^exit:
  return
}

// No loop, but a function that calls of it can be replaced by: an early return, and a branch.
// test: run-opt --entry=no_loop --arg=-1.5
// test: run-opt --entry=no_loop --arg=0.5
// test: run-opt --entry=no_loop --arg=2.5
func.func @no_loop(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %negative = arith.cmpf olt, %x, %zero : f32
  cf.cond_br %negative, ^none, ^some
^none:
  return %zero : f32
^some:
  %twice = arith.addf %x, %x : f32
  %large = arith.cmpf ogt, %twice, %one : f32
  cf.cond_br %large, ^one, ^end(%twice : f32)
^one:
  %half = arith.divf %x, %twice : f32
  cf.br ^end(%half : f32)
^end(%y: f32):
  return %y : f32
}

// Branches around an affine loop whose bound is a symbol stay.
// test: run-opt --entry=around_a_loop --arg=iota[9]
func.func @around_a_loop(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %x = arith.constant 1.0 : f32
  %empty = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %empty, ^end, ^body
^body:
  %last = arith.subi %n, %c0 : index
  affine.for %i = 0 to %last {
    affine.store %x, %a[%i] : memref<?xf32>
  }
  cf.br ^end
^end:
  return
}

// Short-circuit conditions: `if (v > 0.5 && v < 1) a else b`, and `while (i < n && !(v < 0 || v > 2))`.
// test: run-opt --entry=conjunction --arg=random:1[9] --arg=9
// test: run-opt --entry=conjunction --arg=iota[9] --arg=9
func.func @conjunction(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 0.5 : f32
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %v = memref.load %a[%i] : memref<?xf32>
  %above = arith.cmpf ogt, %v, %y : f32
  cf.cond_br %above, ^and, ^else
^and:
  %below = arith.cmpf olt, %v, %x : f32
  cf.cond_br %below, ^then, ^else
^then:
  memref.store %x, %a[%i] : memref<?xf32>
  cf.br ^end
^else:
  memref.store %y, %a[%i] : memref<?xf32>
  cf.br ^end
^end:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit:
  return
}

// test: run-opt --entry=disjunction --arg=iota[9] --arg=9
// test: run-opt --entry=disjunction --arg=zeros[9] --arg=9
func.func @disjunction(%a: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^first, ^exit(%n : index)
^first:
  %v = memref.load %a[%i] : memref<?xf32>
  %below = arith.cmpf olt, %v, %zero : f32
  cf.cond_br %below, ^exit(%i : index), ^second
^second:
  %above = arith.cmpf ogt, %v, %two : f32
  cf.cond_br %above, ^exit(%i : index), ^next
^next:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^exit(%at: index):
  return %at : index
}

// No path leads to this block, which has the form of a loop.
// test: run-opt --entry=unreachable --arg=iota[9] --arg=6
func.func @unreachable(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^nowhere:
  cf.cond_br %more, ^nowhere, ^head(%c1 : index)
^exit:
  return
}
