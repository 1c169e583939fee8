// A workgroup with more threads than an index counts: its sizes are asked for at run time.
//
// test: opt --gpu-lower-dma --canonicalize --cse
// remark: 9:5: the elements of this transfer move at its start: the size of its workgroup is not known
gpu.module @m {
  gpu.func @k(%a: memref<64xf32>) workgroup(%s: memref<64xf32, 3>) private(%tag: memref<1xi32, 5>) kernel attributes {known_block_size = array<i32: 2147483647, 2147483647, 2147483647>} {
    %c0 = arith.constant 0 : index
    %n = arith.constant 64 : index
    memref.dma_start %a[%c0], %s[%c0], %n, %tag[%c0] : memref<64xf32>, memref<64xf32, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c0], %n : memref<1xi32, 5>
    %x = memref.load %s[%c0] : memref<64xf32, 3>
    gpu.printf "%f\n", %x : f32
    gpu.return
  }
}
