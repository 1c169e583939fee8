// Not cut: the windows that loops inside of a reduction take overlap between the rows around it, so that tiles share them.
// test: opt --affine-parallelize-reductions=target=gathering-cpu
// test: run-opt --entry=transposed --arg=iota[2x3] --arg=iota[2x3] --arg=zeros[7]
// test: run --no-specialize --entry=transposed --arg=iota[2x3] --arg=iota[2x3] --arg=zeros[7]
// expect: arg 2 = [9, 12, 27, 17, 37, 22, 29]

// A transposed convolution by 2 of several channels, which gathers: y[2 k + p] is the sum of x[c, k] w[c, p], and the loop over k has one
// or two iterations.
func.func @transposed(%x: memref<?x?xi32>, %w: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xi32>
  %n = memref.dim %x, %c1 : memref<?x?xi32>
  %limit = arith.constant 1000000 : index
  %small = arith.cmpi sle, %n, %limit : index
  scf.if %small {
    affine.for %i = 0 to affine_map<()[s0] -> (s0 * 2 + 1)>()[%n] {
      %zero = arith.constant 0 : i32
      %r = affine.for %c = 0 to %m iter_args(%a = %zero) -> i32 {
        %s = affine.for %k = max affine_map<(d0) -> (0, (d0 - 2) ceildiv 2)>(%i) to min affine_map<(d0)[s0] -> (s0, d0 floordiv 2 + 1)>(%i)[%n] iter_args(%b = %a) -> i32 {
          %p = affine.load %x[%c, %k] : memref<?x?xi32>
          %q = affine.load %w[%c, %i - %k * 2] : memref<?x?xi32>
          %u = arith.muli %p, %q : i32
          %v = arith.addi %b, %u : i32
          affine.yield %v : i32
        }
        affine.yield %s : i32
      }
      affine.store %r, %y[%i] : memref<?xi32>
    }
  }
  return
}
