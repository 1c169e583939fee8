// test: canonical
func.func private @tick()
func.func private @give() -> i1
func.func private @see(i32)

// What goes round among values that start alike is what they start from.
func.func @round_and_round(%n: index, %a: i32, %b: i64) -> (i32, i32, i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a, %s = %b, %t = %b)
      -> (i32, i32, i64, i64) {
    func.call @tick() : () -> ()
    scf.yield %q, %p, %t, %t : i32, i32, i64, i64
  }
  return %r#0, %r#1, %r#2, %r#3 : i32, i32, i64, i64
}

func.func @not_alike(%n: index, %a: i32, %b: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (i32, i32) {
    scf.yield %q, %p : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @one_goes_in(%n: index, %a: i32, %b: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b, %s = %b) -> (i32, i32, i32) {
    func.call @see(%p) : (i32) -> ()
    scf.yield %s, %s, %q : i32, i32, i32
  }
  return %r#0, %r#1, %r#2 : i32, i32, i32
}

// The sum says of itself that it does not wrap.
// promises: @known_distance: sums do not wrap
func.func @known_distance(%a: index, %out: memref<?xindex>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m4 = arith.constant -4 : index
  %once = arith.addi %a, %c1 overflow<nsw> : index
  scf.for %i = %a to %once step %c3 {
    memref.store %i, %out[%c3] : memref<?xindex>
  }
  %thrice = arith.addi %c3, %a overflow<nsw> : index
  scf.for %i = %a to %thrice step %c1 {
    memref.store %i, %out[%i] : memref<?xindex>
  }
  %before = arith.addi %a, %m4 overflow<nsw> : index
  scf.for %i = %a to %before step %c1 {
    memref.store %i, %out[%c1] : memref<?xindex>
  }
  %wraps = arith.addi %a, %c1 : index
  scf.for %i = %a to %wraps step %c1 {
    memref.store %a, %out[%i] : memref<?xindex>
  }
  return
}

// promises: @unsigned_distance: sums do not wrap
func.func @unsigned_distance(%a: i32) {
  %c2 = arith.constant 2 : i32
  %up = arith.addi %a, %c2 overflow<nuw> : i32
  scf.for unsigned %i = %a to %up step %c2 : i32 {
    func.call @see(%i) : (i32) -> ()
  }
  %signed = arith.addi %a, %c2 overflow<nsw> : i32
  scf.for unsigned %i = %a to %signed step %c2 : i32 {
    func.call @see(%i) : (i32) -> ()
  }
  return
}

func.func @nothing_between(%a: index, %b: index, %s: index, %z: f32) -> f32 {
  %r = scf.parallel (%i, %j) = (%a, %b) to (%b, %b) step (%s, %s) init (%z) -> f32 {
    scf.reduce(%z : f32) {
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      scf.reduce.return %sum : f32
    }
  }
  return %r : f32
}
