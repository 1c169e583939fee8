// test: opt --hoist-recurrences
// test: run-opt --entry=roots --arg=iota[12] --arg=12 --arg=4 --arg=3
// test: run-opt --entry=roots --arg=iota[12] --arg=12 --arg=4 --arg=0
// test: run-opt --entry=begins --arg=iota[12] --arg=12 --arg=4
// test: run-opt --entry=left --arg=iota[12] --arg=12 --arg=4 --arg=3

// Powers of a root, and their places from the lower bound on.
func.func @roots(%x: memref<?xf32>, %n: index, %m: index, %h: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.5 : f32
  scf.for %i = %c0 to %n step %m {
    %last = scf.for %j = %c0 to %h step %c1 iter_args(%w = %one) -> (f32) {
      %p = arith.addi %i, %j : index
      %a = memref.load %x[%p] : memref<?xf32>
      %b = arith.mulf %a, %w : f32
      memref.store %b, %x[%p] : memref<?xf32>
      %next = arith.mulf %w, %root : f32
      scf.yield %next : f32
    }
  }
  return
}

// Two values, one of which becomes the other, from 1 on; the counter is used.
func.func @begins(%x: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %m {
    %last:2 = scf.for %j = %c1 to %m step %c1 iter_args(%v = %zero, %w = %one) -> (f32, f32) {
      %p = arith.addi %i, %j : index
      %a = memref.load %x[%p] : memref<?xf32>
      %b = arith.mulf %a, %w : f32
      memref.store %b, %x[%p] : memref<?xf32>
      %k = arith.index_cast %j : index to i32
      %f = arith.sitofp %k : i32 to f32
      %next = arith.addf %v, %f : f32
      scf.yield %w, %next : f32, f32
    }
  }
  return
}

// Left: values that start from the block, that come from memory, that are results, and a loop around with a constant step.
func.func @left(%x: memref<?xf32>, %n: index, %m: index, %h: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.5 : f32
  scf.for %i = %c0 to %n step %m {
    %k = arith.index_cast %i : index to i32
    %start = arith.sitofp %k : i32 to f32
    %last = scf.for %j = %c0 to %h step %c1 iter_args(%w = %start) -> (f32) {
      %p = arith.addi %i, %j : index
      memref.store %w, %x[%p] : memref<?xf32>
      %next = arith.mulf %w, %root : f32
      scf.yield %next : f32
    }
  }
  scf.for %i = %c0 to %n step %m {
    %last = scf.for %j = %c0 to %h step %c1 iter_args(%w = %one) -> (f32) {
      %p = arith.addi %i, %j : index
      %a = memref.load %x[%p] : memref<?xf32>
      memref.store %w, %x[%p] : memref<?xf32>
      %next = arith.mulf %w, %a : f32
      scf.yield %next : f32
    }
  }
  %sum = scf.for %i = %c0 to %n step %m iter_args(%s = %one) -> (f32) {
    %last = scf.for %j = %c0 to %h step %c1 iter_args(%w = %one) -> (f32) {
      %next = arith.mulf %w, %root : f32
      scf.yield %next : f32
    }
    %t = arith.addf %s, %last : f32
    scf.yield %t : f32
  }
  scf.for %i = %c0 to %n step %c4 {
    %last = scf.for %j = %c0 to %h step %c1 iter_args(%w = %one) -> (f32) {
      %p = arith.addi %i, %j : index
      memref.store %w, %x[%p] : memref<?xf32>
      %next = arith.mulf %w, %root : f32
      scf.yield %next : f32
    }
  }
  return %sum : f32
}
