// Buffers of the host in workgroup memory, one with views; those that a call takes, whose transfer asks for the faster side, or that a
// launch shares stay.
// test: opt --drop-host-spaces
// test: run-opt --entry=tiles --arg=iota --arg=zeros
// expect: arg 1 = [2, 0, 6, 4]
func.func @tiles(%x: memref<4xf32>, %y: memref<4xf32>) {
  affine.for %i = 0 to 2 {
    %t = memref.alloc() : memref<1x2xf32, 3>
    %row = memref.collapse_shape %t [[0, 1]] : memref<1x2xf32, 3> into memref<2xf32, 3>
    %tail = memref.subview %row[1] [1] [1] : memref<2xf32, 3> to memref<1xf32, strided<[1], offset: 1>, 3>
    affine.for %j = 0 to 2 {
      %v = affine.load %x[%i * 2 + %j] : memref<4xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %t[0, 1 - %j] : memref<1x2xf32, 3>
    }
    %first = affine.load %row[0] : memref<2xf32, 3>
    %last = affine.load %tail[0] : memref<1xf32, strided<[1], offset: 1>, 3>
    affine.store %first, %y[%i * 2] : memref<4xf32>
    affine.store %last, %y[%i * 2 + 1] : memref<4xf32>
    memref.dealloc %t : memref<1x2xf32, 3>
  }
  return
}

func.func private @takes(%m: memref<2xf32, #gpu.address_space<workgroup>>)

func.func @stay(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %called = memref.alloc() : memref<2xf32, #gpu.address_space<workgroup>>
  func.call @takes(%called) : (memref<2xf32, #gpu.address_space<workgroup>>) -> ()
  %moved = memref.alloc() : memref<2xf32, 3>
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %x[%c0], %moved[%c0], %n, %tag[%c0] : memref<4xf32>, memref<2xf32, 3>, memref<1xi32>
  memref.dma_wait %tag[%c0], %n : memref<1xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %shared = memref.alloca() : memref<2xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%tx] : memref<4xf32>
    memref.store %v, %shared[%tx] : memref<2xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.subi %c1, %tx : index
    %w = memref.load %shared[%other] : memref<2xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%tx] : memref<4xf32>
    gpu.terminator
  }
  memref.dealloc %moved : memref<2xf32, 3>
  return
}
