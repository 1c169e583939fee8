// Extrema under a mask: every loop becomes an argmin, an argmax or an extremum, but for the last five.
// test: opt --affine-if-conversion
// test: run-opt --entry=by_short_circuit --arg=random:1[50] --arg=random:2[50]
// test: run-opt --entry=by_conjunction --arg=random:3[50] --arg=random:4[50]
// test: run-opt --entry=by_branch --arg=random:5[50] --arg=random:6[50]
// test: run-opt --entry=in_memory --arg=random:7[50] --arg=random:8[50] --arg=zeros --arg=zeros
// test: run-opt --entry=last_of_equals --arg=random:9[50] --arg=zeros[50]
// test: run-opt --entry=other_points --arg=random:10[9x3] --arg=zeros[9]
// test: run-opt --entry=integers_last_of_equals --arg=random:11[50] --arg=random:12[50]
// test: run-opt --entry=other_value_without --arg=random:13[50] --arg=random:14[50]
// test: run-opt --entry=compared_twice --arg=random:15[50] --arg=random:16[50]
// test: run-opt --entry=counts_the_others --arg=random:19[50] --arg=random:20[50] --arg=zeros --arg=zeros
// test: run-opt --entry=stored_between --arg=random:17[50] --arg=random:18[50] --arg=zeros

// if (mask[i] && x[i] < best) { best = x[i]; at = i; }
func.func @by_short_circuit(%x: memref<?xf32>, %mask: memref<?xf32>) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %false = arith.constant false
  %large = arith.constant 1.0e+30 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r:2 = affine.for %i = 0 to %n iter_args(%best = %large, %at = %c0) -> (f32, index) {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %c = scf.if %on -> (i1) {
      %v = affine.load %x[%i] : memref<?xf32>
      %b = arith.cmpf olt, %v, %best : f32
      scf.yield %b : i1
    } else {
      scf.yield %false : i1
    }
    %k = arith.select %c, %i, %at : index
    %y = scf.if %c -> (f32) {
      %v = affine.load %x[%i] : memref<?xf32>
      scf.yield %v : f32
    } else {
      scf.yield %best : f32
    }
    affine.yield %y, %k : f32, index
  }
  return %r#0, %r#1 : f32, index
}

func.func @by_conjunction(%x: memref<?xf32>, %mask: memref<?xf32>) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %least = arith.constant -1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r:2 = affine.for %i = 0 to %n iter_args(%best = %least, %at = %c0) -> (f32, index) {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %v = affine.load %x[%i] : memref<?xf32>
    %b = arith.cmpf ogt, %v, %best fastmath<nnan,ninf> : f32
    %c = arith.andi %on, %b : i1
    %y = arith.select %c, %v, %best : f32
    %k = arith.select %c, %i, %at : index
    affine.yield %y, %k : f32, index
  }
  return %r#0, %r#1 : f32, index
}

func.func @by_branch(%x: memref<?xf32>, %mask: memref<?xf32>) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %large = arith.constant 1.0e+30 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r:2 = affine.for %i = 0 to %n iter_args(%best = %large, %at = %c0) -> (f32, index) {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %q:2 = scf.if %on -> (f32, index) {
      %v = affine.load %x[%i] : memref<?xf32>
      %w = arith.mulf %v, %v : f32
      %c = arith.cmpf ogt, %best, %w : f32
      %y = arith.select %c, %w, %best : f32
      %k = arith.select %c, %i, %at : index
      scf.yield %y, %k : f32, index
    } else {
      scf.yield %best, %at : f32, index
    }
    affine.yield %q#0, %q#1 : f32, index
  }
  return %r#0, %r#1 : f32, index
}

func.func @in_memory(%x: memref<?xf32>, %mask: memref<?xf32>, %best: memref<1xf32>, %at: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %large = arith.constant 1.0e+30 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.store %large, %best[0] : memref<1xf32>
  affine.store %c0, %at[0] : memref<1xindex>
  affine.for %i = 0 to %n {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    scf.if %on {
      %v = affine.load %x[%i] : memref<?xf32>
      %b = affine.load %best[0] : memref<1xf32>
      %c = arith.cmpf olt, %v, %b : f32
      scf.if %c {
        affine.store %v, %best[0] : memref<1xf32>
        affine.store %i, %at[0] : memref<1xindex>
      }
    }
  }
  return
}

// All candidates are equal, and the last one under the mask is taken: no infinity stands for the others.
func.func @last_of_equals(%mask: memref<?xf32>, %x: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0xFF800000 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r:2 = affine.for %i = 0 to %n iter_args(%best = %none, %at = %c0) -> (f32, index) {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %v = affine.load %x[%i] : memref<?xf32>
    %b = arith.cmpf oge, %v, %best : f32
    %c = arith.andi %b, %on : i1
    %y = arith.select %c, %v, %best : f32
    %k = arith.select %c, %i, %at : index
    affine.yield %y, %k : f32, index
  }
  return %r#1 : index
}

