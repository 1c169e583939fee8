// The first element above a bound, with its number and what belongs to it, as a flag and cells keep them.
// test: run --arg=iota --arg=iota --arg=3000.0 --arg=zeros --arg=zeros --arg=zeros
// expect: arg 3 = [1]
// expect: arg 4 = 3001
// expect: arg 5 = [0.0, 3001.0]
// test: run --arg=iota --arg=iota --arg=6000.0 --arg=zeros --arg=ones --arg=ones
// expect: arg 3 = [0]
// expect: arg 4 = 1
// expect: arg 5 = [1.0, 1.0]
// test: run --arg=iota --arg=iota --arg=-1.0 --arg=ones --arg=zeros --arg=zeros
// expect: arg 3 = [1]
// expect: arg 4 = 0
// expect: arg 5 = [0.0, 0.0]
func.func @first(%x: memref<5000xf32>, %y: memref<5000xf32>, %t: f32, %found: memref<1xi32>, %at: memref<i32>, %v: memref<2xf32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  affine.for %i = 0 to 5000 {
    %a = affine.load %x[%i] : memref<5000xf32>
    %hit = arith.cmpf ogt, %a, %t : f32
    %f = affine.load %found[0] : memref<1xi32>
    %unset = arith.cmpi eq, %f, %c0 : i32
    %takes = arith.andi %hit, %unset : i1
    scf.if %takes {
      affine.store %c1, %found[0] : memref<1xi32>
      %k = arith.index_cast %i : index to i32
      affine.store %k, %at[] : memref<i32>
      %b = affine.load %y[%i] : memref<5000xf32>
      affine.store %b, %v[1] : memref<2xf32>
    }
  }
  return
}
