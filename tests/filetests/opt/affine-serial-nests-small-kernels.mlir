// Kernels whose trip counts a loop around them loads, a few elements each: one thread runs that of run lengths. The one whose
// kernels are long for all that is known stays, and so does one with few launches.
// test: opt --affine-serial-nests="target=cpu least-serial=1000"
// test: run-opt --entry=expanded --arg=iota --arg=zeros
// expect: arg 1 = [1, 2, 2, 3, 3, 3, 0, 0]
func.func @expanded(%n: memref<4xi32>, %out: memref<8xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  affine.for %i = 0 to 4 iter_args(%at = %zero) -> index {
    %m = affine.load %n[%i] : memref<4xi32>
    %k = arith.index_cast %m : i32 to index
    scf.parallel (%j) = (%zero) to (%k) step (%one) {
      %q = arith.addi %at, %j : index
      memref.store %m, %out[%q] : memref<8xi32>
      scf.reduce
    }
    %next = arith.addi %at, %k : index
    affine.yield %next : index
  }
  return
}

// Each launch may take a million elements.
func.func @long(%n: memref<4xi32>, %x: memref<1000000xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  affine.for %i = 0 to 4 {
    %m = affine.load %n[%i] : memref<4xi32>
    %k = arith.index_cast %m : i32 to index
    scf.parallel (%j) = (%zero) to (%k) step (%one) {
      %v = memref.load %x[%j] : memref<1000000xi32>
      %w = arith.addi %v, %m : i32
      memref.store %w, %x[%j] : memref<1000000xi32>
      scf.reduce
    }
  }
  return
}

// The number of elements does not depend on data.
func.func @known(%x: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%j * 8] : memref<64xi32>
      %w = arith.muli %v, %v : i32
      affine.store %w, %x[%j * 8] : memref<64xi32>
    }
  }
  return
}
