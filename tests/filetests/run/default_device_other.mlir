// test: error run
// error: 6:3: a run has one device, whose number is the constant 0
func.func @main() {
  %one = arith.constant 1 : i32
  // The second device of a machine.
  gpu.set_default_device %one
  return
}
