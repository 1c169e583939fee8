// test: run --arg=iota --arg=random:7
// test: run --arg=iota --arg=random:7 --portable
// What threads print comes in the order of workgroups, threads, and the program, whatever order they ran in; --check
// compares it with the interpreter's. Numbers of every width, vectors, a loop, a branch, text without a value.
module attributes {gpu.container_module} {
  func.func @main(%n: memref<10xi32>, %x: memref<10xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    gpu.printf "before\n"
    gpu.launch_func @m::@k blocks in (%c2, %c1, %c1) threads in (%c5, %c1, %c1)
        args(%n : memref<10xi32>, %x : memref<10xf32>)
    gpu.printf "behind\n"
    return
  }
  gpu.module @m {
    gpu.func @k(%n: memref<10xi32>, %x: memref<10xf32>) kernel {
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %start = arith.muli %block, %c5 : index
      %i = arith.addi %start, %thread : index
      %a = memref.load %n[%i] : memref<10xi32>
      %f = memref.load %x[%i] : memref<10xf32>
      %down = arith.subi %c0, %i : index
      gpu.printf "%lld is %d and %8.3f, %lld below\n", %i, %a, %f, %down : index, i32, f32, index
      %three = arith.constant 3 : i32
      %odd = arith.trunci %a : i32 to i1
      %byte = arith.trunci %a : i32 to i8
      %negative = arith.subi %byte, %byte : i8
      %less = arith.constant -3 : i8
      %sum = arith.addi %negative, %less : i8
      %half = arith.truncf %f : f32 to f16
      scf.if %odd {
        gpu.printf "  odd: %u, a byte %d, a half %g\n", %odd, %sum, %half : i1, i8, f16
      } else {
        gpu.printf "  even\n"
      }
      scf.for %j = %c0 to %c3 step %c1 {
        %v = vector.broadcast %a : i32 to vector<4xi32>
        %w = vector.insert %three, %v [1] : i32 into vector<4xi32>
        vector.print %w : vector<4xi32>
        vector.print %j : index
      }
      vector.print str "end of a thread"
      memref.store %three, %n[%i] : memref<10xi32>
      gpu.return
    }
  }
}
