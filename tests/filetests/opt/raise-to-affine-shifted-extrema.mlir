// Bounds that are an extremum and a sum around it: `min(n, i + 2) + 1` is the minimum of n + 1 and i + 3. Of the
// counters up to 4 that a band of two around the diagonal keeps, each row i of 5 has 3, 4, 5, 4, 3.
// test: opt --raise-to-affine --canonicalize
// test: run-opt --entry=band --arg=zeros
// test: run --entry=band --arg=zeros
// expect: arg 0 = [3, 4, 5, 4, 3]
// test: run-opt --entry=from_below --arg=zeros
// test: run --entry=from_below --arg=zeros
// expect: arg 0 = [4, 4, 3, 2, 1]
func.func @band(%a: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c5 step %c1 {
    %l0 = arith.subi %i, %c2 : index
    %l = arith.maxsi %c0, %l0 : index
    %u0 = arith.addi %i, %c2 : index
    %u1 = arith.minsi %c4, %u0 : index
    %u = arith.addi %u1, %c1 : index
    scf.for %j = %l to %u step %c1 {
      %x = memref.load %a[%i] : memref<5xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %a[%i] : memref<5xi32>
    }
  }
  return
}

// From max(i + 1, 2) - 1 up to 5: 1, 1, 2, 3, 4.
func.func @from_below(%a: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c5 step %c1 {
    %l0 = arith.addi %i, %c1 : index
    %l1 = arith.cmpi sgt, %l0, %c2 : index
    %l2 = arith.select %l1, %l0, %c2 : index
    %l = arith.subi %l2, %c1 : index
    scf.for %j = %l to %c5 step %c1 {
      %x = memref.load %a[%i] : memref<5xi32>
      %y = arith.addi %x, %one : i32
      memref.store %y, %a[%i] : memref<5xi32>
    }
  }
  return
}

// The greater of two, plus 1, is no upper bound of affine loops.
func.func @greater(%a: memref<9xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i32
  scf.for %i = %c0 to %c5 step %c1 {
    %u0 = arith.maxsi %i, %c2 : index
    %u = arith.addi %u0, %c1 : index
    scf.for %j = %c0 to %u step %c1 {
      memref.store %one, %a[%j] : memref<9xi32>
    }
  }
  return
}
