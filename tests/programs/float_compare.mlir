// Comparisons of floats, NaN and both zeros among them, one bit per predicate.
//     out[i] = bit p set where predicate p holds between x[i] and y[i], in the order
//              oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno     for 0 <= i < 49

func.func @float_compare(%x: memref<49xf32>, %y: memref<49xf32>, %out: memref<49xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 49 {
    %a = affine.load %x[%i] : memref<49xf32>
    %b = affine.load %y[%i] : memref<49xf32>
    %p0 = arith.cmpf oeq, %a, %b : f32
    %p1 = arith.cmpf ogt, %a, %b : f32
    %p2 = arith.cmpf oge, %a, %b : f32
    %p3 = arith.cmpf olt, %a, %b : f32
    %p4 = arith.cmpf ole, %a, %b : f32
    %p5 = arith.cmpf one, %a, %b : f32
    %p6 = arith.cmpf ord, %a, %b : f32
    %p7 = arith.cmpf ueq, %a, %b : f32
    %p8 = arith.cmpf ugt, %a, %b : f32
    %p9 = arith.cmpf uge, %a, %b : f32
    %p10 = arith.cmpf ult, %a, %b : f32
    %p11 = arith.cmpf ule, %a, %b : f32
    %p12 = arith.cmpf une, %a, %b : f32
    %p13 = arith.cmpf uno, %a, %b : f32
    %b0 = arith.extui %p0 : i1 to i32
    %b1 = arith.extui %p1 : i1 to i32
    %b2 = arith.extui %p2 : i1 to i32
    %b3 = arith.extui %p3 : i1 to i32
    %b4 = arith.extui %p4 : i1 to i32
    %b5 = arith.extui %p5 : i1 to i32
    %b6 = arith.extui %p6 : i1 to i32
    %b7 = arith.extui %p7 : i1 to i32
    %b8 = arith.extui %p8 : i1 to i32
    %b9 = arith.extui %p9 : i1 to i32
    %b10 = arith.extui %p10 : i1 to i32
    %b11 = arith.extui %p11 : i1 to i32
    %b12 = arith.extui %p12 : i1 to i32
    %b13 = arith.extui %p13 : i1 to i32
    %d13 = arith.addi %b13, %b13 : i32
    %s12 = arith.addi %d13, %b12 : i32
    %d12 = arith.shli %s12, %one : i32
    %s11 = arith.addi %d12, %b11 : i32
    %d11 = arith.shli %s11, %one : i32
    %s10 = arith.addi %d11, %b10 : i32
    %d10 = arith.shli %s10, %one : i32
    %s9 = arith.addi %d10, %b9 : i32
    %d9 = arith.shli %s9, %one : i32
    %s8 = arith.addi %d9, %b8 : i32
    %d8 = arith.shli %s8, %one : i32
    %s7 = arith.addi %d8, %b7 : i32
    %d7 = arith.shli %s7, %one : i32
    %s6 = arith.addi %d7, %b6 : i32
    %d6 = arith.shli %s6, %one : i32
    %s5 = arith.addi %d6, %b5 : i32
    %d5 = arith.shli %s5, %one : i32
    %s4 = arith.addi %d5, %b4 : i32
    %d4 = arith.shli %s4, %one : i32
    %s3 = arith.addi %d4, %b3 : i32
    %d3 = arith.shli %s3, %one : i32
    %s2 = arith.addi %d3, %b2 : i32
    %d2 = arith.shli %s2, %one : i32
    %s1 = arith.addi %d2, %b1 : i32
    %d1 = arith.shli %s1, %one : i32
    %s0 = arith.addi %d1, %b0 : i32
    affine.store %s0, %out[%i] : memref<49xi32>
  }
  return
}
