// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
func.func @f0(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.forall (%a, %b) in (4, %i) {
 }
  scf.forall (%a) in (8) {
 } {mapping = [#gpu.thread<x>]}
  scf.forall (%a) = (0) to (%i) step (2) {
 scf.forall.in_parallel {}
 }
  return
}
func.func @f1(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  %r = scf.forall (%a) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
 %s = tensor.extract_slice %o[%a] [1] [1] : tensor<8xf32> to tensor<1xf32>
 scf.forall.in_parallel {
 tensor.parallel_insert_slice %s into %o[%a] [1] [1] : tensor<1xf32> into tensor<8xf32>
 }
 } {mapping = [#gpu.block<y>], x}
  return
}
func.func @f2(%i: index, %c: i1, %t: tensor<8xf32>, %f: f32, %n: i32) {
  scf.forall (%a) in (8) {
 } {mapping = []}
  return
}
