// test: run --entry=transposed --arg=zeros --arg=zeros
// expect: arg 0 = [1, 2, 3, 4, 5, 6]
// expect: arg 1 = [7, 7, 7, 7, 7, 7]

// Globals with layouts: element [i][j] of the initial value is element [i][j] of the memref, wherever it lies.
memref.global "private" constant @columns : memref<2x3xi32, strided<[1, 2]>> = dense<[[1, 2, 3], [4, 5, 6]]>
memref.global "private" constant @same : memref<2x3xi32, affine_map<(d0, d1) -> (d1, d0)>> = dense<7>
memref.global "private" @written : memref<2x3xi32, strided<[1, 2]>> = dense<[[1, 2, 3], [4, 5, 6]]>

func.func @transposed(%x: memref<2x3xi32>, %y: memref<2x3xi32>) {
  %t = memref.get_global @columns : memref<2x3xi32, strided<[1, 2]>>
  %s = memref.get_global @same : memref<2x3xi32, affine_map<(d0, d1) -> (d1, d0)>>
  %w = memref.get_global @written : memref<2x3xi32, strided<[1, 2]>>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %u = affine.load %t[%i, %j] : memref<2x3xi32, strided<[1, 2]>>
      %v = affine.load %w[%i, %j] : memref<2x3xi32, strided<[1, 2]>>
      %m = arith.maxsi %u, %v : i32
      affine.store %m, %x[%i, %j] : memref<2x3xi32>
      affine.store %m, %w[%i, %j] : memref<2x3xi32, strided<[1, 2]>>
      %c = affine.load %s[%i, %j] : memref<2x3xi32, affine_map<(d0, d1) -> (d1, d0)>>
      affine.store %c, %y[%i, %j] : memref<2x3xi32>
    }
  }
  return
}
