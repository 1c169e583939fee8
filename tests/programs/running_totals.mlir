// A value carried along and stored on the way: sequential along j, parallel along i.
//     out[i, j] = a[i, 0] + ... + a[i, j]          for 0 <= i < 26, 0 <= j < 31

func.func @running_totals(%a: memref<26x31xi32>, %out: memref<26x31xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 26 {
    %all = affine.for %j = 0 to 31 iter_args(%total = %zero) -> (i32) {
      %x = affine.load %a[%i, %j] : memref<26x31xi32>
      %next = arith.addi %total, %x : i32
      affine.store %next, %out[%i, %j] : memref<26x31xi32>
      affine.yield %next : i32
    }
  }
  return
}
