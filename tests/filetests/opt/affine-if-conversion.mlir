// test: opt --affine-if-conversion
// test: run-opt --entry=best_in_memory --arg=random:1 --arg=zeros --arg=zeros
// expect: arg 2 = [63]
// test: run-opt --entry=best_of_rows --arg=random:2 --arg=zeros
// test: run-opt --entry=in_values --arg=random:3
// test: run-opt --entry=chosen_by_data --arg=zeros --arg=random:6 --arg=zeros
// test: run-opt --entry=left_by_data --arg=zeros --arg=random:6 --arg=zeros --arg=zeros
// test: run-opt --entry=left_alone --arg=random:4 --arg=random:5 --arg=zeros --arg=zeros[9] --arg=3
// test: run-opt --entry=left_before_freed --arg=random:5
// test: run-opt --entry=left_in_a_band --arg=random:4 --arg=zeros

// The largest stands last: element 63 becomes larger than all.
func.func @best_in_memory(%a: memref<64xf32>, %best: memref<f32>, %at: memref<1xi32>) {
  %huge = arith.constant 1.0e9 : f32
  affine.store %huge, %a[63] : memref<64xf32>
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %m = affine.load %best[] : memref<f32>
    %c = arith.cmpf ogt, %x, %m : f32
    scf.if %c {
      %again = affine.load %a[%i] : memref<64xf32>
      affine.store %again, %best[] : memref<f32>
      %k = arith.index_cast %i : index to i32
      affine.store %k, %at[0] : memref<1xi32>
    }
  }
  return
}

// Both elements of a row have been stored before its loop.
func.func @best_of_rows(%a: memref<4x16xi32>, %at: memref<4xi32>) {
  %best = memref.alloc() : memref<4xi32>
  %least = arith.constant -2147483648 : i32
  %none = arith.constant -1 : i32
  affine.for %i = 0 to 4 {
    affine.store %least, %best[%i] : memref<4xi32>
    affine.store %none, %at[%i] : memref<4xi32>
    affine.for %j = 0 to 16 {
      %x = affine.load %a[%i, %j] : memref<4x16xi32>
      %m = affine.load %best[%i] : memref<4xi32>
      %c = arith.cmpi sge, %x, %m : i32
      scf.if %c {
        affine.store %x, %best[%i] : memref<4xi32>
        %k = arith.index_cast %j : index to i32
        affine.store %k, %at[%i] : memref<4xi32>
      }
    }
  }
  memref.dealloc %best : memref<4xi32>
  return
}

func.func @in_values(%a: memref<64xf32>) -> (f32, i32) {
  %first = affine.load %a[0] : memref<64xf32>
  %zero = arith.constant 0 : i32
  %r:2 = affine.for %i = 1 to 64 iter_args(%m = %first, %p = %zero) -> (f32, i32) {
    %x = affine.load %a[%i] : memref<64xf32>
    %c = arith.cmpf olt, %x, %m : f32
    %s:2 = scf.if %c -> (f32, i32) {
      %k = arith.index_cast %i : index to i32
      scf.yield %x, %k : f32, i32
    } else {
      scf.yield %m, %p : f32, i32
    }
    affine.yield %s#0, %s#1 : f32, i32
  }
  return %r#0, %r#1 : f32, i32
}

// Elements that are not kept, may not be there, hold nothing yet, or are not compared.
func.func @left_alone(%a: memref<64xf32>, %b: memref<64xf32>, %best: memref<f32>, %some: memref<?xf32>, %n: index) {
  %fresh = memref.alloc() : memref<f32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %m = affine.load %best[] : memref<f32>
    %c = arith.cmpf ogt, %x, %m : f32
    scf.if %c {
      affine.store %x, %best[] : memref<f32>
      affine.store %x, %b[%i] : memref<64xf32>
    }
    scf.if %c {
      affine.store %x, %best[] : memref<f32>
      affine.store %x, %fresh[] : memref<f32>
    }
    %large = arith.cmpi sgt, %n, %i : index
    scf.if %large {
      affine.store %x, %best[] : memref<f32>
    }
  }
  %known = arith.cmpi sgt, %n, %n : index
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %m = affine.load %best[] : memref<f32>
    %c = arith.cmpf ogt, %x, %m : f32
    %d = arith.andi %c, %known : i1
    scf.if %d {
      affine.store %x, %best[] : memref<f32>
      affine.store %x, %some[symbol(%n)] : memref<?xf32>
    }
  }
  memref.dealloc %fresh : memref<f32>
  return
}

// Iterations beside each other: another one may store the element that this one leaves alone.
func.func @left_in_a_band(%a: memref<4x16xf32>, %at: memref<1xi32>) {
  affine.parallel (%i) = (0) to (4) {
    %best = memref.alloca() : memref<f32>
    %huge = arith.constant 1.0e9 : f32
    affine.store %huge, %best[] : memref<f32>
    affine.for %j = 0 to 16 {
      %x = affine.load %a[%i, %j] : memref<4x16xf32>
      %m = affine.load %best[] : memref<f32>
      %c = arith.cmpf ogt, %x, %m : f32
      scf.if %c {
        affine.store %x, %best[] : memref<f32>
        %k = arith.index_cast %j : index to i32
        affine.store %k, %at[0] : memref<1xi32>
      }
    }
  }
  return
}

