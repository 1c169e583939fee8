// More elements than 65,535 workgroups of one thread could reach.
//     out[i] = x[i] xor (3 * i)          for 0 <= i < 200003

func.func @long_line(%x: memref<200003xi32>, %out: memref<200003xi32>) {
  affine.for %i = 0 to 200003 {
    %a = affine.load %x[%i] : memref<200003xi32>
    %n = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    %n_i32 = arith.index_cast %n : index to i32
    %b = arith.xori %a, %n_i32 : i32
    affine.store %b, %out[%i] : memref<200003xi32>
  }
  return
}
