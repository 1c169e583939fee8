// What has no counterpart today, and DMA.
#pad = (i, j)[s] -> (i * s, j)
func @bygone(%m: memref<16x?xf32>, %n: index) {
  %0 = alloc_static(0x10) : memref<4 x f32, vmem>
  %1 = reshape %m : memref<16x?xf32> (%n) : memref<4x4x?xf32>
  %2 = reshape %m : memref<16x?xf32> (%n)[%n] to (memref<16x?xf32> -> memref<16x?xf32, #pad>)
  %3 = view memref<8x?xf32, #pad> (%n)[%n] %m : memref<16x?xf32>
  return
}
// today:
#pad = affine_map<(i, j)[s] -> (i * s, j)>
func.func @bygone(%m: memref<16x?xf32>, %n: index) {
  %0 = "legacy.alloc_static"() {address = 16 : i64} : () -> memref<4xf32, "vmem">
  %1 = "legacy.reshape"(%m, %n) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<16x?xf32>, index) -> memref<4x4x?xf32>
  %2 = "legacy.reshape"(%m, %n, %n) {operandSegmentSizes = array<i32: 1, 1, 1>} : (memref<16x?xf32>, index, index) -> memref<16x?xf32, #pad>
  %3 = "legacy.view"(%m, %n, %n) {operandSegmentSizes = array<i32: 1, 1, 1>} : (memref<16x?xf32>, index, index) -> memref<8x?xf32, #pad>
  return
}
// -----
func @dma(%src: memref<40x8xf32, hbm>, %dst: memref<32xf32, vmem>, %i: index, %t: tensor<*xf32>) -> f32 {
  %size = constant 32 : index
  %tag = alloc() : memref<1 x i32>
  dma_start %src[%i, %i], %dst[%i], %size, %tag[%i] : memref<40x8xf32, hbm>, memref<32xf32, vmem>, memref<1xi32>
  dma_wait %tag[%i], %size : memref<1xi32>
  %e = extract_element %t[%i, %i, %i] : tensor<*xf32>
  %c = tensor_cast %t : tensor<*xf32> to tensor<4xf32>
  %x = extract_element %c[%i] : tensor<4xf32>
  dealloc %tag : memref<1xi32>
  return %e : f32
}
// today:
func.func @dma(%src: memref<40x8xf32, "hbm">, %dst: memref<32xf32, "vmem">, %i: index, %t: tensor<*xf32>) -> f32 {
  %size = arith.constant 32 : index
  %tag = memref.alloc() : memref<1xi32>
  memref.dma_start %src[%i, %i], %dst[%i], %size, %tag[%i] : memref<40x8xf32, "hbm">, memref<32xf32, "vmem">, memref<1xi32>
  memref.dma_wait %tag[%i], %size : memref<1xi32>
  %r = tensor.cast %t : tensor<*xf32> to tensor<?x?x?xf32>
  %e = tensor.extract %r[%i, %i, %i] : tensor<?x?x?xf32>
  %c = tensor.cast %t : tensor<*xf32> to tensor<4xf32>
  %x = tensor.extract %c[%i] : tensor<4xf32>
  memref.dealloc %tag : memref<1xi32>
  return %e : f32
}
