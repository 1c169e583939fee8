// Workgroup memory of bytes, viewed as floats of two dimensions and integers behind them:
// thread t of 4 reads what thread 3 - t has written. The second view of integers begins in the middle
// of the first, so element 2 of the first is element 0 of the second.
//
// test: run --arg=iota --arg=iota --arg=zeros
// expect: arg 0 = [3, 2, 1, 0]
// expect: arg 1 = [30, 20, 10, 0]
// expect: arg 2 = [20, 30]
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%x: memref<4xf32>, %n: memref<4xi64>, %seen: memref<2xi64>)
        workgroup(%raw: memref<64xi8, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %ten = arith.constant 10 : i64
      %t = gpu.thread_id x
      %a = memref.view %raw[%c0][] : memref<64xi8, #gpu.address_space<workgroup>> to memref<2x2xf32, #gpu.address_space<workgroup>>
      %b = memref.view %raw[%c16][] : memref<64xi8, #gpu.address_space<workgroup>> to memref<4xi64, #gpu.address_space<workgroup>>
      %half = memref.view %raw[%c32][] : memref<64xi8, #gpu.address_space<workgroup>> to memref<2xi64, #gpu.address_space<workgroup>>
      %row = arith.divui %t, %c2 : index
      %column = arith.remui %t, %c2 : index
      %v = memref.load %x[%t] : memref<4xf32>
      memref.store %v, %a[%row, %column] : memref<2x2xf32, #gpu.address_space<workgroup>>
      %m = memref.load %n[%t] : memref<4xi64>
      %tens = arith.muli %m, %ten : i64
      memref.store %tens, %b[%t] : memref<4xi64, #gpu.address_space<workgroup>>
      gpu.barrier
      %back = arith.subi %c3, %t : index
      %back_row = arith.divui %back, %c2 : index
      %back_column = arith.remui %back, %c2 : index
      %w = memref.load %a[%back_row, %back_column] : memref<2x2xf32, #gpu.address_space<workgroup>>
      memref.store %w, %x[%t] : memref<4xf32>
      %o = memref.load %b[%back] : memref<4xi64, #gpu.address_space<workgroup>>
      memref.store %o, %n[%t] : memref<4xi64>
      %h = memref.load %half[%column] : memref<2xi64, #gpu.address_space<workgroup>>
      %first = arith.cmpi eq, %row, %c0 : index
      scf.if %first {
        memref.store %h, %seen[%column] : memref<2xi64>
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<4xf32>, %n: memref<4xi64>, %seen: memref<2xi64>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1)
      args(%x : memref<4xf32>, %n : memref<4xi64>, %seen : memref<2xi64>)
    return
  }
}
