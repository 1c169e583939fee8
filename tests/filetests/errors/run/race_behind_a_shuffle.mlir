// Two threads read an element, and after a shuffle the first of them writes it: the other one's read
// is the race, not its own, which came first.
// test: error run --sanitize=race --arg=iota
// error: 16:7: data race: thread (0, 0, 0) of workgroup (0, 0, 0) writes element [0] that thread (1, 0, 0) of workgroup (0, 0, 0) reads, and no barrier stands between the two
func.func @f(%a: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %x = memref.load %a[%c0] : memref<2xi32>
    %y, %valid = gpu.shuffle xor %x, %one, %width : i32
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      memref.store %y, %a[%c0] : memref<2xi32>
    }
    gpu.terminator
  }
  return
}
