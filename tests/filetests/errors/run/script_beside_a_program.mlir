// A transform script that was left in the module: the message says how to apply it and take it out.
// test: error run --device=cpu
// error: 8:1: 'transform.named_sequence' is a script of transformations, which gridloom does not apply
module attributes {transform.with_named_sequence} {
func.func @f(%x: memref<8xf32>) {
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op) {
  transform.yield
}
}
