// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.execute_region -> f32 {
 cf.br ^bb1
 ^bb1:
 scf.yield %f : f32
 }
  scf.execute_region {
 scf.yield
 }
  scf.execute_region no_inline {
 scf.yield
 } {x}
  %q:2 = scf.execute_region -> (f32, i32) no_inline {
 scf.yield %f, %n : f32, i32
 }
  return
}
func.func @f1(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.execute_region {
 "a.b"() : () -> ()
 }
  return
}
func.func @f2(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.index_switch %i -> f32
 case 1 {
 scf.yield %f : f32
 }
 case -5 {
 scf.yield %f : f32
 }
 default {
 scf.yield %f : f32
 }
  scf.index_switch %i {x}
 default {
 }
  scf.index_switch %i
 case 7 {
 scf.yield
 } default {
 scf.yield
 }
  return
}
