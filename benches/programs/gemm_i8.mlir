// C += A B of bytes into integers of 32 bits, 512 each way.
func.func @gemm(%A: memref<512x512xi8>, %B: memref<512x512xi8>, %C: memref<512x512xi32>) {
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      affine.for %k = 0 to 512 {
        %a = affine.load %A[%i, %k] : memref<512x512xi8>
        %b = affine.load %B[%k, %j] : memref<512x512xi8>
        %c = affine.load %C[%i, %j] : memref<512x512xi32>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %product = arith.muli %x, %y : i32
        %sum = arith.addi %c, %product : i32
        affine.store %sum, %C[%i, %j] : memref<512x512xi32>
      }
    }
  }
  return
}
