// A store under a condition with which a branch ends goes behind both, as of a flag that says whether a propagation of
// labels changed one.
// test: opt --affine-if-conversion
// test: run-opt --entry=labels --arg=iota --arg=ones --arg=zeros
// expect: arg 1 = [0, 0, 1, 2, 3, 4, 5, 1]
// expect: arg 2 = [1]
// test: run-opt --entry=labels --arg=zeros --arg=ones --arg=zeros
// expect: arg 1 = [0, 0, 0, 0, 0, 0, 0, 1]
// expect: arg 2 = [0]
// test: run-opt --entry=own_value --arg=iota --arg=zeros
// expect: arg 1 = [0, 0, 0, 4, 0, 6, 0, 8]

// Labels above zero are one less, which is another label; the last element stays.
func.func @labels(%l: memref<8xi32>, %n: memref<8xi32>, %changed: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 7 {
    %v = affine.load %l[%i] : memref<8xi32>
    %is = arith.cmpi sgt, %v, %zero : i32
    scf.if %is {
      %u = arith.subi %v, %one : i32
      affine.store %u, %n[%i] : memref<8xi32>
      %differs = arith.cmpi ne, %u, %v : i32
      scf.if %differs {
        affine.store %one, %changed[0] : memref<1xi32>
      }
    } else {
      affine.store %zero, %n[%i] : memref<8xi32>
    }
  }
  return
}

// Not moved: what is stored is of the branch.
func.func @own_value(%l: memref<8xi32>, %n: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 8 {
    %v = affine.load %l[%i] : memref<8xi32>
    %bit = arith.andi %v, %one : i32
    %odd = arith.cmpi eq, %bit, %one : i32
    scf.if %odd {
      %w = arith.addi %v, %one : i32
      %large = arith.cmpi sgt, %v, %one : i32
      scf.if %large {
        affine.store %w, %n[%i] : memref<8xi32>
      }
    } else {
      affine.store %zero, %n[%i] : memref<8xi32>
    }
  }
  return
}
