// Views made inside of a kernel and of a loop: shapes expanded and collapsed, rows turned to columns.
//
// The kernel writes 2x6 from 0 as its transpose. The loop writes rows of the 4x3 form of the same
// elements, doubled, to the places of the collapsed one in reverse: element e of 12 goes to 11 - e.
//
// test: run --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]
// expect: arg 2 = [22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @turn(%a: memref<2x6xf32>, %out: memref<6x2xf32>)
        kernel attributes {known_block_size = array<i32: 6, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %t = gpu.thread_id x
      %q = arith.divui %t, %c3 : index
      %r = arith.remui %t, %c3 : index
      %cube = memref.expand_shape %a [[0], [1, 2]] output_shape [2, 2, 3]
        : memref<2x6xf32> into memref<2x2x3xf32>
      %turned = memref.transpose %out (i, j) -> (j, i)
        : memref<6x2xf32> to memref<2x6xf32, strided<[1, 2]>>
      %x = memref.load %cube[%c0, %q, %r] : memref<2x2x3xf32>
      %y = memref.load %cube[%c1, %q, %r] : memref<2x2x3xf32>
      memref.store %x, %turned[%c0, %t] : memref<2x6xf32, strided<[1, 2]>>
      memref.store %y, %turned[%c1, %t] : memref<2x6xf32, strided<[1, 2]>>
      gpu.return
    }
  }
  func.func @views(%a: memref<2x6xf32>, %out: memref<6x2xf32>, %reversed: memref<4x3xf32>) {
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c11 = arith.constant 11 : index
    gpu.launch_func @kernels::@turn blocks in (%c1, %c1, %c1) threads in (%c6, %c1, %c1)
      args(%a : memref<2x6xf32>, %out : memref<6x2xf32>)
    affine.parallel (%e) = (0) to (12) {
      %flat = memref.collapse_shape %a [[0, 1]] : memref<2x6xf32> into memref<12xf32>
      %at = arith.subi %c11, %e : index
      %i, %j = affine.delinearize_index %at into (4, 3) : index, index
      %v = memref.load %flat[%e] : memref<12xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %reversed[%i, %j] : memref<4x3xf32>
    }
    return
  }
}
