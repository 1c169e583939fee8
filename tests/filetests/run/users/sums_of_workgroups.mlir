// Each workgroup of a hand-written kernel sums 64 elements, by halves, with barriers in an `scf.while`.
// test: run --arg=iota --arg=zeros
// expect: arg 1 = [2016, 6112, 10208, 14304]
func.func @sums_of_workgroups(%a: memref<256xf32>, %o: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by,%bz) in (%gx=%c4, %gy=%c1, %gz=%c1) threads(%tx, %ty,%tz) in (%sx=%c64, %sy=%c1, %sz=%c1) workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %i0 = arith.muli %bx, %sx : index
    %i = arith.addi %i0, %tx : index
    %v = memref.load %a[%i] : memref<256xf32>
    memref.store %v, %w[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %one = arith.constant 1 : index
    %r = scf.while (%s = %c32) : (index) -> index {
      %go = arith.cmpi ugt, %s, %c0 : index
      scf.condition(%go) %s : index
    } do {
    ^bb0(%s: index):
      %in = arith.cmpi ult, %tx, %s : index
      scf.if %in {
        %j = arith.addi %tx, %s : index
        %x = memref.load %w[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
        %y = memref.load %w[%j] : memref<64xf32, #gpu.address_space<workgroup>>
        %z = arith.addf %x, %y : f32
        memref.store %z, %w[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %h = arith.shrui %s, %one : index
      scf.yield %h : index
    }
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %t = memref.load %w[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %t, %o[%bx] : memref<4xf32>
    }
    gpu.terminator
  }
  return
}
