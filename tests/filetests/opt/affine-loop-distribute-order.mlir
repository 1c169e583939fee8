// test: opt --affine-loop-distribute --affine-loop-permute
// test: run-opt --entry=pairs --arg=iota --arg=zeros
// expect: arg 1 = [0, 65, 124, 171, 200, 205, 180, 119, 16, -135, -340, -605]
// test: run-opt --entry=cut --arg=iota --arg=zeros
// test: run-opt --entry=circle --arg=iota --arg=zeros

// What is subtracted from an element, in all iterations, comes before what is added to it: the second statement's loop stands in
// front, and the loop over %j comes out of the triangle.
func.func @pairs(%x: memref<12xi32>, %f: memref<12xi32>) {
  %d:2 = memref.distinct_objects %x, %f : memref<12xi32>, memref<12xi32>
  affine.for %i = 0 to 12 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 12 {
      %a = affine.load %d#0[%i] : memref<12xi32>
      %b = affine.load %d#0[%j] : memref<12xi32>
      %g = arith.muli %a, %b : i32
      %fi = affine.load %d#1[%i] : memref<12xi32>
      %more = arith.addi %fi, %g : i32
      affine.store %more, %d#1[%i] : memref<12xi32>
      %fj = affine.load %d#1[%j] : memref<12xi32>
      %less = arith.subi %fj, %g : i32
      affine.store %less, %d#1[%j] : memref<12xi32>
    }
  }
  return
}

// Both updates are under a condition.
func.func @cut(%x: memref<12xi32>, %f: memref<12xi32>) {
  %d:2 = memref.distinct_objects %x, %f : memref<12xi32>, memref<12xi32>
  affine.for %i = 0 to 12 {
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 12 {
      %a = affine.load %d#0[%i] : memref<12xi32>
      %b = affine.load %d#0[%j] : memref<12xi32>
      %g = arith.subi %b, %a : i32
      %c = arith.cmpi slt, %g, %a : i32
      scf.if %c {
        %fi = affine.load %d#1[%i] : memref<12xi32>
        %more = arith.addi %fi, %g : i32
        affine.store %more, %d#1[%i] : memref<12xi32>
        %fj = affine.load %d#1[%j] : memref<12xi32>
        %less = arith.subi %fj, %g : i32
        affine.store %less, %d#1[%j] : memref<12xi32>
      }
    }
  }
  return
}

// Of all pairs, an element is updated by either statement in turn: they stay together.
func.func @circle(%x: memref<12xi32>, %f: memref<12xi32>) {
  %d:2 = memref.distinct_objects %x, %f : memref<12xi32>, memref<12xi32>
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 12 {
      %a = affine.load %d#0[%i] : memref<12xi32>
      %b = affine.load %d#0[%j] : memref<12xi32>
      %g = arith.muli %a, %b : i32
      %fi = affine.load %d#1[%i] : memref<12xi32>
      %more = arith.addi %fi, %g : i32
      affine.store %more, %d#1[%i] : memref<12xi32>
      %fj = affine.load %d#1[%j] : memref<12xi32>
      %less = arith.xori %fj, %g : i32
      affine.store %less, %d#1[%j] : memref<12xi32>
    }
  }
  return
}
