// A function of the kernel's module has a reduction in a loop, and is called in another: threads t run t mod 3 iterations with t mod 3 + j
// iterations in each. Those that call in the same iteration are together. The values are Python's.
// test: run --arg=zeros
// expect: arg 0 = [0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 951, 0, 331, 596, 0, 176, 596, 0, 176, 596, 0]
module attributes {gpu.container_module} {
  gpu.module @m {
    func.func @sum(%n: index, %v: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
        %s = gpu.subgroup_reduce add %v : (i32) -> (i32)
        %b = arith.addi %a, %s : i32
        scf.yield %b : i32
      }
      return %r : i32
    }
    gpu.func @k(%x: memref<40xi32>) kernel attributes {known_block_size = array<i32: 40, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i32
      %n = arith.remui %t, %c3 : index
      scf.for %j = %c0 to %n step %c1 {
        %m = arith.addi %n, %j : index
        %s = func.call @sum(%m, %i) : (index, i32) -> i32
        %o = memref.load %x[%t] : memref<40xi32>
        %w = arith.addi %o, %s : i32
        memref.store %w, %x[%t] : memref<40xi32>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<40xi32>) {
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c40, %c1, %c1) args(%x : memref<40xi32>)
    return
  }
}
