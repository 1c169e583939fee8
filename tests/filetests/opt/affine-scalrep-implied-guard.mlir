// Of the guard that a loop has an iteration, what the loops around imply is left out; what is left says something of sizes alone
// and leaves the loops. The subscript of %w is within 0 and 2 by the bounds of the quotients, so that one test of a size covers it.
// test: opt --affine-scalrep --affine-guard-bounds
// test: run-opt --entry=transposed --arg=iota[3] --arg=iota[3] --arg=zeros[7]
// test: run --no-specialize --entry=transposed --arg=iota[3] --arg=iota[3] --arg=zeros[7]
// expect: arg 2 = [0, 0, 0, 1, 2, 2, 4]
// test: run-opt --entry=transposed --arg=iota[0] --arg=iota[3] --arg=ones[1]
// test: run --no-specialize --entry=transposed --arg=iota[0] --arg=iota[3] --arg=ones[1]
// expect: arg 2 = [1]
// test: run --no-specialize --entry=transposed --arg=ones[1] --arg=iota[4] --arg=ones[5]
// expect: arg 2 = [1, 2, 3, 1, 1]

// A transposed convolution by 2 that gathers.
func.func @transposed(%x: memref<?xi32>, %w: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi32>
  %limit = arith.constant 1000000 : index
  %small = arith.cmpi sle, %n, %limit : index
  scf.if %small {
    affine.for %i = 0 to affine_map<()[s0] -> (s0 * 2 + 1)>()[%n] {
      affine.for %k = max affine_map<(d0) -> (0, (d0 - 2) ceildiv 2)>(%i) to min affine_map<(d0)[s0] -> (s0, d0 floordiv 2 + 1)>(%i)[%n] {
        %a = affine.load %x[%k] : memref<?xi32>
        %b = affine.load %w[%i - %k * 2] : memref<?xi32>
        %s = affine.load %y[%i] : memref<?xi32>
        %m = arith.muli %a, %b : i32
        %t = arith.addi %s, %m : i32
        affine.store %t, %y[%i] : memref<?xi32>
      }
    }
  }
  return
}
