// test: error translate --serialize-spirv
// error: 'gridloom opt --convert-gpu-to-spirv' makes one of each gpu.module
func.func @f() {
  return
}
