// test: opt --affine-if-conversion
// test: run-opt --entry=carried --arg=random:1 --arg=zeros
// test: run-opt --entry=carried_beside --arg=random:2 --arg=zeros
// test: run-opt --entry=in_memory --arg=random:3 --arg=zeros --arg=zeros
// test: run-opt --entry=in_memory_by_a_store --arg=random:3 --arg=zeros --arg=zeros[1]
// test: run-opt --entry=by_two_conditions --arg=random:7 --arg=zeros
// test: run-opt --entry=left_undivided --arg=random:8 --arg=zeros
// test: run-opt --entry=left_as_a_sum --arg=random:4
// test: run-opt --entry=left_where_stored --arg=random:5 --arg=zeros
// test: run-opt --entry=left_unwritten --arg=random:6 --arg=zeros --arg=ones[1]
// test: run-opt --entry=beside_two_arguments --arg=random:1 --arg=random:2 --arg=zeros

func.func @carried(%a: memref<64xf32>, %out: memref<64xf32>) -> index {
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 64 iter_args(%n = %none) -> index {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %m = scf.if %c -> index {
      memref.store %x, %out[%n] : memref<64xf32>
      %k = arith.addi %n, %step : index
      scf.yield %k : index
    } else {
      scf.yield %n : index
    }
    affine.yield %m : index
  }
  return %last : index
}

// The other result stays one of the branch; the step is a number of the loop.
func.func @carried_beside(%a: memref<64xf32>, %out: memref<64xf32>) -> (i32, f32) {
  %none = arith.constant 0 : i32
  %start = arith.constant 3.0 : f32
  %last:2 = affine.for %i = 0 to 8 iter_args(%n = %none, %s = %start) -> (i32, f32) {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf ogt, %x, %s : f32
    %step = arith.index_cast %i : index to i32
    %m:2 = scf.if %c -> (i32, f32) {
      scf.yield %n, %x : i32, f32
    } else {
      %p = arith.index_cast %n : i32 to index
      memref.store %x, %out[%p] : memref<64xf32>
      %k = arith.addi %step, %n : i32
      scf.yield %k, %s : i32, f32
    }
    affine.yield %m#0, %m#1 : i32, f32
  }
  return %last#0, %last#1 : i32, f32
}

func.func @in_memory(%a: memref<64xf32>, %out: memref<64xf32>, %count: memref<1xi32>) {
  %step = arith.constant 1 : i32
  %limit = arith.constant 0.5 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    scf.if %c {
      %n = affine.load %count[0] : memref<1xi32>
      %p = arith.index_cast %n : i32 to index
      memref.store %x, %out[%p] : memref<64xf32>
      %m = arith.addi %n, %step : i32
      affine.store %m, %count[0] : memref<1xi32>
    }
  }
  return
}

// The element is there: it was stored before, by a constant in other words.
func.func @in_memory_by_a_store(%a: memref<64xf32>, %out: memref<64xf32>, %count: memref<?xi32>) {
  %step = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %limit = arith.constant 0.5 : f32
  memref.store %zero, %count[%c0] : memref<?xi32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    scf.if %c {
      %n = affine.load %count[0] : memref<?xi32>
      %m = arith.addi %n, %step : i32
      affine.store %m, %count[0] : memref<?xi32>
      %p = arith.index_cast %n : i32 to index
      memref.store %x, %out[%p] : memref<64xf32>
    }
  }
  return
}

// Both conditions are one; what the inner one loads again is the same.
func.func @by_two_conditions(%a: memref<64xf32>, %out: memref<64xf32>) -> index {
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %limit = arith.constant 0.5 : f32
  %least = arith.constant -0.5 : f32
  %last = affine.for %i = 0 to 64 iter_args(%n = %none) -> index {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf olt, %x, %limit : f32
    %m = scf.if %c -> index {
      %y = affine.load %a[%i] : memref<64xf32>
      %d = arith.cmpf ogt, %y, %least : f32
      %o = scf.if %d -> index {
        memref.store %y, %out[%n] : memref<64xf32>
        %k = arith.addi %n, %step : index
        scf.yield %k : index
      } else {
        scf.yield %n : index
      }
      scf.yield %o : index
    } else {
      scf.yield %n : index
    }
    affine.yield %m : index
  }
  return %last : index
}

// The outer condition keeps the inner one from dividing by zero.
func.func @left_undivided(%a: memref<64xi32>, %out: memref<64xi32>) -> index {
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %last = affine.for %i = 0 to 64 iter_args(%n = %none) -> index {
    %x = affine.load %a[%i] : memref<64xi32>
    %c = arith.cmpi ne, %x, %zero : i32
    %m = scf.if %c -> index {
      %r = arith.remui %x, %x : i32
      %d = arith.cmpi eq, %r, %zero : i32
      %o = scf.if %d -> index {
        memref.store %x, %out[%n] : memref<64xi32>
        %k = arith.addi %n, %step : index
        scf.yield %k : index
      } else {
        scf.yield %n : index
      }
      scf.yield %o : index
    } else {
      scf.yield %n : index
    }
    affine.yield %m : index
  }
  return %last : index
}

// Nothing looks at the number in between.
func.func @left_as_a_sum(%a: memref<64xf32>) -> i32 {
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 64 iter_args(%n = %none) -> i32 {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %m = scf.if %c -> i32 {
      affine.store %limit, %a[%i] : memref<64xf32>
      %k = arith.addi %n, %step : i32
      scf.yield %k : i32
    } else {
      scf.yield %n : i32
    }
    affine.yield %m : i32
  }
  return %last : i32
}

// What the branch stores may be the counter itself.
func.func @left_where_stored(%a: memref<64xf32>, %out: memref<64xi32>) {
  %step = arith.constant 1 : i32
  %limit = arith.constant 0.5 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    scf.if %c {
      %n = affine.load %out[0] : memref<64xi32>
      %p = arith.index_cast %n : i32 to index
      memref.store %n, %out[%p] : memref<64xi32>
      %m = arith.addi %n, %step : i32
      affine.store %m, %out[0] : memref<64xi32>
    }
  }
  return
}

// Where the condition never holds, the element need not be there.
func.func @left_unwritten(%a: memref<64xf32>, %out: memref<64xf32>, %count: memref<?xi32>) {
  %step = arith.constant 1 : i32
  %limit = arith.constant 0.5 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    scf.if %c {
      %n = affine.load %count[0] : memref<?xi32>
      %p = arith.index_cast %n : i32 to index
      memref.store %x, %out[%p] : memref<64xf32>
      %m = arith.addi %n, %step : i32
      affine.store %m, %count[0] : memref<?xi32>
    }
  }
  return
}

// Of three arguments two are read and one is written, so that it is separated from each of the others. The
// branch only counts, and nothing is left of it.
func.func @beside_two_arguments(%a: memref<64xi32>, %b: memref<64xi32>, %count: memref<1xi32>) {
  %step = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xi32>
    %y = affine.load %b[%i] : memref<64xi32>
    %c = arith.cmpi ne, %x, %y : i32
    scf.if %c {
      %n = affine.load %count[0] : memref<1xi32>
      %k = arith.addi %n, %step : i32
      affine.store %k, %count[0] : memref<1xi32>
    }
  }
  return
}
