// durbin: the Yule-Walker equations of a Toeplitz matrix by Durbin's recursion.
func.func @durbin(%r: memref<40xf32>, %y: memref<40xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %z = memref.alloca() : memref<40xf32>
  %alpha = memref.alloca() : memref<f32>
  %beta = memref.alloca() : memref<f32>
  %sum = memref.alloca() : memref<f32>
  %r0 = affine.load %r[0] : memref<40xf32>
  %first = arith.negf %r0 : f32
  affine.store %first, %y[0] : memref<40xf32>
  affine.store %one, %beta[] : memref<f32>
  affine.store %first, %alpha[] : memref<f32>
  affine.for %k = 1 to 40 {
    %a = affine.load %alpha[] : memref<f32>
    %aa = arith.mulf %a, %a : f32
    %rest = arith.subf %one, %aa : f32
    %b = affine.load %beta[] : memref<f32>
    %b1 = arith.mulf %rest, %b : f32
    affine.store %b1, %beta[] : memref<f32>
    affine.store %zero, %sum[] : memref<f32>
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %ri = affine.load %r[%k - %i - 1] : memref<40xf32>
      %yi = affine.load %y[%i] : memref<40xf32>
      %ry = arith.mulf %ri, %yi : f32
      %s = affine.load %sum[] : memref<f32>
      %s1 = arith.addf %s, %ry : f32
      affine.store %s1, %sum[] : memref<f32>
    }
    %rk = affine.load %r[%k] : memref<40xf32>
    %s = affine.load %sum[] : memref<f32>
    %t = arith.addf %rk, %s : f32
    %n = arith.negf %t : f32
    %a1 = arith.divf %n, %b1 : f32
    affine.store %a1, %alpha[] : memref<f32>
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %yi = affine.load %y[%i] : memref<40xf32>
      %yk = affine.load %y[%k - %i - 1] : memref<40xf32>
      %ay = arith.mulf %a1, %yk : f32
      %zi = arith.addf %yi, %ay : f32
      affine.store %zi, %z[%i] : memref<40xf32>
    }
    affine.for %i = 0 to affine_map<(d0) -> (d0)>(%k) {
      %zi = affine.load %z[%i] : memref<40xf32>
      affine.store %zi, %y[%i] : memref<40xf32>
    }
    affine.store %a1, %y[%k] : memref<40xf32>
  }
  return
}
