// test: run
// symm: C = alpha * A * B + beta * C for a symmetric A of which the lower triangle is stored.
func.func @symm(%alpha: f32, %beta: f32, %C: memref<20x30xf32>, %A: memref<20x20xf32>, %B: memref<20x30xf32>) {
  %zero = arith.constant 0.0 : f32
  %temp = memref.alloca() : memref<f32>
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 30 {
      affine.store %zero, %temp[] : memref<f32>
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %b = affine.load %B[%i, %j] : memref<20x30xf32>
        %ab = arith.mulf %alpha, %b : f32
        %a = affine.load %A[%i, %k] : memref<20x20xf32>
        %aba = arith.mulf %ab, %a : f32
        %c = affine.load %C[%k, %j] : memref<20x30xf32>
        %c1 = arith.addf %c, %aba : f32
        affine.store %c1, %C[%k, %j] : memref<20x30xf32>
        %bk = affine.load %B[%k, %j] : memref<20x30xf32>
        %bka = arith.mulf %bk, %a : f32
        %t = affine.load %temp[] : memref<f32>
        %t1 = arith.addf %t, %bka : f32
        affine.store %t1, %temp[] : memref<f32>
      }
      %c = affine.load %C[%i, %j] : memref<20x30xf32>
      %bc = arith.mulf %beta, %c : f32
      %b = affine.load %B[%i, %j] : memref<20x30xf32>
      %ab = arith.mulf %alpha, %b : f32
      %a = affine.load %A[%i, %i] : memref<20x20xf32>
      %aba = arith.mulf %ab, %a : f32
      %sum = arith.addf %bc, %aba : f32
      %t = affine.load %temp[] : memref<f32>
      %at = arith.mulf %alpha, %t : f32
      %all = arith.addf %sum, %at : f32
      affine.store %all, %C[%i, %j] : memref<20x30xf32>
    }
  }
  return
}
