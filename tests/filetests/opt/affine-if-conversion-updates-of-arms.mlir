// test: opt --affine-if-conversion

// Both arms have an element of their own.
// test: run-opt --entry=arms --arg=iota --arg=zeros
// expect: arg 1 = [3, 12]
func.func @arms(%x: memref<6xi32>, %sums: memref<2xi32>) {
  %one = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %apart:2 = memref.distinct_objects %x, %sums : memref<6xi32>, memref<2xi32>
  affine.for %i = 0 to 6 {
    %v = affine.load %apart#0[%i] : memref<6xi32>
    %is_low = arith.cmpi slt, %v, %c3 : i32
    scf.if %is_low {
      %old = affine.load %apart#1[0] : memref<2xi32>
      %new = arith.addi %old, %v : i32
      affine.store %new, %apart#1[0] : memref<2xi32>
    } else {
      %old = affine.load %apart#1[1] : memref<2xi32>
      %new = arith.addi %old, %v : i32
      affine.store %new, %apart#1[1] : memref<2xi32>
    }
  }
  return
}

// Both arms update one element.
// test: run-opt --entry=one_of_both --arg=iota --arg=zeros
// expect: arg 1 = [-9, 0]
func.func @one_of_both(%x: memref<6xi32>, %sums: memref<2xi32>) {
  %c3 = arith.constant 3 : i32
  %apart:2 = memref.distinct_objects %x, %sums : memref<6xi32>, memref<2xi32>
  affine.for %i = 0 to 6 {
    %v = affine.load %apart#0[%i] : memref<6xi32>
    %is_low = arith.cmpi slt, %v, %c3 : i32
    scf.if %is_low {
      %old = affine.load %apart#1[0] : memref<2xi32>
      %new = arith.addi %old, %v : i32
      affine.store %new, %apart#1[0] : memref<2xi32>
    } else {
      %old = affine.load %apart#1[0] : memref<2xi32>
      %new = arith.subi %old, %v : i32
      affine.store %new, %apart#1[0] : memref<2xi32>
    }
  }
  return
}

// What ends the run if it does not hold leaves the element where it is.
// test: run-opt --entry=asserted --arg=6 --arg=iota --arg=zeros
// expect: arg 2 = [3, 0]
func.func @asserted(%n: index, %x: memref<6xi32>, %sums: memref<2xi32>) {
  %c3 = arith.constant 3 : i32
  %c6 = arith.constant 6 : index
  %is_known = arith.cmpi eq, %n, %c6 : index
  cf.assert %is_known, "of another size"
  %apart:2 = memref.distinct_objects %x, %sums : memref<6xi32>, memref<2xi32>
  affine.for %i = 0 to 6 {
    %v = affine.load %apart#0[%i] : memref<6xi32>
    %is_low = arith.cmpi slt, %v, %c3 : i32
    scf.if %is_low {
      %old = affine.load %apart#1[0] : memref<2xi32>
      %new = arith.addi %old, %v : i32
      affine.store %new, %apart#1[0] : memref<2xi32>
    }
  }
  return
}
