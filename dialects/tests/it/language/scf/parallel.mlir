// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.parallel (%a, %b) = (%i, %i) to (%i, %i) step (%i, %i) {
 scf.reduce
 }
  %r = scf.parallel (%a) = (%i) to (%i) step (%i) init (%f) -> f32 {
 scf.reduce(%f : f32) {
 ^bb0(%x: f32, %y: f32):
 %z = arith.addf %x, %y : f32
 scf.reduce.return %z : f32
 }
 }
  return
}
func.func @f1(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.parallel (%a) = (%i) to (%i) step (%i) {
 }
  return
}
