// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.while (%a = %f) : (f32) -> i32 {
 scf.condition(%c) %n : i32
 } do {
 ^bb0(%b: i32):
 scf.yield %f : f32
 }
  scf.while : () -> () {
 scf.condition(%c)
 } do {
 scf.yield
 } attributes {x}
  return
}
