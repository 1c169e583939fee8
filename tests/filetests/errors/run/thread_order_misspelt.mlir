// test: error run --thread-order=random
// exit: 2
// error: 'random' is not a thread order; it is ascending, reverse or random:SEED
func.func @f() {
  return
}
