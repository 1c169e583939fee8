// Memory of vectors that is global, passed to functions, returned, chosen between and carried by a
// loop; a vector without dimensions is one scalar.
//
// test: run --arg=iota
// expect: result 0 = [4, 5, 6, 7]
// expect: result 1 = 6
memref.global "private" @kept : memref<2xvector<4xf32>> = uninitialized
func.func private @second(%m: memref<2xvector<4xf32>>) -> memref<2xvector<4xf32>> {
  %c1 = arith.constant 1 : index
  %g = memref.get_global @kept : memref<2xvector<4xf32>>
  %v = memref.load %m[%c1] : memref<2xvector<4xf32>>
  memref.store %v, %g[%c1] : memref<2xvector<4xf32>>
  return %g : memref<2xvector<4xf32>>
}
func.func @passed_on(%m: memref<2xvector<4xf32>>) -> (vector<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %g = call @second(%m) : (memref<2xvector<4xf32>>) -> memref<2xvector<4xf32>>
  %last, %other = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %m, %y = %g)
      -> (memref<2xvector<4xf32>>, memref<2xvector<4xf32>>) {
    scf.yield %y, %x : memref<2xvector<4xf32>>, memref<2xvector<4xf32>>
  }
  %v = memref.load %last[%c1] : memref<2xvector<4xf32>>
  %one = memref.alloca() : memref<vector<f32>>
  %six = vector.extract %v[2] : f32 from vector<4xf32>
  %point = vector.broadcast %six : f32 to vector<f32>
  memref.store %point, %one[] : memref<vector<f32>>
  %back = memref.load %one[] : memref<vector<f32>>
  %scalar = vector.extract %back[] : f32 from vector<f32>
  return %v, %scalar : vector<4xf32>, f32
}
