// A parameter that the callee uses as a symbol, and a result that comes from there, called with the counter
// of an `scf.for`: the access is made an ordinary one.
//     b[i] = a[i]          for i = 0, 1, 2
//
// test: run --entry=main --arg=iota --arg=zeros
// expect: arg 1 = [0, 1, 2, 0]
func.func private @element(%a: memref<4xi32>, %n: index) -> i32 {
  %v = affine.load %a[symbol(%n)] : memref<4xi32>
  return %v : i32
}

func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %v = func.call @element(%a, %i) : (memref<4xi32>, index) -> i32
    memref.store %v, %b[%i] : memref<4xi32>
  }
  return
}
