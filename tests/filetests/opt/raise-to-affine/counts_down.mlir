// Loops that count down become loops of the distance they have gone.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=reversal --arg=random:1[9] --arg=random:1[9]
// test: run-opt --entry=stay --arg=random:1[9] --arg=6 --arg=1.5

func.func @reversal(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %last = arith.subi %n, %one : index
  %end = scf.while (%i = %last) : (index) -> index {
    %go = arith.cmpi sge, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %y[%i] : memref<?xf32>
    %next = arith.subi %i, %one : index
    scf.yield %next : index
  }
  return
}

// An unsigned test, and a bound above 0 that any start may lie below of: stay. Steps of a power of two do not.
func.func @stay(%y: memref<?xf32>, %first: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : index
  %a = scf.while (%i = %first) : (index) -> index {
    %go = arith.cmpi ugt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %v, %y[%i] : memref<?xf32>
    %next = arith.subi %i, %one : index
    scf.yield %next : index
  }
  %b = scf.while (%i = %first) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c2 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %v, %y[%i] : memref<?xf32>
    %next = arith.subi %i, %one : index
    scf.yield %next : index
  }
  %c = scf.while (%i = %first) : (index) -> index {
    %go = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %v, %y[%i] : memref<?xf32>
    %next = arith.subi %i, %c2 : index
    scf.yield %next : index
  }
  return
}
