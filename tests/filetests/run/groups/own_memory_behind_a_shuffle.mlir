// A thread reads an element, waits for its subgroup, and writes the element: it races with nobody.
// The kernel's size stands in the attribute that MLIR lets any function have.
// test: spirv
// test: run --entry=main --arg=iota --arg=zeros
// expect: arg 0 = [1, 1, 5, 5, 9, 9, 13, 13]
// expect: arg 1 = [1, 2, 7, 8, 13, 14, 19, 20]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%a: memref<8xi32>, %o: memref<8xi32>)
        workgroup(%w: memref<8xi32, #gpu.address_space<workgroup>>) kernel
        attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {
      %t = gpu.thread_id x
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %i = arith.index_cast %t : index to i32
      memref.store %i, %w[%t] : memref<8xi32, #gpu.address_space<workgroup>>
      %x = memref.load %a[%t] : memref<8xi32>
      %y, %valid = gpu.shuffle xor %x, %one, %width : i32
      %s = arith.addi %x, %y : i32
      memref.store %s, %a[%t] : memref<8xi32>
      %v = memref.load %w[%t] : memref<8xi32, #gpu.address_space<workgroup>>
      %u = arith.addi %s, %v : i32
      memref.store %u, %w[%t] : memref<8xi32, #gpu.address_space<workgroup>>
      %r = memref.load %w[%t] : memref<8xi32, #gpu.address_space<workgroup>>
      memref.store %r, %o[%t] : memref<8xi32>
      gpu.return
    }
  }
  func.func @main(%a: memref<8xi32>, %o: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%a : memref<8xi32>, %o : memref<8xi32>)
    return
  }
}
