// Code after an inner parallel loop, inside an outer loop that is not parallel:
// each row needs the sum that the code after the row before has left.
//     for i = 0, 1, ..., 17:   a[i, j] = a[i, j] + carry     for 0 <= j < 22
//                              carry = a[i, 3] - a[i, 20];   trail[i] = carry

func.func @after_inner(%a: memref<18x22xi32>, %carry: memref<i32>, %trail: memref<18xi32>) {
  affine.for %i = 0 to 18 {
    affine.for %j = 0 to 22 {
      %x = affine.load %a[%i, %j] : memref<18x22xi32>
      %c = affine.load %carry[] : memref<i32>
      %y = arith.addi %x, %c : i32
      affine.store %y, %a[%i, %j] : memref<18x22xi32>
    }
    %u = affine.load %a[%i, 3] : memref<18x22xi32>
    %v = affine.load %a[%i, 20] : memref<18x22xi32>
    %d = arith.subi %u, %v : i32
    affine.store %d, %carry[] : memref<i32>
    affine.store %d, %trail[%i] : memref<18xi32>
  }
  return
}