// The loop around frees an element behind its iterations.
func.func @left_before_freed(%a: memref<4x16xf32>) -> f32 {
  %best = memref.alloc() : memref<f32>
  %at = memref.alloc() : memref<index>
  %huge = arith.constant 1.0e9 : f32
  %none = arith.constant 0 : index
  affine.store %huge, %best[] : memref<f32>
  affine.store %none, %at[] : memref<index>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 16 {
      %x = affine.load %a[%i, %j] : memref<4x16xf32>
      %m = affine.load %best[] : memref<f32>
      %c = arith.cmpf olt, %x, %m : f32
      scf.if %c {
        affine.store %x, %best[] : memref<f32>
        affine.store %j, %at[] : memref<index>
      }
    }
    affine.if affine_set<(d0) : (d0 - 3 == 0)>(%i) {
      memref.dealloc %at : memref<index>
    }
  }
  %r = affine.load %best[] : memref<f32>
  memref.dealloc %best : memref<f32>
  return %r : f32
}

// The element that data chooses, and the greater value: loaded and computed again in the branch.
func.func @chosen_by_data(%k: memref<64xi32>, %a: memref<64xf32>, %most: memref<8xf32>) {
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %key = affine.load %k[%i] : memref<64xi32>
    %bin = arith.index_cast %key : i32 to index
    %m = memref.load %most[%bin] : memref<8xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    scf.if %c {
      %again = affine.load %a[%i] : memref<64xf32>
      %key_again = affine.load %k[%i] : memref<64xi32>
      %bin_again = arith.index_cast %key_again : i32 to index
      memref.store %again, %most[%bin_again] : memref<8xf32>
    }
  }
  return
}

// Left: something else is stored, or at another element, or after a write; or two elements are.
func.func @left_by_data(%k: memref<64xi32>, %a: memref<64xf32>, %most: memref<8xf32>, %at: memref<8xi32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %key = affine.load %k[%i] : memref<64xi32>
    %bin = arith.index_cast %key : i32 to index
    %m = memref.load %most[%bin] : memref<8xf32>
    %c = arith.cmpf ogt, %x, %m : f32
    scf.if %c {
      memref.store %one, %most[%bin] : memref<8xf32>
    }
    %other = affine.load %k[63 - %i] : memref<64xi32>
    %other_bin = arith.index_cast %other : i32 to index
    %n = memref.load %most[%bin] : memref<8xf32>
    %d = arith.cmpf ogt, %x, %n : f32
    scf.if %d {
      memref.store %x, %most[%other_bin] : memref<8xf32>
    }
    %o = memref.load %most[%bin] : memref<8xf32>
    affine.store %x, %a[%i] : memref<64xf32>
    %e = arith.cmpf ogt, %x, %o : f32
    scf.if %e {
      %again = affine.load %a[%i] : memref<64xf32>
      memref.store %again, %most[%bin] : memref<8xf32>
    }
    %p = memref.load %most[%bin] : memref<8xf32>
    %f = arith.cmpf ogt, %x, %p : f32
    scf.if %f {
      memref.store %x, %most[%bin] : memref<8xf32>
      %w = arith.index_cast %i : index to i32
      memref.store %w, %at[%bin] : memref<8xi32>
    }
  }
  return
}

// if (a[i - 1] - 2 > a[i]) a[i] = a[i - 1] - 2: the element is loaded again.
// test: run-opt --entry=loaded_again --arg=random:8
func.func @loaded_again(%a: memref<65xi32>) {
  %c2 = arith.constant 2 : i32
  affine.for %i = 1 to 65 {
    %h = affine.load %a[%i] : memref<65xi32>
    %v = affine.load %a[%i - 1] : memref<65xi32>
    %w = arith.subi %v, %c2 : i32
    %c = arith.cmpi sgt, %w, %h : i32
    %r = scf.if %c -> i32 {
      %u = affine.load %a[%i - 1] : memref<65xi32>
      %x = arith.subi %u, %c2 : i32
      scf.yield %x : i32
    } else {
      scf.yield %h : i32
    }
    affine.store %r, %a[%i] : memref<65xi32>
  }
  return
}

// What stands in a branch alone may divide by zero, and stays.
// test: run-opt --entry=divided --arg=iota --arg=3
func.func @divided(%a: memref<65xi32>, %d: i32) {
  %c0 = arith.constant 0 : i32
  affine.for %i = 0 to 65 {
    %v = affine.load %a[%i] : memref<65xi32>
    %c = arith.cmpi ne, %v, %c0 : i32
    %r = scf.if %c -> i32 {
      %u = affine.load %a[%i] : memref<65xi32>
      %x = arith.divsi %d, %u : i32
      scf.yield %x : i32
    } else {
      scf.yield %d : i32
    }
    affine.store %r, %a[%i] : memref<65xi32>
  }
  return
}
