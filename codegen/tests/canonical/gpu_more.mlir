// test: canonical
func.func private @use(index)

func.func @single_threads(%n: index, %m: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = arith.addi %bx, %by : index
    %b = arith.addi %a, %tx : index
    func.call @use(%b) : (index) -> ()
    gpu.terminator
  }
  return
}

func.func @tokens(%m: memref<4xf32>, %k: memref<4xf32>) {
  %t0 = gpu.wait async
  %t1 = gpu.wait async
  %t2 = gpu.wait async [%t0, %t1]
  %t3 = gpu.memcpy async [%t2] %m, %k : memref<4xf32>, memref<4xf32>
  gpu.wait [%t3]
  return
}

func.func @reductions(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %r = gpu.subgroup_reduce add %x uniform : (i32) -> i32
  %b = gpu.all_reduce add %x {} : (i32) -> i32
  return %b : i32
}

func.func @dead_device_memory(%n: index) {
  %0 = gpu.alloc(%n) : memref<?xf32>
  return
}
