// test: opt --affine-parallelize-reductions=target=cpu
// test: run-opt --entry=rows --arg=random:1 --arg=random:1
// test: run-opt --entry=columns --arg=random:1 --arg=random:1
// test: run-opt --entry=then_a_loop --arg=random:1[9x9] --arg=random:1[9x9] --arg=6
// test: stages --affine-parallelize-reductions=target=gpu

// Rows that walk adjacent elements go to 8 lanes each; 1003 is no multiple of 4.
func.func @rows(%a: memref<512x1003xi32>, %y: memref<512xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    %s = affine.for %j = 0 to 1003 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<512x1003xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<512xi32>
  }
  return
}

// Few columns: chunks of 128 rows.
func.func @columns(%a: memref<4100x64xi32>, %y: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %j = 0 to 64 {
    %s = affine.for %i = 0 to 4100 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<4100x64xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%j] : memref<64xi32>
  }
  return
}

// Columns enough for all threads, and few pages: no chunks, whose launch would cost more than it saves.
func.func @near_columns(%a: memref<1000x512xi32>, %y: memref<512xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %j = 0 to 512 {
    %s = affine.for %i = 0 to 1000 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<1000x512xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%j] : memref<512xi32>
  }
  return
}

// A thread would walk over more pages than a processor keeps addresses of: chunks.
func.func @far_columns(%a: memref<2049x1024xi32>, %y: memref<1024xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %j = 0 to 1024 {
    %s = affine.for %i = 0 to 2049 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<2049x1024xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%j] : memref<1024xi32>
  }
  return
}

// A loop follows, so the sums go through memory. The counter is no subscript.
func.func @then_a_loop(%a: memref<?x?xi32>, %y: memref<?x?xi32>, %m: index) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 1 to %m step 3 {
    %s = affine.for %j = 0 to %n iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<?x?xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.for %j = 0 to %n {
      affine.store %s, %y[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// Left alone: a contraction, which uses its elements again, and a small sum.
func.func @left_alone(%a: memref<512x512xi32>, %b: memref<512x512xi32>, %c: memref<512x512xi32>,
                      %y: memref<512xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 512 {
    affine.for %j = 0 to 512 {
      %s = affine.for %k = 0 to 512 iter_args(%acc = %zero) -> i32 {
        %x = affine.load %a[%i, %k] : memref<512x512xi32>
        %z = affine.load %b[%j, %k] : memref<512x512xi32>
        %p = arith.muli %x, %z : i32
        %t = arith.addi %acc, %p : i32
        affine.yield %t : i32
      }
      affine.store %s, %c[%i, %j] : memref<512x512xi32>
    }
  }
  affine.for %i = 0 to 512 {
    %s = affine.for %j = 0 to 100 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %a[%i, %j] : memref<512x512xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    affine.store %s, %y[%i] : memref<512xi32>
  }
  return
}
