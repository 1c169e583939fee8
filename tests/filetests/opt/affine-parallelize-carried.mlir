// Elements at numbers that an scf.while carries: induction over its iterations says how far they go.
// test: opt --affine-parallelize
// test: run-opt --entry=down --arg=random:1
// test: run-opt --entry=one_too_far --arg=random:1
// test: run-opt --entry=behind --arg=random:1 --arg=random:2
// test: run-opt --entry=in_reach --arg=random:1
// test: run-opt --entry=chosen_steps --arg=random:1
// test: run-opt --entry=from_the_counter --arg=random:1 --arg=8
// test: run-opt --entry=words --arg=random:1
// test: run-opt --entry=wraps --arg=random:1
// test: run-opt --entry=no_bound --arg=random:1
// test: run-opt --entry=other_value --arg=random:1

// 7 down to 0: rows of 8.
func.func @down(%a: memref<40xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  affine.for %r = 0 to 5 {
    %j = scf.while (%j = %c7) : (index) -> index {
      %c = arith.cmpi sge, %j, %c0 : index
      scf.condition(%c) %j : index
    } do {
    ^bb0(%k: index):
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%r)[%k]
      %x = memref.load %a[%at] : memref<40xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%at] : memref<40xf32>
      %n = arith.subi %k, %c1 : index
      scf.yield %n : index
    }
  }
  return
}

// -1 is of the row before: sequential.
func.func @one_too_far(%a: memref<48xf32>) {
  %low = arith.constant -1 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  affine.for %r = 0 to 5 {
    %j = scf.while (%j = %c7) : (index) -> index {
      %c = arith.cmpi sge, %j, %low : index
      scf.condition(%c) %j : index
    } do {
    ^bb0(%k: index):
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0 + 1)>(%r)[%k]
      %x = memref.load %a[%at] : memref<48xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%at] : memref<48xf32>
      %n = arith.subi %k, %c1 : index
      scf.yield %n : index
    }
  }
  return
}

// Behind the loop the number is up to 8: apart in rows of 9, not in rows of 8.
func.func @behind(%a: memref<41xf32>, %b: memref<45xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  affine.for %r = 0 to 5 {
    %k = scf.while (%k = %c0) : (index) -> index {
      %c = arith.cmpi slt, %k, %c8 : index
      %low = scf.if %c -> i1 {
        %at = affine.apply affine_map<(d0)[s0] -> (d0 * 9 + s0)>(%r)[%k]
        %x = memref.load %b[%at] : memref<45xf32>
        %low = arith.cmpf olt, %x, %one : f32
        scf.yield %low : i1
      } else {
        %false = arith.constant false
        scf.yield %false : i1
      }
      scf.condition(%low) %k : index
    } do {
    ^bb0(%k: index):
      %n = arith.addi %k, %c1 : index
      scf.yield %n : index
    }
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 9 + s0)>(%r)[%k]
    memref.store %one, %b[%at] : memref<45xf32>
  }
  affine.for %r = 0 to 5 {
    %k = scf.while (%k = %c0) : (index) -> index {
      %c = arith.cmpi slt, %k, %c8 : index
      scf.condition(%c) %k : index
    } do {
    ^bb0(%k: index):
      %n = arith.addi %k, %c1 : index
      scf.yield %n : index
    }
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%r)[%k]
    %x = memref.load %a[%at] : memref<41xf32>
    %at0 = affine.apply affine_map<(d0) -> (d0 * 8)>(%r)
    memref.store %x, %a[%at0] : memref<41xf32>
  }
  return
}

// Steps of 3 from 1, below 8: 1 to 7, and up to 10 behind.
func.func @in_reach(%a: memref<48xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  affine.for %r = 0 to 4 {
    %k = scf.while (%k = %c1) : (index) -> index {
      %c = arith.cmpi sgt, %c8, %k : index
      scf.condition(%c) %k : index
    } do {
    ^bb0(%k: index):
      %n = arith.addi %k, %c3 : index
      scf.yield %n : index
    }
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 10 + s0)>(%r)[%k]
    memref.store %one, %a[%at] : memref<48xf32>
  }
  return
}

