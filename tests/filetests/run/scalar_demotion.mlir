// One temporary collects the sums of two solves; each is collected in its
// vector instead. x[i] = i - (x[0] + … + x[i-1]), and y[i] likewise from 2.
//
// test: run --arg=ones --arg=iota --arg=zeros --arg=zeros
// expect: arg 2 = [0, 1, 1, 1, 1, 1]
// expect: arg 3 = [2, 0, 0, 0, 0, 0]
func.func @solves(%a: memref<6x6xi32>, %b: memref<6xi32>, %x: memref<6xi32>, %y: memref<6xi32>) {
  %two = arith.constant 2 : i32
  %t = memref.alloca() : memref<i32>
  affine.for %i = 0 to 6 {
    %c = affine.load %b[%i] : memref<6xi32>
    affine.store %c, %t[] : memref<i32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %t[] : memref<i32>
      %l = affine.load %a[%i, %j] : memref<6x6xi32>
      %r = affine.load %x[%j] : memref<6xi32>
      %p = arith.muli %l, %r : i32
      %u = arith.subi %s, %p : i32
      affine.store %u, %t[] : memref<i32>
    }
    %v = affine.load %t[] : memref<i32>
    affine.store %v, %x[%i] : memref<6xi32>
  }
  affine.for %i = 0 to 6 {
    affine.store %two, %t[] : memref<i32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %s = affine.load %t[] : memref<i32>
      %r = affine.load %y[%j] : memref<6xi32>
      %u = arith.subi %s, %r : i32
      affine.store %u, %t[] : memref<i32>
    }
    %v = affine.load %t[] : memref<i32>
    affine.store %v, %y[%i] : memref<6xi32>
  }
  return
}
