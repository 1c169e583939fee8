// Tables and state in globals, one of them without an initial value.
// test: run --arg=zeros --arg=zeros
// expect: arg 0 = [3, 6, 11, 18]
// expect: arg 1 = [-6, 5, 4, 3, -2, 1]
memref.global "private" @state : memref<4xi32> = dense<[1,2,3,4]>
memref.global "private" @un : memref<8xf32> = uninitialized
memref.global "private" constant @tab : memref<2x3xi16> = dense<[[1,-2,3],[4,5,-6]]>
func.func @globals_read_and_written(%o: memref<4xi32>, %p: memref<2x3xi16>) {
  %g = memref.get_global @state : memref<4xi32>
  %u = memref.get_global @un : memref<8xf32>
  %t = memref.get_global @tab : memref<2x3xi16>
  %h = arith.constant 2.5 : f32
  affine.for %i = 0 to 8 {
    affine.store %h, %u[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 4 {
    %v = affine.load %g[%i] : memref<4xi32>
    %w = arith.muli %v, %v : i32
    affine.store %w, %g[%i] : memref<4xi32>
    %q = affine.load %u[%i+4] : memref<8xf32>
    %qi = arith.fptosi %q : f32 to i32
    %s = arith.addi %w, %qi : i32
    affine.store %s, %o[%i] : memref<4xi32>
  }
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %v = affine.load %t[1 - %i, 2 - %j] : memref<2x3xi16>
      affine.store %v, %p[%i, %j] : memref<2x3xi16>
    }
  }
  return
}
