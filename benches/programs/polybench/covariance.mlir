// covariance: the covariance matrix of 28 variables over 32 points; the data are centred in place.
func.func @covariance(%data: memref<32x28xf32>, %cov: memref<28x28xf32>, %mean: memref<28xf32>) {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32.0 : f32
  %c31 = arith.constant 31.0 : f32
  affine.for %j = 0 to 28 {
    affine.store %zero, %mean[%j] : memref<28xf32>
    affine.for %i = 0 to 32 {
      %mean_j = affine.load %mean[%j] : memref<28xf32>
      %data_ij = affine.load %data[%i, %j] : memref<32x28xf32>
      %sum = arith.addf %mean_j, %data_ij : f32
      affine.store %sum, %mean[%j] : memref<28xf32>
    }
    %mean_j = affine.load %mean[%j] : memref<28xf32>
    %quot = arith.divf %mean_j, %c32 : f32
    affine.store %quot, %mean[%j] : memref<28xf32>
  }
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 28 {
      %data_ij = affine.load %data[%i, %j] : memref<32x28xf32>
      %mean_j = affine.load %mean[%j] : memref<28xf32>
      %diff = arith.subf %data_ij, %mean_j : f32
      affine.store %diff, %data[%i, %j] : memref<32x28xf32>
    }
  }
  affine.for %i = 0 to 28 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 28 {
      affine.store %zero, %cov[%i, %j] : memref<28x28xf32>
      affine.for %k = 0 to 32 {
        %cov_ij = affine.load %cov[%i, %j] : memref<28x28xf32>
        %data_ki = affine.load %data[%k, %i] : memref<32x28xf32>
        %data_kj = affine.load %data[%k, %j] : memref<32x28xf32>
        %prod = arith.mulf %data_ki, %data_kj : f32
        %sum = arith.addf %cov_ij, %prod : f32
        affine.store %sum, %cov[%i, %j] : memref<28x28xf32>
      }
      %cov_ij = affine.load %cov[%i, %j] : memref<28x28xf32>
      %quot = arith.divf %cov_ij, %c31 : f32
      affine.store %quot, %cov[%i, %j] : memref<28x28xf32>
      %cov_ij0 = affine.load %cov[%i, %j] : memref<28x28xf32>
      affine.store %cov_ij0, %cov[%j, %i] : memref<28x28xf32>
    }
  }
  return
}
