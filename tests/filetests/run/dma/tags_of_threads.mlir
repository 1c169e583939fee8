// Each thread has allocated a tag of its own for what the workgroup does together.
// Every workgroup adds the elements of its part of a line, which two transfers in
// flight bring in halves; the loop of the second round uses the memory again.
//
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [28, 92, 156, 220]
func.func @f(%a: memref<32xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<8xi32, 3>) {
    %tag = memref.alloc() : memref<2xi32>
    scf.for %round = %c0 to %c2 step %c1 {
      %part = arith.muli %bx, %c2 : index
      %line = arith.addi %part, %round : index
      %at = arith.muli %line, %c8 : index
      %half = arith.addi %at, %c4 : index
      memref.dma_start %a[%at], %s[%c0], %c4, %tag[%c0] : memref<32xi32>, memref<8xi32, 3>, memref<2xi32>
      memref.dma_start %a[%half], %s[%c4], %c4, %tag[%c1] : memref<32xi32>, memref<8xi32, 3>, memref<2xi32>
      memref.dma_wait %tag[%c1], %c4 : memref<2xi32>
      memref.dma_wait %tag[%c0], %c4 : memref<2xi32>
      %sum = scf.for %e = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (i32) {
        %x = memref.load %s[%e] : memref<8xi32, 3>
        %y = arith.addi %acc, %x : i32
        scf.yield %y : i32
      }
      %first = arith.cmpi eq, %tx, %c0 : index
      scf.if %first {
        memref.store %sum, %b[%line] : memref<4xi32>
      }
    }
    memref.dealloc %tag : memref<2xi32>
    gpu.terminator
  }
  return
}
