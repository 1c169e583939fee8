// test: opt --affine-parallelize-scans=target=cpu
// test: run-opt --entry=compacts --arg=random:1 --arg=zeros
// test: run-opt --entry=left_with_the_same_step --arg=random:2 --arg=zeros
// test: run-opt --entry=left_beside_the_condition --arg=random:3 --arg=zeros

// Each iteration that stores has an element of its own.
func.func @compacts(%a: memref<10000xf32>, %out: memref<10001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xf32>, memref<10001xf32>
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %d = arith.select %c, %step, %none : index
    %m = arith.addi %n, %d : index
    scf.if %c {
      memref.store %x, %y_apart[%m] : memref<10001xf32>
    }
    affine.yield %m : index
  }
  return %last : index
}

// The counter does not advance in between: iterations store to one element.
func.func @left_with_the_same_step(%a: memref<10000xf32>, %out: memref<10001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xf32>, memref<10001xf32>
  %none = arith.constant 0 : index
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %d = arith.select %c, %none, %none : index
    %m = arith.addi %n, %d : index
    scf.if %c {
      memref.store %x, %y_apart[%m] : memref<10001xf32>
    }
    affine.yield %m : index
  }
  return %last : index
}

// It stores where the counter stays, too.
func.func @left_beside_the_condition(%a: memref<10000xf32>, %out: memref<10001xf32>) -> index {
  %x_apart, %y_apart = memref.distinct_objects %a, %out : memref<10000xf32>, memref<10001xf32>
  %none = arith.constant 0 : index
  %step = arith.constant 1 : index
  %limit = arith.constant 0.5 : f32
  %last = affine.for %i = 0 to 10000 iter_args(%n = %none) -> index {
    %x = affine.load %x_apart[%i] : memref<10000xf32>
    %c = arith.cmpf ogt, %x, %limit : f32
    %b = arith.cmpf olt, %x, %limit : f32
    %d = arith.select %c, %step, %none : index
    %m = arith.addi %n, %d : index
    scf.if %b {
      memref.store %x, %y_apart[%m] : memref<10001xf32>
    }
    affine.yield %m : index
  }
  return %last : index
}
