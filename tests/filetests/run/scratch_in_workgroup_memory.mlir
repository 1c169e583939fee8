// Tiles in workgroup memory that each iteration of a loop of the host allocates are its own: the threads that iterations become
// share none of them.
// test: run --entry=transposed --arg=iota --arg=zeros
// expect: arg 1 = [0, 4, 2, 6, 8, 12, 10, 14, 16, 20, 18, 22, 24, 28, 26, 30]
// test: run --entry=views --arg=iota --arg=zeros
// expect: arg 1 = [4, 2, 0, 10, 8, 6, 16, 14, 12, 22, 20, 18]

func.func @transposed(%x: memref<4x2x2xf32>, %y: memref<4x2x2xf32>) {
  affine.for %t = 0 to 4 {
    %b = memref.alloc() : memref<2x2xf32, 3>
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 2 {
        %v = affine.load %x[%t, %i, %j] : memref<4x2x2xf32>
        affine.store %v, %b[%i, %j] : memref<2x2xf32, 3>
      }
    }
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 2 {
        %v = affine.load %b[%i, %j] : memref<2x2xf32, 3>
        %w = arith.addf %v, %v : f32
        affine.store %w, %b[%i, %j] : memref<2x2xf32, 3>
      }
    }
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 2 {
        %v = affine.load %b[%j, %i] : memref<2x2xf32, 3>
        affine.store %v, %y[%t, %i, %j] : memref<4x2x2xf32>
      }
    }
    memref.dealloc %b : memref<2x2xf32, 3>
  }
  return
}

func.func @views(%x: memref<4x3xf32>, %y: memref<4x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%t) = (%c0) to (%c4) step (%c1) {
    %b = memref.alloca() : memref<1x4xf32, #gpu.address_space<workgroup>>
    %row = memref.collapse_shape %b [[0, 1]] : memref<1x4xf32, #gpu.address_space<workgroup>> into memref<4xf32, #gpu.address_space<workgroup>>
    %tail = memref.subview %row[1] [3] [1] : memref<4xf32, #gpu.address_space<workgroup>> to memref<3xf32, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
    scf.for %i = %c0 to %c3 step %c1 {
      %v = memref.load %x[%t, %i] : memref<4x3xf32>
      memref.store %v, %tail[%i] : memref<3xf32, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
    }
    scf.for %i = %c0 to %c3 step %c1 {
      %v = memref.load %tail[%i] : memref<3xf32, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
      %w = arith.addf %v, %v : f32
      memref.store %w, %tail[%i] : memref<3xf32, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
    }
    scf.for %i = %c0 to %c3 step %c1 {
      %at = arith.subi %c2, %i : index
      %v = memref.load %tail[%at] : memref<3xf32, strided<[1], offset: 1>, #gpu.address_space<workgroup>>
      memref.store %v, %y[%t, %i] : memref<4x3xf32>
    }
    scf.reduce
  }
  return
}
