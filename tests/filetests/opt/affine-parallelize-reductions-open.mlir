// Reductions of sizes that the arguments tell are cut as those of known sizes are.
// test: opt --affine-parallelize-reductions=target=cpu
// test: run-opt --entry=columns --arg=random:1[9x7] --arg=random:1[7]
// test: run-opt --entry=columns --arg=random:1[0x7] --arg=random:1[7]
// test: run-opt --entry=columns --arg=random:1[2049x3] --arg=random:1[3]
// test: run-opt --entry=columns --arg=random:1[2048x3] --arg=random:1[3]
// test: run-opt --entry=two_sums --arg=random:1[2049x3] --arg=random:1[3]
// test: run-opt --entry=two_sums --arg=random:1[9x3] --arg=random:1[3]
// test: run-opt --entry=two_sums --arg=random:1[0x3] --arg=random:1[3]
// test: run-opt --entry=windows --arg=random:1[9x7] --arg=random:1[3] --arg=random:1[7x7]
// test: run-opt --entry=rows --arg=random:1[5x1025] --arg=zeros[5]
// test: run-opt --entry=rows --arg=random:1[5x1024] --arg=zeros[5]
// test: run-opt --entry=rows --arg=random:1[5x0] --arg=ones[5]
// test: run-opt --entry=apart --arg=random:1[1536] --arg=random:1[3]
// test: stages --affine-parallelize-reductions=target=gpu

// Columns: more than 2,048 rows are cut in chunks of 128, though the sum starts with what was loaded; fewer rows, of which a
// processor keeps the addresses, are left whole.
func.func @columns(%a: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  %x:2 = memref.distinct_objects %a, %y : memref<?x?xi32>, memref<?xi32>
  affine.for %j = 0 to %n {
    %z = affine.load %x#1[%j] : memref<?xi32>
    %s = affine.for %i = 0 to %m iter_args(%acc = %z) -> (i32) {
      %u = affine.load %x#0[%i, %j] : memref<?x?xi32>
      %v = arith.addi %acc, %u : i32
      affine.yield %v : i32
    }
    affine.store %s, %x#1[%j] : memref<?xi32>
  }
  return
}

// Both sums are left whole together, though the second leaves out a row.
func.func @two_sums(%a: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  %x:2 = memref.distinct_objects %a, %y : memref<?x?xi32>, memref<?xi32>
  affine.for %j = 0 to %n {
    %s = affine.for %i = 0 to %m iter_args(%acc = %z) -> (i32) {
      %u = affine.load %x#0[%i, %j] : memref<?x?xi32>
      %v = arith.addi %acc, %u : i32
      affine.yield %v : i32
    }
    %t = affine.for %i = 1 to %m iter_args(%acc = %z) -> (i32) {
      %u = affine.load %x#0[%i, %j] : memref<?x?xi32>
      %w = arith.xori %u, %s : i32
      %v = arith.addi %acc, %w : i32
      affine.yield %v : i32
    }
    affine.store %t, %x#1[%j] : memref<?xi32>
  }
  return
}

// Left alone: windows that overlap use their elements again.
func.func @windows(%a: memref<?x?xi32>, %w: memref<?xi32>, %y: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.dim %w, %c0 : memref<?xi32>
  %m = memref.dim %y, %c0 : memref<?x?xi32>
  %n = memref.dim %y, %c1 : memref<?x?xi32>
  %x:2 = memref.distinct_objects %a, %y : memref<?x?xi32>, memref<?x?xi32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %z = affine.load %x#1[%i, %j] : memref<?x?xi32>
      %s = affine.for %p = 0 to %r iter_args(%acc = %z) -> (i32) {
        %u = affine.load %x#0[%i + %p, %j] : memref<?x?xi32>
        %v = arith.addi %acc, %u : i32
        affine.yield %v : i32
      }
      affine.store %s, %x#1[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// Windows that do not overlap stream, in one subscript too: rows of 512 elements, 8 lanes each.
func.func @apart(%a: memref<?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %y, %c0 : memref<?xi32>
  %x:2 = memref.distinct_objects %a, %y : memref<?xi32>, memref<?xi32>
  affine.for %j = 0 to %n {
    %z = affine.load %x#1[%j] : memref<?xi32>
    %s = affine.for %i = 0 to 512 iter_args(%acc = %z) -> (i32) {
      %u = affine.load %x#0[%j * 512 + %i] : memref<?xi32>
      %v = arith.addi %acc, %u : i32
      affine.yield %v : i32
    }
    affine.store %s, %x#1[%j] : memref<?xi32>
  }
  return
}

// Rows: those of more than a page are shared by 8 lanes, others left whole.
func.func @rows(%a: memref<?x?xi32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  %x:2 = memref.distinct_objects %a, %y : memref<?x?xi32>, memref<?xi32>
  affine.for %i = 0 to %m {
    %s = affine.for %j = 0 to %n iter_args(%acc = %z) -> (i32) {
      %u = affine.load %x#0[%i, %j] : memref<?x?xi32>
      %v = arith.addi %acc, %u : i32
      affine.yield %v : i32
    }
    affine.store %s, %x#1[%i] : memref<?xi32>
  }
  return
}
