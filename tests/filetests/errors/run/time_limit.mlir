// test: error run --device=cpu --time-limit=0.05 --arg=zeros
// exit: 4
// error: 6:3: stopped here: the time limit of this run is over
func.func @f(%a: memref<1xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 1000000000000000 {
    %x = affine.load %a[0] : memref<1xi32>
    %y = arith.muli %x, %x : i32
    %z = arith.addi %y, %one : i32
    affine.store %z, %a[0] : memref<1xi32>
  }
  return
}
