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
