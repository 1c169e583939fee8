// Arrays of truth values, read and written.
//     out[i] = (x[i] < y[i]) xor flags[i];     both[i] = flags[i] and not out[i], as 0 or 1
//     for 0 <= i < 71

func.func @booleans(%x: memref<71xf32>, %y: memref<71xf32>, %flags: memref<71xi1>,
                    %out: memref<71xi1>, %both: memref<71xi32>) {
  %true = arith.constant true
  affine.for %i = 0 to 71 {
    %a = affine.load %x[%i] : memref<71xf32>
    %b = affine.load %y[%i] : memref<71xf32>
    %flag = affine.load %flags[%i] : memref<71xi1>
    %less = arith.cmpf olt, %a, %b : f32
    %differs = arith.xori %less, %flag : i1
    affine.store %differs, %out[%i] : memref<71xi1>
    %not = arith.xori %differs, %true : i1
    %and = arith.andi %flag, %not : i1
    %number = arith.extui %and : i1 to i32
    affine.store %number, %both[%i] : memref<71xi32>
  }
  return
}
