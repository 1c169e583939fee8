// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.if %c {
 }
  %r = scf.if %c -> (f32) {
 scf.yield %f : f32
 } else {
 scf.yield %f : f32
 }
  scf.if %c {
 } else {
 } {x}
  return
}
