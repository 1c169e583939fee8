// test: error run
// error: 4:3: 'ml_program.global' does not run: it is a tensor of a model that its functions share; where none uses it, as the seed in programs of torch-mlir, mlir-opt-22 --symbol-dce removes it, else make it a memref.global
module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @main(%x: memref<4xf32>) {
    return
  }
}
