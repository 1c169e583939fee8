// test: opt --cse
// test: run-opt --entry=commuted --arg=3 --arg=3 --arg=1.5 --arg=1.5
// test: run-opt --entry=memory_and_scopes --arg=random:1 --arg=random:1 --arg=6 --arg=1

// Operands of integer operations may change places; those of floats may not.
func.func @commuted(%x: i32, %y: i32, %u: f32, %v: f32) -> (i32, i32, f32, f32) {
  %a = arith.addi %x, %y : i32
  %b = arith.addi %y, %x : i32
  %c = arith.addf %u, %v : f32
  %d = arith.addf %v, %u : f32
  return %a, %b, %c, %d : i32, i32, f32, f32
}

// A load is repeated only after something has been written; what is computed
// outside is not computed inside, but not the other way round.
func.func @memory_and_scopes(%m: memref<8xf32>, %k: memref<8xf32>, %i: index, %p: i1) {
  %a = memref.load %m[%i] : memref<8xf32>
  %b = memref.load %m[%i] : memref<8xf32>
  %s = arith.addf %a, %b : f32
  memref.store %s, %k[%i] : memref<8xf32>
  %c = memref.load %m[%i] : memref<8xf32>
  scf.if %p {
    %t = arith.addf %a, %b : f32
    %u = arith.mulf %c, %t : f32
    memref.store %u, %k[%i] : memref<8xf32>
  }
  %u = arith.mulf %c, %s : f32
  memref.store %u, %m[%i] : memref<8xf32>
  return
}
