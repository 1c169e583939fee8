// test: error run --thread-order=random
// exit: 2
// error: 'random' is no order; it is ascending, reverse or random:SEED
func.func @f() {
  return
}
