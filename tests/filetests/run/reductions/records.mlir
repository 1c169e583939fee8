// Reductions of several carried values: an extremum with its number or weight, the two largest, and maxima that a NaN wins.
// Elements are 0 to 4095.
// test: run --entry=counted --arg=iota --arg=zeros
// expect: arg 1 = [15, 256]
// test: run --entry=weighed --arg=iota --arg=zeros
// expect: arg 1 = [0, 522240]
// test: run --entry=two_largest --arg=iota --arg=zeros
// expect: arg 1 = [4095, 4094]
// test: run --entry=two_equal --arg=ones --arg=zeros --arg=zeros
// expect: arg 1 = [1, 1]
// expect: arg 2 = [0, 1]
// test: run --entry=nan_wins --arg=iota --arg=zeros --arg=zeros
// expect: arg 1 = [4000]
// expect: arg 2 = [4000]
// test: run --entry=last_of_least --arg=zeros --arg=zeros --arg=zeros
// expect: arg 1 = [0]
// expect: arg 2 = [4095]
// test: run --entry=starts_better --arg=iota --arg=zeros
// expect: arg 1 = [5000, 3]

// The greatest of i mod 16 is 15, for 4096 / 16 of the numbers.
func.func @counted(%x: memref<4096xi32>, %o: memref<2xi32>) {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i32
  %r:2 = affine.for %i = 0 to 4096 iter_args(%m = %least, %c = %zero) -> (i32, i32) {
    %y = affine.load %x[%i] : memref<4096xi32>
    %v = arith.andi %y, %mask : i32
    %g = arith.cmpi sgt, %v, %m : i32
    %p:2 = scf.if %g -> (i32, i32) {
      scf.yield %v, %one : i32, i32
    } else {
      %e = arith.cmpi eq, %v, %m : i32
      %k = scf.if %e -> (i32) {
        %n = arith.addi %c, %one : i32
        scf.yield %n : i32
      } else {
        scf.yield %c : i32
      }
      scf.yield %m, %k : i32, i32
    }
    affine.yield %p#0, %p#1 : i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xi32>
  affine.store %r#1, %o[1] : memref<2xi32>
  return
}

// The least of i mod 16 is 0, for i = 0, 16, ..., 4080: their sum is 16 (0 + ... + 255) = 522,240.
func.func @weighed(%x: memref<4096xi32>, %o: memref<2xi32>) {
  %most = arith.constant 2147483647 : i32
  %zero = arith.constant 0 : i32
  %mask = arith.constant 15 : i32
  %r:2 = affine.for %i = 0 to 4096 iter_args(%m = %most, %c = %zero) -> (i32, i32) {
    %y = affine.load %x[%i] : memref<4096xi32>
    %v = arith.andi %y, %mask : i32
    %g = arith.cmpi slt, %v, %m : i32
    %e = arith.cmpi eq, %v, %m : i32
    %n = arith.addi %c, %y : i32
    %k = arith.select %e, %n, %c : i32
    %w = arith.select %g, %y, %k : i32
    %b = arith.select %g, %v, %m : i32
    affine.yield %b, %w : i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xi32>
  affine.store %r#1, %o[1] : memref<2xi32>
  return
}

// The values are 7 i mod 4096, a permutation.
func.func @two_largest(%x: memref<4096xi32>, %o: memref<2xi32>) {
  %least = arith.constant -1 : i32
  %seven = arith.constant 7 : i32
  %mask = arith.constant 4095 : i32
  %r:2 = affine.for %i = 0 to 4096 iter_args(%m = %least, %s = %least) -> (i32, i32) {
    %y = affine.load %x[%i] : memref<4096xi32>
    %z = arith.muli %y, %seven : i32
    %v = arith.andi %z, %mask : i32
    %first = arith.cmpi sgt, %v, %m : i32
    %second = arith.cmpi sgt, %v, %s : i32
    %b = arith.select %first, %v, %m : i32
    %t = arith.select %second, %v, %s : i32
    %u = arith.select %first, %m, %t : i32
    affine.yield %b, %u : i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xi32>
  affine.store %r#1, %o[1] : memref<2xi32>
  return
}

// All are equal: the first two stay, with their places.
func.func @two_equal(%x: memref<4096xf32>, %o: memref<2xf32>, %k: memref<2xi32>) {
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant -1 : i32
  %r:4 = affine.for %i = 0 to 4096 iter_args(%m = %least, %s = %least, %p = %none, %q = %none) -> (f32, f32, i32, i32) {
    %v = affine.load %x[%i] : memref<4096xf32>
    %n = arith.index_cast %i : index to i32
    %first = arith.cmpf ogt, %v, %m : f32
    %second = arith.cmpf ogt, %v, %s : f32
    %b = arith.select %first, %v, %m : f32
    %t = arith.select %second, %v, %s : f32
    %u = arith.select %first, %m, %t : f32
    %bp = arith.select %first, %n, %p : i32
    %tp = arith.select %second, %n, %q : i32
    %up = arith.select %first, %p, %tp : i32
    affine.yield %b, %u, %bp, %up : f32, f32, i32, i32
  }
  affine.store %r#0, %o[0] : memref<2xf32>
  affine.store %r#1, %o[1] : memref<2xf32>
  affine.store %r#2, %k[0] : memref<2xi32>
  affine.store %r#3, %k[1] : memref<2xi32>
  return
}

// not (x <= m): a NaN is taken, and then whatever follows it. At i = 3000 the value is NaN, before it are 0 to 2999 and
// behind it i as long as i <= 4000, then 0: the greatest behind NaN is 4000.
func.func @nan_wins(%x: memref<4096xf32>, %o: memref<1xf32>, %k: memref<1xi32>) {
  %start = arith.constant 9000.0 : f32
  %none = arith.constant -1 : i32
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.0 : f32
  %at = arith.constant 3000.0 : f32
  %end = arith.constant 4000.0 : f32
  %r:2 = affine.for %i = 0 to 4096 iter_args(%m = %start, %p = %none) -> (f32, i32) {
    %y = affine.load %x[%i] : memref<4096xf32>
    %here = arith.cmpf oeq, %y, %at : f32
    %behind = arith.cmpf ogt, %y, %end : f32
    %w = arith.select %behind, %zero, %y : f32
    %v = arith.select %here, %nan, %w : f32
    %n = arith.index_cast %i : index to i32
    %c = arith.cmpf ugt, %v, %m : f32
    %b = arith.select %c, %v, %m : f32
    %l = arith.select %c, %n, %p : i32
    affine.yield %b, %l : f32, i32
  }
  affine.store %r#0, %o[0] : memref<1xf32>
  affine.store %r#1, %k[0] : memref<1xi32>
  return
}

// Equal elements, the last of which counts.
func.func @last_of_least(%x: memref<4096xf32>, %o: memref<1xf32>, %k: memref<1xi32>) {
  %start = arith.constant 7.0 : f32
  %none = arith.constant -1 : i32
  %r:2 = affine.for %i = 0 to 4096 iter_args(%m = %start, %p = %none) -> (f32, i32) {
    %v = affine.load %x[%i] : memref<4096xf32>
    %n = arith.index_cast %i : index to i32
    %c = arith.cmpf ule, %v, %m : f32
    %b = arith.select %c, %v, %m : f32
    %l = arith.select %c, %n, %p : i32
    affine.yield %b, %l : f32, i32
  }
  affine.store %r#0, %o[0] : memref<1xf32>
  affine.store %r#1, %k[0] : memref<1xi32>
  return
}

// What the loop starts from is better than all elements, so that its number stays.
func.func @starts_better(%x: memref<4096xi32>, %o: memref<2xi32>) {
  %start = arith.constant 5000 : i32
  %three = arith.constant 3 : i32
  %one = arith.constant 1 : i32
  %r:2 = affine.for %i = 0 to 4096 iter_args(%m = %start, %c = %three) -> (i32, i32) {
    %v = affine.load %x[%i] : memref<4096xi32>
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
