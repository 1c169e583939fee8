// Only one iteration passes the guard, and then everybody reads what it wrote.
//     if i = 17: s = a[i];      out[i] = s + a[i]     for i = 0, 1, ..., 39, in that order

#seventeenth = affine_set<(d0) : (d0 - 17 == 0)>

func.func @one_iteration_writes(%a: memref<40xi32>, %s: memref<i32>, %out: memref<40xi32>) {
  affine.for %i = 0 to 40 {
    %x = affine.load %a[%i] : memref<40xi32>
    affine.if #seventeenth(%i) {
      affine.store %x, %s[] : memref<i32>
    }
    %y = affine.load %s[] : memref<i32>
    %z = arith.addi %x, %y : i32
    affine.store %z, %out[%i] : memref<40xi32>
  }
  return
}
