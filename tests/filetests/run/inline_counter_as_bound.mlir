// Parameters that bound the loops of a callee, called with the counter of an `scf.for`: the call stays, and the
// callee keeps its loops.
//     x[i] = x[i] + 1          for i < min(3, k), k = 0, ..., 4
//     x[i] = x[i] + 1          for i < k
//
// test: run --entry=main --arg=zeros
// expect: arg 0 = [8, 6, 4, 1, 0]
func.func private @band(%x: memref<5xi32>, %n: index) {
  %one = arith.constant 1 : i32
  affine.parallel (%i) = (0) to (min(3, %n)) {
    %v = affine.load %x[%i] : memref<5xi32>
    %w = arith.addi %v, %one : i32
    affine.store %w, %x[%i] : memref<5xi32>
  }
  return
}

func.func private @loop(%x: memref<5xi32>, %n: index) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<5xi32>
    %w = arith.addi %v, %one : i32
    affine.store %w, %x[%i] : memref<5xi32>
  }
  return
}

func.func @main(%x: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %k = %c0 to %c5 step %c1 {
    func.call @band(%x, %k) : (memref<5xi32>, index) -> ()
    func.call @loop(%x, %k) : (memref<5xi32>, index) -> ()
  }
  return
}
