// test: canonical
// promises: @unit_parts: the index lies below the product of the sizes
func.func @unit_parts(%x: index, %n: index) -> (index, index, index, index, index) {
  %0:2 = affine.delinearize_index %x into (1, %n) : index, index
  %1 = affine.delinearize_index %x into (%n) : index
  %2:3 = affine.delinearize_index %x into (4, 1, 8) : index, index, index
  return %0#0, %0#1, %1, %2#1, %2#2 : index, index, index, index, index
}

func.func @constant(%x: index) -> (index, index, index) {
  %c4 = arith.constant 4 : index
  %c27 = arith.constant 27 : index
  %0:3 = affine.delinearize_index %c27 into (%c4, 4, %c4) : index, index, index
  return %0#0, %0#1, %0#2 : index, index, index
}

func.func @constant_sizes(%x: index, %n: index) -> (index, index, index) {
  %c4 = arith.constant 4 : index
  %0:3 = affine.delinearize_index %x into (%n, %c4, 8) : index, index, index
  return %0#0, %0#1, %0#2 : index, index, index
}

func.func @nothing(%x: index, %y: index, %n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %0 = affine.linearize_index [%c0, %x, %y] by (2, 3, 4) : index
  %1 = affine.linearize_index [%x, %c0, %y] by (2, 1, 4) : index
  %2 = affine.linearize_index [%x] by (4) : index
  %3 = affine.linearize_index [%c3, %y] by (%n, %c4) : index
  return %0, %1, %2, %3 : index, index, index, index
}

// promises: @apart_again: the parts lie below their sizes
func.func @apart_again(%x: index, %y: index, %z: index) -> (index, index, index, index, index) {
  %0 = affine.linearize_index disjoint [%x, %y, %z] by (2, 4, 8) : index
  %1:3 = affine.delinearize_index %0 into (2, 4, 8) : index, index, index
  %2:2 = affine.delinearize_index %0 into (8, 8) : index, index
  return %1#0, %1#1, %1#2, %2#0, %2#1 : index, index, index, index, index
}

func.func @together_again(%x: index) -> (index, index) {
  %0:3 = affine.delinearize_index %x into (4, 2, 8) : index, index, index
  %1 = affine.linearize_index disjoint [%0#0, %0#1, %0#2] by (4, 2, 8) : index
  %2 = affine.linearize_index disjoint [%0#1, %0#2] by (2, 8) : index
  return %1, %2 : index, index
}
