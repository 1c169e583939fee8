// test: run --arg=iota
// Numbers of 64 bits, where the device has them; else the launch runs on the host.
module attributes {gpu.container_module} {
  func.func @main(%n: memref<4xi64>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
        args(%n : memref<4xi64>)
    return
  }
  gpu.module @m {
    gpu.func @k(%n: memref<4xi64>) kernel {
      %i = gpu.thread_id x
      %a = memref.load %n[%i] : memref<4xi64>
      %far = arith.constant 5000000000 : i64
      %b = arith.subi %a, %far : i64
      %f = arith.sitofp %b : i64 to f64
      %p = vector.from_elements %b, %a : vector<2xi64>
      gpu.printf "%lld %e\n", %b, %f : i64, f64
      vector.print %p : vector<2xi64>
      memref.store %b, %n[%i] : memref<4xi64>
      gpu.return
    }
  }
}