// One or two down, as the data say, to 0: -2 at least behind.
func.func @chosen_steps(%a: memref<50xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  affine.for %r = 0 to 5 {
    %j = scf.while (%j = %c7) : (index) -> index {
      %c = arith.cmpi sge, %j, %c0 : index
      scf.condition(%c) %j : index
    } do {
    ^bb0(%k: index):
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 10 + s0 + 2)>(%r)[%k]
      %x = memref.load %a[%at] : memref<50xf32>
      %low = arith.cmpf olt, %x, %zero : f32
      %n = scf.if %low -> index {
        %n = arith.subi %k, %c1 : index
        scf.yield %n : index
      } else {
        %n = arith.subi %k, %c2 : index
        scf.yield %n : index
      }
      scf.yield %n : index
    }
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 10 + s0 + 2)>(%r)[%j]
    memref.store %zero, %a[%at] : memref<50xf32>
  }
  return
}

// From the counter of a loop down to 0, in rows of a length that the run says.
func.func @from_the_counter(%a: memref<40xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %r = 0 to 5 {
    %row = arith.muli %r, %n : index
    affine.for %i = 0 to %n {
      %j = scf.while (%j = %i) : (index) -> index {
        %c = arith.cmpi sge, %j, %c0 : index
        scf.condition(%c) %j : index
      } do {
      ^bb0(%k: index):
        %at = arith.addi %row, %k : index
        %x = memref.load %a[%at] : memref<40xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %a[%at] : memref<40xf32>
        %next = arith.subi %k, %c1 : index
        scf.yield %next : index
      }
    }
  }
  return
}

// Of 32 bits, as C has it.
func.func @words(%a: memref<40xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  affine.for %r = 0 to 5 {
    %j = scf.while (%j = %c7) : (i32) -> i32 {
      %c = arith.cmpi sge, %j, %c0 : i32
      scf.condition(%c) %j : i32
    } do {
    ^bb0(%k: i32):
      %i = arith.index_cast %k : i32 to index
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%r)[%i]
      %x = memref.load %a[%at] : memref<40xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%at] : memref<40xf32>
      %n = arith.subi %k, %c1 : i32
      scf.yield %n : i32
    }
  }
  return
}

// A byte that counts down to its least number wraps around to 127 behind the loop: sequential.
func.func @wraps(%a: memref<1000xf32>) {
  %low = arith.constant -128 : i8
  %last = arith.constant 100 : i8
  %c1 = arith.constant 1 : i8
  %c7 = arith.constant 7 : i8
  affine.for %r = 0 to 5 {
    %j = scf.while (%j = %c7) : (i8) -> i8 {
      %c = arith.cmpi slt, %j, %last : i8
      scf.condition(%c) %j : i8
    } do {
    ^bb0(%k: i8):
      %i = arith.index_cast %k : i8 to index
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 135 + s0 + 128)>(%r)[%i]
      %x = memref.load %a[%at] : memref<1000xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%at] : memref<1000xf32>
      %n = arith.subi %k, %c1 : i8
      scf.yield %n : i8
    }
    %i = arith.index_cast %j : i8 to index
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 135 + s0 + 128)>(%r)[%i]
    %x = memref.load %a[%at] : memref<1000xf32>
    %at0 = affine.apply affine_map<(d0) -> (d0 * 135 + 135)>(%r)
    memref.store %x, %a[%at0] : memref<1000xf32>
  }
  return
}

// The data bound the number, nothing else does: sequential.
func.func @no_bound(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -1.0 : f32
  affine.for %i = 0 to 64 {
    affine.store %zero, %a[%i] : memref<64xf32>
  }
  affine.for %r = 0 to 5 {
    %j = scf.while (%j = %c0) : (index) -> index {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%r)[%j]
      %x = memref.load %a[%at] : memref<64xf32>
      %c = arith.cmpf olt, %x, %zero : f32
      scf.condition(%c) %j : index
    } do {
    ^bb0(%k: index):
      %n = arith.addi %k, %c1 : index
      scf.yield %n : index
    }
    %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%r)[%j]
    memref.store %minus, %a[%at] : memref<64xf32>
  }
  return
}

// What the second region gets is one more than what the condition bounds: up to 8. Sequential.
func.func @other_value(%a: memref<41xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  affine.for %r = 0 to 5 {
    %j = scf.while (%j = %c0) : (index) -> index {
      %c = arith.cmpi slt, %j, %c8 : index
      %more = arith.addi %j, %c1 : index
      scf.condition(%c) %more : index
    } do {
    ^bb0(%k: index):
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%r)[%k]
      %x = memref.load %a[%at] : memref<41xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%at] : memref<41xf32>
      scf.yield %k : index
    }
  }
  return
}
