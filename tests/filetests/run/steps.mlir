// A thousand steps of two kernels between two buffers: each reads what another thread
// of the other has written. A step turns the line around and adds two, so that an even
// number of steps turns nothing. Between the steps the host touches neither buffer.
//
// test: run --arg=iota --arg=zeros
// expect: arg 0 = [2000, 2001, 2002, 2003, 2004, 2005, 2006]
// expect: arg 1 = [1999, 2000, 2001, 2002, 2003, 2004, 2005]
func.func @steps(%a: memref<7xi32>, %b: memref<7xi32>) {
  %one = arith.constant 1 : i32
  affine.for %t = 0 to 1000 {
    affine.for %i = 0 to 7 {
      %x = affine.load %a[-%i + 6] : memref<7xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %b[%i] : memref<7xi32>
    }
    affine.for %i = 0 to 7 {
      %x = affine.load %b[%i] : memref<7xi32>
      %y = arith.addi %x, %one : i32
      affine.store %y, %a[%i] : memref<7xi32>
    }
  }
  return
}
