// test: opt --symbol-dce
// test: run-opt --entry=entry

// Two that only call each other go together.
func.func private @ping() {
  func.call @pong() : () -> ()
  return
}

func.func private @pong() {
  func.call @ping() : () -> ()
  return
}

func.func private @used() {
  return
}

func.func @entry() {
  func.call @used() : () -> ()
  return
}
