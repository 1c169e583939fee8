// ludcmp: A * x = b by A = L * U, L * y = b and U * x = y; sums go through a scalar.
// The last loop counts down from 39 to 0 as 39 - %i.
func.func @ludcmp(%A: memref<40x40xf32>, %b: memref<40xf32>, %x: memref<40xf32>, %y: memref<40xf32>) {
  %w = memref.alloca() : memref<f32>
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      affine.store %a_ij, %w[] : memref<f32>
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%j) {
        %w_now = affine.load %w[] : memref<f32>
        %a_ik = affine.load %A[%i, %k] : memref<40x40xf32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xf32>
        %prod = arith.mulf %a_ik, %a_kj : f32
        %diff = arith.subf %w_now, %prod : f32
        affine.store %diff, %w[] : memref<f32>
      }
      %w_now = affine.load %w[] : memref<f32>
      %a_jj = affine.load %A[%j, %j] : memref<40x40xf32>
      %quot = arith.divf %w_now, %a_jj : f32
      affine.store %quot, %A[%i, %j] : memref<40x40xf32>
    }
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 40 {
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      affine.store %a_ij, %w[] : memref<f32>
      affine.for %k = 0 to affine_map<(d0) -> (d0)>(%i) {
        %w_now = affine.load %w[] : memref<f32>
        %a_ik = affine.load %A[%i, %k] : memref<40x40xf32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xf32>
        %prod = arith.mulf %a_ik, %a_kj : f32
        %diff = arith.subf %w_now, %prod : f32
        affine.store %diff, %w[] : memref<f32>
      }
      %w_now = affine.load %w[] : memref<f32>
      affine.store %w_now, %A[%i, %j] : memref<40x40xf32>
    }
  }
  affine.for %i = 0 to 40 {
    %b_i = affine.load %b[%i] : memref<40xf32>
    affine.store %b_i, %w[] : memref<f32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %w_now = affine.load %w[] : memref<f32>
      %a_ij = affine.load %A[%i, %j] : memref<40x40xf32>
      %y_j = affine.load %y[%j] : memref<40xf32>
      %prod = arith.mulf %a_ij, %y_j : f32
      %diff = arith.subf %w_now, %prod : f32
      affine.store %diff, %w[] : memref<f32>
    }
    %w_now = affine.load %w[] : memref<f32>
    affine.store %w_now, %y[%i] : memref<40xf32>
  }
  affine.for %i = 0 to 40 {
    %y_39mi = affine.load %y[39 - %i] : memref<40xf32>
    affine.store %y_39mi, %w[] : memref<f32>
    affine.for %j = affine_map<(d0) -> (40 - d0)>(%i) to 40 {
      %w_now = affine.load %w[] : memref<f32>
      %a_39mij = affine.load %A[39 - %i, %j] : memref<40x40xf32>
      %x_j = affine.load %x[%j] : memref<40xf32>
      %prod = arith.mulf %a_39mij, %x_j : f32
      %diff = arith.subf %w_now, %prod : f32
      affine.store %diff, %w[] : memref<f32>
    }
    %w_now = affine.load %w[] : memref<f32>
    %a_39mi39mi = affine.load %A[39 - %i, 39 - %i] : memref<40x40xf32>
    %quot = arith.divf %w_now, %a_39mi39mi : f32
    affine.store %quot, %x[39 - %i] : memref<40xf32>
  }
  return
}
