// test: opt --affine-parallelize-reductions=target=cpu
// test: run-opt --entry=counted --arg=random:1 --arg=zeros
// test: run-opt --entry=two_largest --arg=random:1 --arg=zeros
// test: run-opt --entry=nan_wins --arg=random:1 --arg=zeros
// test: run-opt --entry=ties --arg=random:1 --arg=zeros
// test: run-opt --entry=shown --arg=random:1 --arg=zeros --arg=zeros
// test: run-opt --entry=summed --arg=random:1 --arg=zeros
// test: run-opt --entry=noted --arg=random:1 --arg=zeros --arg=zeros

// Partial results are a maximum with its number: that of the later part is inserted so many times.
func.func @counted(%x: memref<1000xi32>, %o: memref<2xi32>) {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %c = %zero) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<1000xi32>
    %g = arith.cmpi sgt, %v, %m : i32
    %e = arith.cmpi eq, %v, %m : i32
    %n = arith.addi %c, %one : i32
    %k = arith.select %e, %n, %c : i32
    %w = arith.select %g, %one, %k : i32
    %b = arith.select %g, %v, %m : i32
    affine.yield %b, %w : i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xi32>
  affine.store %r#1, %o[1] : memref<2xi32>
  return
}

// Both of the later part are inserted, the first one first. Zeros of both signs are equal: parts stay in their order.
func.func @two_largest(%x: memref<1000xf32>, %o: memref<2xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %s = %least) -> (f32, f32) {
    %v = affine.load %x[%i] : memref<1000xf32>
    %first = arith.cmpf ogt, %v, %m : f32
    %second = arith.cmpf ogt, %v, %s : f32
    %b = arith.select %first, %v, %m : f32
    %t = arith.select %second, %v, %s : f32
    %u = arith.select %first, %m, %t : f32
    affine.yield %b, %u : f32, f32
  }
  affine.store %r#0, %o[0] : memref<2xf32>
  affine.store %r#1, %o[1] : memref<2xf32>
  return
}

// A mark tells parts in which a NaN was taken: what was before does not count.
func.func @nan_wins(%x: memref<1000xf32>, %o: memref<1xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : index
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %p = %none) -> (f32, index) {
    %v = affine.load %x[%i] : memref<1000xf32>
    %c = arith.cmpf ugt, %v, %m : f32
    %b = arith.select %c, %v, %m : f32
    %l = arith.select %c, %i, %p : index
    affine.yield %b, %l : f32, index
  }
  affine.store %r#0, %o[0] : memref<1xf32>
  return
}

// Left: the number of ties begins at 0 for one record and counts 1 for the next, which is no sum over records.
func.func @ties(%x: memref<1000xi32>, %o: memref<2xi32>) {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %c = %zero) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<1000xi32>
    %g = arith.cmpi sgt, %v, %m : i32
    %e = arith.cmpi eq, %v, %m : i32
    %n = arith.addi %c, %one : i32
    %k = arith.select %e, %n, %c : i32
    %w = arith.select %g, %zero, %k : i32
    %b = arith.select %g, %v, %m : i32
    affine.yield %b, %w : i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xi32>
  affine.store %r#1, %o[1] : memref<2xi32>
  return
}

// Left: each iteration stores the maximum so far.
func.func @shown(%x: memref<1000xi32>, %o: memref<2xi32>, %y: memref<1000xi32>) {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %c = %zero) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<1000xi32>
    %g = arith.cmpi sgt, %v, %m : i32
    %e = arith.cmpi eq, %v, %m : i32
    %n = arith.addi %c, %one : i32
    %k = arith.select %e, %n, %c : i32
    %w = arith.select %g, %one, %k : i32
    %b = arith.select %g, %v, %m : i32
    affine.store %b, %y[%i] : memref<1000xi32>
    affine.yield %b, %w : i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xi32>
  affine.store %r#1, %o[1] : memref<2xi32>
  return
}

// Left: a sum of the maxima so far.
func.func @summed(%x: memref<1000xi32>, %o: memref<3xi32>) {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:3 = affine.for %i = 0 to 1000 iter_args(%m = %least, %c = %zero, %s = %zero) -> (i32, i32, i32) {
    %v = affine.load %x[%i] : memref<1000xi32>
    %g = arith.cmpi sgt, %v, %m : i32
    %e = arith.cmpi eq, %v, %m : i32
    %n = arith.addi %c, %one : i32
    %k = arith.select %e, %n, %c : i32
    %w = arith.select %g, %one, %k : i32
    %b = arith.select %g, %v, %m : i32
    %t = arith.addi %s, %m : i32
    affine.yield %b, %w, %t : i32, i32, i32
  }
  affine.store %r#0, %o[0] : memref<3xi32>
  affine.store %r#1, %o[1] : memref<3xi32>
  affine.store %r#2, %o[2] : memref<3xi32>
  return
}

// Left: stores say where the maximum rises.
func.func @noted(%x: memref<1000xi32>, %o: memref<2xi32>, %y: memref<1000xi32>) {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to 1000 iter_args(%m = %least, %c = %zero) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<1000xi32>
    %g = arith.cmpi sgt, %v, %m : i32
    %e = arith.cmpi eq, %v, %m : i32
    scf.if %g {
      affine.store %one, %y[%i] : memref<1000xi32>
    }
    %n = arith.addi %c, %one : i32
    %k = arith.select %e, %n, %c : i32
    %w = arith.select %g, %one, %k : i32
    %b = arith.select %g, %v, %m : i32
    affine.yield %b, %w : i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xi32>
  affine.store %r#1, %o[1] : memref<2xi32>
  return
}
