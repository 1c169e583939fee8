// The nearest of 25 points, its number kept in memory.
// test: run --arg=iota --arg=iota --arg=zeros --arg=zeros
// expect: arg 2 = [0, 1, 2, 3, 4]
func.func @nearest_neighbours(%q: memref<5x4xf32>, %p: memref<25x4xf32>, %o: memref<5xi32>, %d: memref<5x25xf32>) {
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 25 {
      %z = arith.constant 0.0 : f32
      affine.store %z, %d[%i, %j] : memref<5x25xf32>
      affine.for %k = 0 to 4 {
        %x = affine.load %q[%i, %k] : memref<5x4xf32>
        %y = affine.load %p[%j, %k] : memref<25x4xf32>
        %e = arith.subf %x, %y : f32
        %e2 = arith.mulf %e, %e : f32
        %c = affine.load %d[%i, %j] : memref<5x25xf32>
        %n = arith.addf %c, %e2 : f32
        affine.store %n, %d[%i, %j] : memref<5x25xf32>
      }
    }
  }
  affine.for %i = 0 to 5 {
    %zi = arith.constant 0 : i32
    affine.store %zi, %o[%i] : memref<5xi32>
    affine.for %j = 1 to 25 {
      %b = affine.load %o[%i] : memref<5xi32>
      %bi = arith.index_cast %b : i32 to index
      %cur = memref.load %d[%i, %bi] : memref<5x25xf32>
      %v = affine.load %d[%i, %j] : memref<5x25xf32>
      %lt = arith.cmpf olt, %v, %cur : f32
      %j3 = arith.index_cast %j : index to i32
      %s = arith.select %lt, %j3, %b : i32
      affine.store %s, %o[%i] : memref<5xi32>
    }
  }
  return
}
