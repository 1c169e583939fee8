// Vectors without dimensions are loaded and stored by their elements, in loops and conditions of affine, too.
// test: opt --lower-vector-elements --canonicalize
// test: run-opt --entry=doubled --arg=iota[5] --arg=zeros[5]
// expect: arg 1 = [0, 2, 4, 6, 8]
// test: run-opt --entry=extracted --arg=iota[5] --arg=zeros[5]
// expect: arg 1 = [0, 1, 2, 3, 4]

func.func @doubled(%a: memref<5xvector<f32>>, %b: memref<5xvector<f32>>) {
  affine.for %i = 0 to 5 {
    %x = affine.load %a[%i] : memref<5xvector<f32>>
    %y = arith.addf %x, %x : vector<f32>
    affine.store %y, %b[%i] : memref<5xvector<f32>>
  }
  return
}

func.func @extracted(%a: memref<5xvector<i32>>, %b: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %i = %c0 to %c5 step %c1 {
    %x = memref.load %a[%i] : memref<5xvector<i32>>
    %e = vector.extract %x[] : i32 from vector<i32>
    memref.store %e, %b[%i] : memref<5xi32>
  }
  return
}
