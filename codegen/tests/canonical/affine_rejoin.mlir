// test: canonical
func.func @put_together(%x: index, %k: index) -> (index, index, index, index) {
  %p:3 = affine.delinearize_index %x into (3, 7) : index, index, index
  %q:3 = affine.delinearize_index %x into (9, 3, 7) : index, index, index
  %0 = affine.apply affine_map<()[s0, s1, s2] -> (s2 + s1 * 7 + s0 * 21)>()[%p#0, %p#1, %p#2]
  %1 = affine.apply affine_map<()[s0, s1, s2, s3] -> (s3 - 4 + s2 + s1 * 7 + s0 * 21)>()[%q#0, %q#1, %q#2, %k]
  %3 = affine.apply affine_map<()[s0, s1, s2] -> ((s2 + s1 * 7 + s0 * 21) floordiv 8)>()[%p#0, %p#1, %p#2]
  %2 = affine.apply affine_map<()[s0, s1, s2] -> ((s2 + s1 * 7 + s0 * 21) ceildiv 5 + s2 + s1 * 7 + s0 * 21)>()[%p#0, %p#1, %p#2]
  return %0, %1, %2, %3 : index, index, index, index
}

func.func @not_all_of_it(%x: index, %y: index) -> (index, index, index, index) {
  %p:3 = affine.delinearize_index %x into (3, 7) : index, index, index
  %q:3 = affine.delinearize_index %y into (3, 7) : index, index, index
  %0 = affine.apply affine_map<()[s0, s1] -> (s1 + s0 * 7)>()[%p#1, %p#2]
  %1 = affine.apply affine_map<()[s0, s1, s2] -> (s2 + s1 * 6 + s0 * 21)>()[%p#0, %p#1, %p#2]
  %2 = affine.apply affine_map<()[s0, s1, s2] -> (s2 + s1 * 7 + s0 * 21)>()[%p#0, %q#1, %p#2]
  %3 = affine.apply affine_map<()[s0, s1, s2] -> (s2 + s1 * 7 + s0 * 20)>()[%p#0, %p#1, %p#2]
  return %0, %1, %2, %3 : index, index, index, index
}

func.func @of_a_variable(%m: memref<?xindex>) {
  affine.for %i = 0 to 60 {
    %a, %b = affine.delinearize_index %i into (15) : index, index
    %0 = affine.apply affine_map<(d0, d1) -> (d1 + d0 * 15 + 2)>(%a, %b)
    affine.store %0, %m[%a * 15 + %b] : memref<?xindex>
  }
  return
}

func.func @as_a_bound(%x: index, %m: memref<?xindex>) {
  %a, %b = affine.delinearize_index %x into (6) : index, index
  affine.for %i = 0 to affine_map<()[s0, s1] -> (s0 * 6 + s1 + 1)>()[%a, %b] {
    affine.store %i, %m[%i] : memref<?xindex>
  }
  return
}
