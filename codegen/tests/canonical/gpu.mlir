// test: canonical
func.func private @at(index)

func.func @launch(%n: index, %m: memref<?x?xindex>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    memref.store %by, %m[%bx, %tz] : memref<?x?xindex>
    memref.store %ty, %m[%tx, %bz] : memref<?x?xindex>
    gpu.terminator
  }
  return
}

func.func @waits(%a: memref<4xf32>, %b: memref<4xf32>) {
  gpu.wait
  %t = gpu.wait async
  %u = gpu.memcpy async [%t] %a, %b : memref<4xf32>, memref<4xf32>
  %v = gpu.wait async [%u]
  gpu.wait [%v]
  return
}

func.func @barriers() {
  gpu.barrier
  gpu.barrier
  return
}

func.func @device_size(%n: index) -> (index, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = gpu.alloc(%n) : memref<?xf32>
  %d = memref.dim %a, %c0 : memref<?xf32>
  return %d, %a : index, memref<?xf32>
}
