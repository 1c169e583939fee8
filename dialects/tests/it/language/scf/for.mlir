// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.for %a = %i to %i step %i {
 }
  %r:2 = scf.for %a = %n to %n step %n iter_args(%p = %f, %q = %i) -> (f32, index) : i32 {
 scf.yield %p, %q : f32, index
 }
  scf.for unsigned %a = %i to %i step %i {
 } {x}
  return
}
func.func @f1(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %z = arith.constant 0 : index
  scf.for %a = %i to %i step %z {
 }
  return
}
