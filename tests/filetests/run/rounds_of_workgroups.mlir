// More iterations than 1024 workgroups of 8 threads have: each runs once, with one element left over in the last round.
// Element i becomes i + 1; expected are n (n + 1) / 2 and n (n + 1) (2 n + 1) / 6 for n = 20011, modulo 2^32.
//
// test: run --arg=ones --arg=zeros --arg=zeros
// expect: arg 2 = [200230066, -200347606]
func.func @main(%steps: memref<1xindex>, %x: memref<20011xi32>, %sums: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %n = arith.constant 20011 : index
  %step = memref.load %steps[%c0] : memref<1xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%step) {
    %number = arith.index_cast %i : index to i32
    %next = arith.addi %number, %one : i32
    %old = memref.load %x[%i] : memref<20011xi32>
    %new = arith.addi %old, %next : i32
    memref.store %new, %x[%i] : memref<20011xi32>
  }
  affine.for %i = 0 to 20011 {
    %value = affine.load %x[%i] : memref<20011xi32>
    %sum = affine.load %sums[0] : memref<2xi32>
    %new_sum = arith.addi %sum, %value : i32
    affine.store %new_sum, %sums[0] : memref<2xi32>
    %square = arith.muli %value, %value : i32
    %squares = affine.load %sums[1] : memref<2xi32>
    %new_squares = arith.addi %squares, %square : i32
    affine.store %new_squares, %sums[1] : memref<2xi32>
  }
  return
}
