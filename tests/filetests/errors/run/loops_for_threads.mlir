// test: error run --device=cpu
// error: 4:3: 'omp.parallel' does not run: it hands loops to threads of the host, or to other compilers
func.func @f(%x: memref<8xf32>) {
  omp.parallel {
    omp.terminator
  }
  return
}
