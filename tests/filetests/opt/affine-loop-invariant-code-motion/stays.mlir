// test: opt --affine-loop-invariant-code-motion
// test: run-opt --entry=read_before --arg=iota --arg=zeros
// expect: arg 0 = [5, 1, 2, 3, 4, 5, 6, 7]
// expect: arg 1 = [0, 5, 5, 5, 5, 5, 5, 5]
// test: run-opt --entry=written --arg=iota --arg=zeros
// remark: 14:10: it is ordered by an anti dependence
// remark: 16:5: it is ordered by a flow dependence
// remark: 24:10: it is ordered by an anti dependence

// The first iteration reads what stood in %a[0], the others what has been stored: both stay.
func.func @read_before(%a: memref<8xi32>, %b: memref<8xi32>) {
  %five = arith.constant 5 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[0] : memref<8xi32>
    affine.store %x, %b[%i] : memref<8xi32>
    affine.store %five, %a[0] : memref<8xi32>
  }
  return
}

// The element is written in one of the iterations.
func.func @written(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[3] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %a[%i] : memref<8xi32>
  }
  return
}
