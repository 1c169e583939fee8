// A memref that is poison has no elements.
// test: error run --device=cpu --arg=0 --arg=2
// error: 12:8: index 2 is out of bounds of dimension 0, which has 0 elements
func.func @f(%c: i1, %i: index) -> f32 {
  %a = memref.alloca() : memref<4xf32>
  %none = ub.poison : memref<4xf32>
  %m = scf.if %c -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %none : memref<4xf32>
  }
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}
