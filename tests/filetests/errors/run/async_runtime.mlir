// test: error run
// error: 6:8: 'async.runtime.create' does not run: of its dialect, async.execute, async.await and groups run; functions, coroutines and the runtime do not: run the program as it was before --async-func-to-async-runtime, --async-to-async-runtime and --async-parallel-for, and make an async.func a func.func

func.func @main() {
  // The runtime's form of a token.
  %t = "async.runtime.create"() : () -> !async.token
  "async.runtime.await"(%t) : (!async.token) -> ()
  return
}
