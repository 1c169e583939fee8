// The `index` dialect, on the host and in kernels.
//     c = 1 - 64 * (i + 3);  floor(c / 3) below 3, the greater of floor and ceiling from there on
//
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [-64, -85, -107, -127, -149, -170, -191, -213]
// expect: arg 1 = [-64, -85, -107, -127, -149, -170, -191, -213]
func.func @f(%x: memref<8xi64>, %y: memref<8xi32>) {
  %one = index.constant 1
  %three = index.constant 3
  %w = index.sizeof
  affine.for %i = 0 to 8 {
    %a = index.add %i, %three
    %b = index.mul %a, %w
    %c = index.sub %one, %b
    %d = index.floordivs %c, %three
    %e = index.ceildivs %c, %three
    %f = index.maxs %d, %e
    %g = index.cmp slt(%i, %three)
    %h = arith.select %g, %d, %f : index
    %s = index.casts %h : index to i64
    affine.store %s, %x[%i] : memref<8xi64>
    %k = index.castu %h : index to i32
    affine.store %k, %y[%i] : memref<8xi32>
  }
  return
}
