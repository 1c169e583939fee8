// test: error run --memory-spaces=vmem=fast
// exit: 2
// error: 'fast' is not a kind of memory; there are host, staging, global, workgroup and private
func.func @f() {
  return
}
