// A transfer in 40 loops: its elements move at its start, since a plan of where to store them later
// walks each loop several times for each time it walks the one around.
//
// test: run --map-for=gpu --no-specialize --arg=iota --arg=zeros --arg=1
// expect: arg 1 = [3, 2, 1, 0]
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c4, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<4xi32, 3>) private(%tag : memref<1xi32, 5>) {
    scf.for %k0 = %c0 to %n step %c1 {
    scf.for %k1 = %c0 to %n step %c1 {
    scf.for %k2 = %c0 to %n step %c1 {
    scf.for %k3 = %c0 to %n step %c1 {
    scf.for %k4 = %c0 to %n step %c1 {
    scf.for %k5 = %c0 to %n step %c1 {
    scf.for %k6 = %c0 to %n step %c1 {
    scf.for %k7 = %c0 to %n step %c1 {
    scf.for %k8 = %c0 to %n step %c1 {
    scf.for %k9 = %c0 to %n step %c1 {
    scf.for %k10 = %c0 to %n step %c1 {
    scf.for %k11 = %c0 to %n step %c1 {
    scf.for %k12 = %c0 to %n step %c1 {
    scf.for %k13 = %c0 to %n step %c1 {
    scf.for %k14 = %c0 to %n step %c1 {
    scf.for %k15 = %c0 to %n step %c1 {
    scf.for %k16 = %c0 to %n step %c1 {
    scf.for %k17 = %c0 to %n step %c1 {
    scf.for %k18 = %c0 to %n step %c1 {
    scf.for %k19 = %c0 to %n step %c1 {
    scf.for %k20 = %c0 to %n step %c1 {
    scf.for %k21 = %c0 to %n step %c1 {
    scf.for %k22 = %c0 to %n step %c1 {
    scf.for %k23 = %c0 to %n step %c1 {
    scf.for %k24 = %c0 to %n step %c1 {
    scf.for %k25 = %c0 to %n step %c1 {
    scf.for %k26 = %c0 to %n step %c1 {
    scf.for %k27 = %c0 to %n step %c1 {
    scf.for %k28 = %c0 to %n step %c1 {
    scf.for %k29 = %c0 to %n step %c1 {
    scf.for %k30 = %c0 to %n step %c1 {
    scf.for %k31 = %c0 to %n step %c1 {
    scf.for %k32 = %c0 to %n step %c1 {
    scf.for %k33 = %c0 to %n step %c1 {
    scf.for %k34 = %c0 to %n step %c1 {
    scf.for %k35 = %c0 to %n step %c1 {
    scf.for %k36 = %c0 to %n step %c1 {
    scf.for %k37 = %c0 to %n step %c1 {
    scf.for %k38 = %c0 to %n step %c1 {
    scf.for %k39 = %c0 to %n step %c1 {
    memref.dma_start %a[%c0], %s[%c0], %c4, %tag[%c0] : memref<4xi32>, memref<4xi32, 3>, memref<1xi32, 5>
    memref.dma_wait %tag[%c0], %c4 : memref<1xi32, 5>
    }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
    %other = arith.subi %c3, %tx : index
    %x = memref.load %s[%other] : memref<4xi32, 3>
    memref.store %x, %b[%tx] : memref<4xi32>
    gpu.terminator
  }
  return
}
