// test: run --entry=normalize --arg=iota --arg=zeros --arg=zeros
// expect: arg 2 = [1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140, 1140]
// test: run --entry=softmax --arg=random:1[97x131] --arg=zeros[97x131]
// test: run --entry=softmax --arg=random:3[3x0] --arg=zeros[3x0]
// test: run --entry=norms --arg=random:4 --arg=random:5 --arg=zeros --arg=zeros

// The loops of a row are shared by the threads of a workgroup. The greatest element of row `i` is
// `40 * i + 39`, so that `y[i, j]` becomes `39 - j` and the sum of a row 780; 360 come in the end.
// Threads read what others have stored: the sum goes over a row from its other end, and is itself
// stored by one thread and loaded by all.
func.func @normalize(%x: memref<70x40xi32>, %y: memref<70x40xi32>, %s: memref<70xi32>) {
  %low = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 70 {
    %m = affine.for %j = 0 to 40 iter_args(%a = %low) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<70x40xi32>
      %n = arith.maxsi %a, %v : i32
      affine.yield %n : i32
    }
    affine.for %j = 0 to 40 {
      %v = affine.load %x[%i, %j] : memref<70x40xi32>
      %d = arith.subi %m, %v : i32
      affine.store %d, %y[%i, %j] : memref<70x40xi32>
    }
    %t = affine.for %j = 0 to 40 iter_args(%a = %zero) -> (i32) {
      %v = affine.load %y[%i, -%j + 39] : memref<70x40xi32>
      %n = arith.addi %a, %v : i32
      affine.yield %n : i32
    }
    affine.store %t, %s[%i] : memref<70xi32>
    affine.for %j = 0 to 40 {
      %u = affine.load %s[%i] : memref<70xi32>
      %v = affine.load %y[%i, %j] : memref<70x40xi32>
      %d = arith.addi %v, %u : i32
      affine.store %d, %y[%i, %j] : memref<70x40xi32>
    }
    %w = affine.for %j = 0 to 10 iter_args(%a = %t) -> (i32) {
      %v = affine.load %x[%i, %j] : memref<70x40xi32>
      %z = arith.subi %v, %v : i32
      %e = arith.addi %z, %zero : i32
      %n = arith.addi %a, %e : i32
      affine.yield %n : i32
    }
    %c = arith.constant 360 : i32
    %r = arith.addi %w, %c : i32
    affine.store %r, %s[%i] : memref<70xi32>
  }
  return
}

// Rows of any length, none among them.
func.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %rows {
    %m = affine.for %j = 0 to %n iter_args(%a = %low) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %g = arith.maximumf %a, %v : f32
      affine.yield %g : f32
    }
    %s = affine.for %j = 0 to %n iter_args(%a = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<?x?xf32>
      %d = arith.subf %v, %m : f32
      %e = math.exp %d : f32
      affine.store %e, %y[%i, %j] : memref<?x?xf32>
      %t = arith.addf %a, %e : f32
      affine.yield %t : f32
    }
    affine.for %j = 0 to %n {
      %e = affine.load %y[%i, %j] : memref<?x?xf32>
      %q = arith.divf %e, %s : f32
      affine.store %q, %y[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// Two loops around the rows, several sums at once, and more rows than a grid has workgroups.
func.func @norms(%x: memref<2x65600x8xf32>, %g: memref<8xf32>, %y: memref<2x65600x8xf32>,
                 %q: memref<2x65600xf32>) {
  %zero = arith.constant 0.0 : f32
  %inv = arith.constant 0.125 : f32
  %one = arith.constant 1.0 : f32
  affine.for %b = 0 to 2 {
    affine.for %i = 0 to 65600 {
      %s:2 = affine.for %j = 0 to 8 iter_args(%a = %zero, %c = %zero) -> (f32, f32) {
        %v = affine.load %x[%b, %i, %j] : memref<2x65600x8xf32>
        %p = arith.mulf %v, %v : f32
        %t = arith.addf %a, %v : f32
        %u = arith.addf %c, %p : f32
        affine.yield %t, %u : f32, f32
      }
      %mean = arith.mulf %s#0, %inv : f32
      %power = arith.mulf %s#1, %inv : f32
      %e = arith.addf %power, %one : f32
      %r = math.rsqrt %e : f32
      affine.store %mean, %q[%b, %i] : memref<2x65600xf32>
      affine.for %j = 0 to 8 {
        %v = affine.load %x[%b, %i, %j] : memref<2x65600x8xf32>
        %h = affine.load %g[%j] : memref<8xf32>
        %d = arith.subf %v, %mean : f32
        %n = arith.mulf %d, %r : f32
        %o = arith.mulf %n, %h : f32
        affine.store %o, %y[%b, %i, %j] : memref<2x65600x8xf32>
      }
    }
  }
  return
}
