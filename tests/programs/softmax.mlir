// The softmax of every row: three loops in each row, each needing the one before.
//     peak = max over j of a[i, j];   e[j] = exp(a[i, j] - peak);   out[i, j] = e[j] / sum of e
//     for 0 <= i < 21, 0 <= j < 34

func.func @softmax(%a: memref<21x34xf32>, %out: memref<21x34xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  affine.for %i = 0 to 21 {
    %peak = affine.for %j = 0 to 34 iter_args(%high = %lowest) -> (f32) {
      %x = affine.load %a[%i, %j] : memref<21x34xf32>
      %higher = arith.maximumf %high, %x : f32
      affine.yield %higher : f32
    }
    %sum = affine.for %j = 0 to 34 iter_args(%partial = %zero) -> (f32) {
      %x = affine.load %a[%i, %j] : memref<21x34xf32>
      %d = arith.subf %x, %peak : f32
      %e = math.exp %d : f32
      affine.store %e, %out[%i, %j] : memref<21x34xf32>
      %next = arith.addf %partial, %e : f32
      affine.yield %next : f32
    }
    affine.for %j = 0 to 34 {
      %e = affine.load %out[%i, %j] : memref<21x34xf32>
      %share = arith.divf %e, %sum : f32
      affine.store %share, %out[%i, %j] : memref<21x34xf32>
    }
  }
  return
}
