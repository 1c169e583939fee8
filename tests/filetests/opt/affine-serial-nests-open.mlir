// test: opt --affine-serial-nests="target=cpu least-serial=1000"
// test: run-opt --entry=decoded --arg=iota[4] --arg=zeros[8]
// expect: arg 1 = [1, 2, 2, 3, 3, 3, 0, 0]
// test: run-opt --entry=relaxed --arg=zeros --arg=iota

// Decoding of run lengths at open sizes: the run compares the launches with the time of one thread.
func.func @decoded(%n: memref<?xi32>, %out: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = memref.dim %n, %zero : memref<?xi32>
  affine.for %i = 0 to %count iter_args(%at = %zero) -> index {
    %m = affine.load %n[%i] : memref<?xi32>
    %k = arith.index_cast %m : i32 to index
    scf.parallel (%j) = (%zero) to (%k) step (%one) {
      %q = arith.addi %at, %j : index
      memref.store %m, %out[%q] : memref<?xi32>
      scf.reduce
    }
    %next = arith.addi %at, %k : index
    affine.yield %next : index
  }
  return
}

// Rounds until nothing changes: the loop is too short for one thread by itself, but not in all rounds.
func.func @relaxed(%d: memref<40000xi32>, %to: memref<40000xi32>) {
  %no = arith.constant 0 : i32
  %yes = arith.constant 1 : i32
  %r = scf.while (%going = %yes) : (i32) -> i32 {
    %more = arith.cmpi ne, %going, %no : i32
    scf.condition(%more) %going : i32
  } do {
  ^bb0(%going: i32):
    %changed = affine.for %e = 0 to 40000 iter_args(%c = %no) -> i32 {
      %v = affine.load %to[%e] : memref<40000xi32>
      %q = arith.index_cast %v : i32 to index
      %x = affine.load %d[%e] : memref<40000xi32>
      %y = arith.addi %x, %yes : i32
      %z = memref.load %d[%q] : memref<40000xi32>
      %less = arith.cmpi slt, %y, %z : i32
      %new = scf.if %less -> i32 {
        memref.store %y, %d[%q] : memref<40000xi32>
        scf.yield %yes : i32
      } else {
        scf.yield %c : i32
      }
      affine.yield %new : i32
    }
    scf.yield %changed : i32
  }
  return
}
