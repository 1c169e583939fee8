// A bound that divides is taken at the least that it can be: the loops of threads over what vectors leave
// of a row are in range where the row is.
// test: opt --affine-guard-bounds --affine-mark-inbounds
// test: run-opt --arg=iota[7] --arg=zeros[7]
// expect: arg 1 = [0, 0, 0, 0, 4, 5, 6]
// test: run-opt --arg=iota[7] --arg=zeros[9]
// expect: arg 1 = [0, 0, 0, 0, 4, 5, 6, 0, 0]

// Behind the last vector of four, thread p of 8 has the element with number p. Of %b as many are needed as %a has.
func.func @rest(%a: memref<?xi32>, %b: memref<?xi32>) {
  %0:2 = memref.distinct_objects %a, %b : memref<?xi32>, memref<?xi32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %0#0, %c0 : memref<?xi32>
  affine.for %p = 0 to 8 {
    affine.for %j = max affine_map<(d0)[s0] -> (d0 mod 8 + (s0 floordiv 4) * 4, d0)>(%p)[%n] to %n step 8 {
      %x = affine.load %0#0[%j] : memref<?xi32>
      affine.store %x, %0#1[%j] : memref<?xi32>
    }
  }
  return
}
