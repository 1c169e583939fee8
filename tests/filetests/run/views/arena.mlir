// Memory planned in an arena: several views of one buffer of bytes, of floats and integers, at constant and open distances,
// in one launch and in launches one after the other. Expected values are NumPy's.
//
// test: run --entry=layers --arg=zeros
// expect: arg 0 = [[0, 0, 0, 2, 7, 14, 23, 16, 16, 16, 18, 23, 30, 39, 32, 32, 32, 34, 39, 46, 55, 48, 48, 48, 50, 55, 62, 71, 64, 64, 64, 66, 71, 78, 87, 80, 80, 80, 82, 87, 94, 103, 96, 96, 96, 98, 103, 110, 119, 112, 112, 112, 114, 119, 126, 135, 128, 128, 128, 130, 135, 142, 151, 144], [0, 7, 5, 5, 8, 14, 23, 16, 23, 21, 21, 24, 30, 39, 32, 39, 37, 37, 40, 46, 55, 48, 55, 53, 53, 56, 62, 71, 64, 71, 69, 69, 72, 78, 87, 80, 87, 85, 85, 88, 94, 103, 96, 103, 101, 101, 104, 110, 119, 112, 119, 117, 117, 120, 126, 135, 128, 135, 133, 133, 136, 142, 151, 144]]
// test: run --entry=halves --arg=zeros --arg=520
// expect: arg 0 = [9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5]
// test: run --entry=halves --arg=zeros --arg=515
// expect: arg 0 = [9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5, 3, 4.5, 9, 5.5, 5, 7.5, 7.5, 10.5, 5.5, 3.5, 4.5]
func.func @layers(%out: memref<2x64xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c768 = arith.constant 768 : index
  %arena = memref.alloc() : memref<1024xi8>
  %h = memref.view %arena[%c0][] : memref<1024xi8> to memref<64xf32>
  %k = memref.view %arena[%c256][] : memref<1024xi8> to memref<64xi32>
  %c = memref.view %arena[%c512][] : memref<1024xi8> to memref<64xi32>
  %y = memref.view %arena[%c768][] : memref<1024xi8> to memref<64xf32>
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %n = affine.apply affine_map<(d0) -> ((d0 mod 7 - 3) * 2 + 1)>(%i)
    %m = arith.index_cast %n : index to i32
    %f = arith.sitofp %m : i32 to f32
    %r = arith.maximumf %f, %zero : f32
    affine.store %r, %h[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %h[%i] : memref<64xf32>
    %n = arith.fptosi %v : f32 to i32
    affine.store %n, %k[%i] : memref<64xi32>
  }
  affine.for %i = 0 to 64 {
    %s = affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) iter_args(%t = %none) -> (i32) {
      %v = affine.load %k[%j] : memref<64xi32>
      %u = arith.addi %t, %v : i32
      affine.yield %u : i32
    }
    affine.store %s, %c[%i] : memref<64xi32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %h[%i] : memref<64xf32>
    %n = affine.load %c[%i] : memref<64xi32>
    %f = arith.sitofp %n : i32 to f32
    %w = arith.addf %v, %f : f32
    affine.store %w, %y[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %y[%i] : memref<64xf32>
    affine.store %v, %out[0, %i] : memref<2x64xf32>
    %u = affine.load %h[-%i + 63] : memref<64xf32>
    %w = arith.addf %u, %v : f32
    affine.store %w, %out[1, %i] : memref<2x64xf32>
  }
  memref.dealloc %arena : memref<1024xi8>
  return
}

// A view that begins within an element of the other one.
func.func @halves(%out: memref<64xf64>, %shift: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<1100xi8>
  %m = memref.view %arena[%c0][] : memref<1100xi8> to memref<64xf64>
  %r = memref.view %arena[%shift][] : memref<1100xi8> to memref<64xf64>
  %half = arith.constant 0.5 : f64
  affine.for %i = 0 to 64 {
    %n = affine.apply affine_map<(d0) -> (d0 mod 11)>(%i)
    %x = arith.index_cast %n : index to i64
    %s = arith.muli %x, %x : i64
    %e = arith.constant 11 : i64
    %t = arith.remsi %s, %e : i64
    %f = arith.sitofp %t : i64 to f64
    affine.store %f, %m[%i] : memref<64xf64>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %m[-%i + 63] : memref<64xf64>
    affine.store %v, %r[%i] : memref<64xf64>
  }
  affine.for %i = 0 to 64 {
    %v = affine.load %m[%i] : memref<64xf64>
    %u = affine.load %r[%i] : memref<64xf64>
    %w = arith.mulf %v, %half : f64
    %q = arith.addf %w, %u : f64
    affine.store %q, %out[%i] : memref<64xf64>
  }
  memref.dealloc %arena : memref<1100xi8>
  return
}
