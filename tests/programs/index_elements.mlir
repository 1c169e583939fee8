// Arrays of `index`, read as subscripts and written as numbers.
//     out[i] = order[order[i]];     far[i] = 3 * order[i] - 2 * i     for 0 <= i < 53
//     (order is a permutation; far may be negative)

func.func @index_elements(%order: memref<53xindex>, %out: memref<53xindex>, %far: memref<53xindex>) {
  %three = arith.constant 3 : index
  affine.for %i = 0 to 53 {
    %p = affine.load %order[%i] : memref<53xindex>
    %q = memref.load %order[%p] : memref<53xindex>
    affine.store %q, %out[%i] : memref<53xindex>
    %triple = arith.muli %p, %three : index
    %back = affine.apply affine_map<(d0) -> (d0 * -2)>(%i)
    %d = arith.addi %triple, %back : index
    affine.store %d, %far[%i] : memref<53xindex>
  }
  return
}
