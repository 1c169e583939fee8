// What passes a vector on has its elements: a loop, a branch between blocks, an `scf.if`. A call takes it
// whole, and so does an operation that has no form on elements.
//
// test: opt --lower-vectors
// test: run-opt --entry=carried --arg=iota
// test: run-opt --entry=between_blocks --arg=iota --arg=true
func.func @carried(%a: memref<6xf32>) -> vector<6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = vector.load %a[%c0] : memref<6xf32>, vector<6xf32>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %first) -> (vector<6xf32>) {
    %y = func.call @twice(%x) : (vector<6xf32>) -> vector<6xf32>
    scf.yield %y : vector<6xf32>
  }
  return %last : vector<6xf32>
}
func.func private @twice(%x: vector<6xf32>) -> vector<6xf32> {
  %y = arith.addf %x, %x : vector<6xf32>
  return %y : vector<6xf32>
}
func.func @between_blocks(%a: memref<2x3xi32>, %yes: i1) -> vector<2x3xi32> {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0, %c0] : memref<2x3xi32>, vector<2x3xi32>
  %z = arith.constant dense<7> : vector<2x3xi32>
  cf.cond_br %yes, ^done(%x : vector<2x3xi32>), ^done(%z : vector<2x3xi32>)
^done(%y: vector<2x3xi32>):
  %w = arith.select %yes, %y, %z : vector<2x3xi32>
  return %w : vector<2x3xi32>
}
