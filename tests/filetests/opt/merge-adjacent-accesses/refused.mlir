// test: opt --merge-adjacent-accesses
// test: run-opt --entry=unproved --arg=random:1 --arg=6
// test: run-opt --entry=aliased --arg=random:1 --arg=random:1
// test: run-opt --entry=read_between --arg=random:1 --arg=1.5 --arg=1.5
// test: run-opt --entry=unaligned --arg=random:1
// test: run-opt --entry=columns --arg=random:1
// test: run-opt --entry=barrier --arg=random:1 --arg=random:1
// Nothing here may be merged; the output is the input.

// Not proved in range: the second may be a fault of its own.
func.func @unproved(%x: memref<8xf32>, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] : memref<8xf32>
  %b = memref.load %x[%c1] : memref<8xf32>
  %s = arith.addf %a, %b : f32
  return %s : f32
}

// Both arguments may be one buffer: the store may write what is loaded next.
func.func @aliased(%x: memref<8xf32>, %y: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0] {gridloom.inbounds} : memref<8xf32>
  memref.store %a, %y[%c1] {gridloom.inbounds} : memref<8xf32>
  %b = memref.load %x[%c1] {gridloom.inbounds} : memref<8xf32>
  %s = arith.addf %a, %b : f32
  return %s : f32
}

// What is read between the stores is what the first has written.
func.func @read_between(%x: memref<8xf32>, %v: f32, %w: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %v, %x[%c0] {gridloom.inbounds} : memref<8xf32>
  %a = memref.load %x[%c0] {gridloom.inbounds} : memref<8xf32>
  memref.store %w, %x[%c1] {gridloom.inbounds} : memref<8xf32>
  return %a : f32
}

// The elements 1 and 2 do not begin at a multiple of two.
func.func @unaligned(%x: memref<8xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.load %x[%c1] {gridloom.inbounds} : memref<8xf32>
  %b = memref.load %x[%c2] {gridloom.inbounds} : memref<8xf32>
  %s = arith.addf %a, %b : f32
  return %s : f32
}

// Neighbours along a dimension whose elements do not lie side by side.
func.func @columns(%x: memref<8x8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %x[%c0, %c0] {gridloom.inbounds} : memref<8x8xf32>
  %b = memref.load %x[%c1, %c0] {gridloom.inbounds} : memref<8x8xf32>
  %s = arith.addf %a, %b : f32
  return %s : f32
}

// Another thread may write the second element before the barrier.
func.func @barrier(%x: memref<8xf32>, %y: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %a = memref.load %x[%c0] {gridloom.inbounds} : memref<8xf32>
    gpu.barrier
    %b = memref.load %x[%c1] {gridloom.inbounds} : memref<8xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %y[%c0] {gridloom.inbounds} : memref<1xf32>
    gpu.terminator
  }
  return
}
