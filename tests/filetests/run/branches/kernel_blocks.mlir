// Blocks in a kernel: a conditional whose ways meet, and a switch.
//
// Elements 0 to 7: 1 becomes 10, 7 becomes 2 · 7 = 14, the others keep their value; then what is above 5
// is doubled, and what is not gets 100 added.
//
// test: run --arg=iota
// expect: arg 0 = [100, 20, 102, 103, 104, 105, 12, 28]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @blocks(%a: memref<8xi32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %t = gpu.thread_id x
      %c2 = arith.constant 2 : i32
      %c5 = arith.constant 5 : i32
      %c100 = arith.constant 100 : i32
      %v = memref.load %a[%t] : memref<8xi32>
      cf.switch %v : i32, [ default: ^joined(%v : i32), 1: ^one, 7: ^seven(%c2 : i32) ]
    ^one:
      %c10 = arith.constant 10 : i32
      cf.br ^joined(%c10 : i32)
    ^seven(%x: i32):
      %y = arith.muli %x, %v : i32
      cf.br ^joined(%y : i32)
    ^joined(%r: i32):
      %above = arith.cmpi sgt, %r, %c5 : i32
      cf.cond_br %above, ^twice, ^more
    ^twice:
      %d = arith.addi %r, %r : i32
      cf.br ^done(%d : i32)
    ^more:
      %m = arith.addi %r, %c100 : i32
      cf.br ^done(%m : i32)
    ^done(%s: i32):
      memref.store %s, %a[%t] : memref<8xi32>
      gpu.return
    }
  }
  func.func @blocks(%a: memref<8xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@blocks blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1)
      args(%a : memref<8xi32>)
    return
  }
}
