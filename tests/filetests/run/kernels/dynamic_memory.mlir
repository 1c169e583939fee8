// Dynamic workgroup memory: floats and, behind as many of them as there are threads, more floats; sizes
// and shift are arguments. Each workgroup turns its part of x around and adds what lies in the second
// array, the thread's own number. The first launch has 4 threads a workgroup: 0 … 3 becomes 3 + 0, 2 + 1,
// 1 + 2, 0 + 3, and 4 … 7 all 7; the second has 2, which makes 3 + 0, 3 + 1 of each pair.
//
// test: run --arg=iota
// expect: arg 0 = [3, 4, 3, 4, 7, 8, 7, 8]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<?xf32>, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %bytes = arith.constant 4 : index
      %raw = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %half = arith.muli %n, %bytes : index
      %a = memref.view %raw[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
      %b = memref.view %raw[%half][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
      %t = gpu.thread_id x
      %i = gpu.global_id x
      %v = memref.load %x[%i] : memref<?xf32>
      memref.store %v, %a[%t] : memref<?xf32, #gpu.address_space<workgroup>>
      %number = arith.index_cast %t : index to i32
      %own = arith.sitofp %number : i32 to f32
      memref.store %own, %b[%t] : memref<?xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %last = arith.subi %n, %c1 : index
      %back = arith.subi %last, %t : index
      %w = memref.load %a[%back] : memref<?xf32, #gpu.address_space<workgroup>>
      %o = memref.load %b[%t] : memref<?xf32, #gpu.address_space<workgroup>>
      %s = arith.addf %w, %o : f32
      memref.store %s, %x[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %large = arith.constant 32 : i32
    %small = arith.constant 16 : i32
    %open = memref.cast %x : memref<8xf32> to memref<?xf32>
    gpu.launch_func @m::@k blocks in (%c2, %c1, %c1) threads in (%c4, %c1, %c1)
      dynamic_shared_memory_size %large args(%open : memref<?xf32>, %c4 : index)
    gpu.launch_func @m::@k blocks in (%c4, %c1, %c1) threads in (%c2, %c1, %c1)
      dynamic_shared_memory_size %small args(%open : memref<?xf32>, %c2 : index)
    return
  }
}
