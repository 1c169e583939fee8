// correlation: the correlation matrix of 28 variables over 32 points; the data are centred and scaled in place.
func.func @correlation(%data: memref<32x28xf32>, %corr: memref<28x28xf32>, %mean: memref<28xf32>,
                       %stddev: memref<28xf32>) {
  %zero = arith.constant 0.0 : f32
  %c32 = arith.constant 32.0 : f32
  %c0_1 = arith.constant 0.1 : f32
  %one = arith.constant 1.0 : f32
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
  affine.for %j = 0 to 28 {
    affine.store %zero, %stddev[%j] : memref<28xf32>
    affine.for %i = 0 to 32 {
      %stddev_j = affine.load %stddev[%j] : memref<28xf32>
      %data_ij = affine.load %data[%i, %j] : memref<32x28xf32>
      %mean_j = affine.load %mean[%j] : memref<28xf32>
      %diff = arith.subf %data_ij, %mean_j : f32
      %data_ij0 = affine.load %data[%i, %j] : memref<32x28xf32>
      %mean_j0 = affine.load %mean[%j] : memref<28xf32>
      %diff0 = arith.subf %data_ij0, %mean_j0 : f32
      %prod = arith.mulf %diff, %diff0 : f32
      %sum = arith.addf %stddev_j, %prod : f32
      affine.store %sum, %stddev[%j] : memref<28xf32>
    }
    %stddev_j = affine.load %stddev[%j] : memref<28xf32>
    %quot = arith.divf %stddev_j, %c32 : f32
    affine.store %quot, %stddev[%j] : memref<28xf32>
    %stddev_j0 = affine.load %stddev[%j] : memref<28xf32>
    %root = math.sqrt %stddev_j0 : f32
    affine.store %root, %stddev[%j] : memref<28xf32>
    %stddev_j1 = affine.load %stddev[%j] : memref<28xf32>
    %small = arith.cmpf ole, %stddev_j1, %c0_1 : f32
    %stddev_j2 = affine.load %stddev[%j] : memref<28xf32>
    %picked = arith.select %small, %one, %stddev_j2 : f32
    affine.store %picked, %stddev[%j] : memref<28xf32>
  }
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 28 {
      %data_ij = affine.load %data[%i, %j] : memref<32x28xf32>
      %mean_j = affine.load %mean[%j] : memref<28xf32>
      %diff = arith.subf %data_ij, %mean_j : f32
      affine.store %diff, %data[%i, %j] : memref<32x28xf32>
      %data_ij0 = affine.load %data[%i, %j] : memref<32x28xf32>
      %root = math.sqrt %c32 : f32
      %stddev_j = affine.load %stddev[%j] : memref<28xf32>
      %prod = arith.mulf %root, %stddev_j : f32
      %quot = arith.divf %data_ij0, %prod : f32
      affine.store %quot, %data[%i, %j] : memref<32x28xf32>
    }
  }
  affine.for %i = 0 to 27 {
    affine.store %one, %corr[%i, %i] : memref<28x28xf32>
    affine.for %j = affine_map<(d0) -> (d0 + 1)>(%i) to 28 {
      affine.store %zero, %corr[%i, %j] : memref<28x28xf32>
      affine.for %k = 0 to 32 {
        %corr_ij = affine.load %corr[%i, %j] : memref<28x28xf32>
        %data_ki = affine.load %data[%k, %i] : memref<32x28xf32>
        %data_kj = affine.load %data[%k, %j] : memref<32x28xf32>
        %prod = arith.mulf %data_ki, %data_kj : f32
        %sum = arith.addf %corr_ij, %prod : f32
        affine.store %sum, %corr[%i, %j] : memref<28x28xf32>
      }
      %corr_ij = affine.load %corr[%i, %j] : memref<28x28xf32>
      affine.store %corr_ij, %corr[%j, %i] : memref<28x28xf32>
    }
  }
  affine.store %one, %corr[27, 27] : memref<28x28xf32>
  return
}