// The nearest other point: the distance is a loop that stays under the mask.
func.func @other_points(%p: memref<?x3xf32>, %at: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %large = arith.constant 1.0e+30 : f32
  %n = memref.dim %p, %c0 : memref<?x3xf32>
  affine.for %i = 0 to %n {
    %r:2 = affine.for %j = 0 to %n iter_args(%best = %large, %k = %c0) -> (f32, index) {
      %other = arith.cmpi ne, %i, %j : index
      %q:2 = scf.if %other -> (f32, index) {
        %d = affine.for %l = 0 to 3 iter_args(%s = %zero) -> f32 {
          %x = affine.load %p[%i, %l] : memref<?x3xf32>
          %y = affine.load %p[%j, %l] : memref<?x3xf32>
          %z = arith.subf %x, %y : f32
          %w = arith.mulf %z, %z : f32
          %t = arith.addf %s, %w : f32
          affine.yield %t : f32
        }
        %c = arith.cmpf olt, %d, %best : f32
        %y = arith.select %c, %d, %best : f32
        %m = arith.select %c, %j, %k : index
        scf.yield %y, %m : f32, index
      } else {
        scf.yield %best, %k : f32, index
      }
      affine.yield %q#0, %q#1 : f32, index
    }
    affine.store %r#1, %at[%i] : memref<?xindex>
  }
  return
}

// No integer loses every comparison where equals win.
func.func @integers_last_of_equals(%x: memref<?xi32>, %mask: memref<?xf32>) -> (i32, index) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %large = arith.constant 2147483647 : i32
  %n = memref.dim %x, %c0 : memref<?xi32>
  %r:2 = affine.for %i = 0 to %n iter_args(%best = %large, %at = %c0) -> (i32, index) {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %v = affine.load %x[%i] : memref<?xi32>
    %b = arith.cmpi sle, %v, %best : i32
    %c = arith.andi %on, %b : i1
    %y = arith.select %c, %v, %best : i32
    %k = arith.select %c, %i, %at : index
    affine.yield %y, %k : i32, index
  }
  return %r#0, %r#1 : i32, index
}

// Without the mask, the place is forgotten.
func.func @other_value_without(%x: memref<?xf32>, %mask: memref<?xf32>) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %large = arith.constant 1.0e+30 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r:2 = affine.for %i = 0 to %n iter_args(%best = %large, %at = %c0) -> (f32, index) {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %q:2 = scf.if %on -> (f32, index) {
      %v = affine.load %x[%i] : memref<?xf32>
      %c = arith.cmpf olt, %v, %best : f32
      %y = arith.select %c, %v, %best : f32
      %k = arith.select %c, %i, %at : index
      scf.yield %y, %k : f32, index
    } else {
      scf.yield %best, %c0 : f32, index
    }
    affine.yield %q#0, %q#1 : f32, index
  }
  return %r#0, %r#1 : f32, index
}

func.func @compared_twice(%x: memref<?xf32>, %mask: memref<?xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %large = arith.constant 1.0e+30 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r:2 = affine.for %i = 0 to %n iter_args(%best = %large, %second = %large) -> (f32, f32) {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %q:2 = scf.if %on -> (f32, f32) {
      %v = affine.load %x[%i] : memref<?xf32>
      %c = arith.cmpf olt, %v, %best : f32
      %d = arith.cmpf olt, %v, %second : f32
      %y = arith.select %c, %v, %best : f32
      %z = arith.select %d, %v, %second : f32
      scf.yield %y, %z : f32, f32
    } else {
      scf.yield %best, %second : f32, f32
    }
    affine.yield %q#0, %q#1 : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

// What the branch loads last is what it may have stored.
func.func @stored_between(%x: memref<?xf32>, %mask: memref<?xf32>, %best: memref<1xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %half = arith.constant 0.5 : f32
  %large = arith.constant 1.0e+30 : f32
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.store %large, %best[0] : memref<1xf32>
  %r = affine.for %i = 0 to %n iter_args(%sum = %zero) -> f32 {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    %q = scf.if %on -> f32 {
      %v = affine.load %x[%i] : memref<?xf32>
      %b = affine.load %best[0] : memref<1xf32>
      %c = arith.cmpf olt, %v, %b : f32
      scf.if %c {
        affine.store %v, %best[0] : memref<1xf32>
      }
      %w = affine.load %best[%i - %i] : memref<1xf32>
      %t = arith.addf %sum, %w : f32
      scf.yield %t : f32
    } else {
      scf.yield %sum : f32
    }
    affine.yield %q : f32
  }
  return %r : f32
}

// The branch on the comparison has another side, which the mask guards as well.
func.func @counts_the_others(%x: memref<?xf32>, %mask: memref<?xf32>, %best: memref<1xf32>, %count: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %half = arith.constant 0.5 : f32
  %large = arith.constant 1.0e+30 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.store %large, %best[0] : memref<1xf32>
  affine.for %i = 0 to %n {
    %m = affine.load %mask[%i] : memref<?xf32>
    %on = arith.cmpf ogt, %m, %half : f32
    scf.if %on {
      %v = affine.load %x[%i] : memref<?xf32>
      %b = affine.load %best[0] : memref<1xf32>
      %c = arith.cmpf olt, %v, %b : f32
      scf.if %c {
        affine.store %v, %best[0] : memref<1xf32>
      } else {
        %k = affine.load %count[0] : memref<1xi32>
        %l = arith.addi %k, %one : i32
        affine.store %l, %count[0] : memref<1xi32>
      }
    }
  }
  return
}
