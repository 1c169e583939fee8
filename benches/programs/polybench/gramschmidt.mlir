// test: run
// gramschmidt: A = Q * R with orthonormal columns of Q, column by column; the sum of squares goes through memory.
func.func @gramschmidt(%A: memref<80x72xf32>, %R: memref<72x72xf32>, %Q: memref<80x72xf32>) {
  %zero = arith.constant 0.0 : f32
  %nrm = memref.alloca() : memref<f32>
  affine.for %k = 0 to 72 {
    affine.store %zero, %nrm[] : memref<f32>
    affine.for %i = 0 to 80 {
      %a = affine.load %A[%i, %k] : memref<80x72xf32>
      %aa = arith.mulf %a, %a : f32
      %n = affine.load %nrm[] : memref<f32>
      %n1 = arith.addf %n, %aa : f32
      affine.store %n1, %nrm[] : memref<f32>
    }
    %n = affine.load %nrm[] : memref<f32>
    %root = math.sqrt %n : f32
    affine.store %root, %R[%k, %k] : memref<72x72xf32>
    affine.for %i = 0 to 80 {
      %a = affine.load %A[%i, %k] : memref<80x72xf32>
      %rkk = affine.load %R[%k, %k] : memref<72x72xf32>
      %q = arith.divf %a, %rkk : f32
      affine.store %q, %Q[%i, %k] : memref<80x72xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 72 {
      affine.store %zero, %R[%k, %j] : memref<72x72xf32>
      affine.for %i = 0 to 80 {
        %r = affine.load %R[%k, %j] : memref<72x72xf32>
        %q = affine.load %Q[%i, %k] : memref<80x72xf32>
        %a = affine.load %A[%i, %j] : memref<80x72xf32>
        %qa = arith.mulf %q, %a : f32
        %r1 = arith.addf %r, %qa : f32
        affine.store %r1, %R[%k, %j] : memref<72x72xf32>
      }
      affine.for %i = 0 to 80 {
        %a = affine.load %A[%i, %j] : memref<80x72xf32>
        %q = affine.load %Q[%i, %k] : memref<80x72xf32>
        %r = affine.load %R[%k, %j] : memref<72x72xf32>
        %qr = arith.mulf %q, %r : f32
        %a1 = arith.subf %a, %qr : f32
        affine.store %a1, %A[%i, %j] : memref<80x72xf32>
      }
    }
  }
  return
}
