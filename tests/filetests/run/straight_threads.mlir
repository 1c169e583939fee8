// Nests whose threads are straight on lavapipe: sums of neighbours along a long line and over planes of odd sizes, a maximum of a
// window that steps by two, numbers of 64 bits and of a byte, an update in place, and a table that lanes share.
// test: run --entry=line --arg=random:1 --arg=zeros
// test: run --entry=planes --arg=random:1 --arg=zeros
// test: run --entry=pooled --arg=random:1 --arg=zeros
// test: run --entry=doubles --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=bytes --arg=random:1 --arg=zeros
// test: run --entry=in_place --arg=random:1 --arg=random:2
// test: run --entry=by_table --arg=random:1 --arg=random:2 --arg=zeros
func.func @line(%x: memref<5003xf32>, %y: memref<5003xf32>) {
  affine.for %i = 1 to 5002 {
    %a = affine.load %x[%i - 1] : memref<5003xf32>
    %b = affine.load %x[%i] : memref<5003xf32>
    %c = affine.load %x[%i + 1] : memref<5003xf32>
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    affine.store %abc, %y[%i] : memref<5003xf32>
  }
  return
}

func.func @planes(%x: memref<7x37x113xf32>, %y: memref<7x37x113xf32>) {
  affine.for %i = 1 to 6 {
    affine.for %j = 1 to 36 {
      affine.for %k = 1 to 112 {
        %a = affine.load %x[%i - 1, %j, %k] : memref<7x37x113xf32>
        %b = affine.load %x[%i + 1, %j, %k] : memref<7x37x113xf32>
        %c = affine.load %x[%i, %j - 1, %k] : memref<7x37x113xf32>
        %d = affine.load %x[%i, %j, %k + 1] : memref<7x37x113xf32>
        %ab = arith.addf %a, %b : f32
        %cd = arith.mulf %c, %d : f32
        %s = arith.subf %ab, %cd : f32
        affine.store %s, %y[%i, %j, %k] : memref<7x37x113xf32>
      }
    }
  }
  return
}

func.func @pooled(%x: memref<45x202xf32>, %y: memref<22x100xf32>) {
  affine.for %i = 0 to 22 {
    affine.for %j = 0 to 100 {
      %first = affine.load %x[%i * 2, %j * 2] : memref<45x202xf32>
      %m = affine.for %p = 0 to 3 iter_args(%s = %first) -> (f32) {
        %r = affine.for %q = 0 to 3 iter_args(%t = %s) -> (f32) {
          %a = affine.load %x[%i * 2 + %p, %j * 2 + %q] : memref<45x202xf32>
          %b = arith.maximumf %t, %a : f32
          affine.yield %b : f32
        }
        affine.yield %r : f32
      }
      affine.store %m, %y[%i, %j] : memref<22x100xf32>
    }
  }
  return
}

func.func @doubles(%x: memref<1999xf64>, %n: memref<1999xi64>, %y: memref<1999xf64>) {
  affine.for %i = 0 to 1999 {
    %a = affine.load %x[%i] : memref<1999xf64>
    %k = affine.load %n[-%i + 1998] : memref<1999xi64>
    %b = arith.sitofp %k : i64 to f64
    %c = arith.addf %a, %b : f64
    affine.store %c, %y[%i] : memref<1999xf64>
  }
  return
}

func.func @bytes(%x: memref<60x70xi8>, %y: memref<60x70xi32>) {
  affine.for %i = 0 to 60 {
    affine.for %j = 0 to 70 {
      %a = affine.load %x[%i, %j] : memref<60x70xi8>
      %b = arith.extsi %a : i8 to i32
      %c = arith.muli %b, %b : i32
      affine.store %c, %y[%i, %j] : memref<60x70xi32>
    }
  }
  return
}

func.func @in_place(%x: memref<33x64xf32>, %y: memref<33x64xf32>) {
  affine.for %i = 0 to 33 {
    affine.for %j = 0 to 64 {
      %a = affine.load %x[%i, %j] : memref<33x64xf32>
      %b = affine.load %y[%i, %j] : memref<33x64xf32>
      %c = arith.addf %a, %b : f32
      affine.store %c, %y[%i, %j] : memref<33x64xf32>
    }
  }
  return
}

// What a loaded index picks is gathered, beside loads of neighbours.
func.func @by_table(%at: memref<3001xi32>, %table: memref<16xf32>, %y: memref<3001xf32>) {
  %c15 = arith.constant 15 : i32
  affine.for %i = 0 to 3001 {
    %n = affine.load %at[%i] : memref<3001xi32>
    %low = arith.andi %n, %c15 : i32
    %k = arith.index_cast %low : i32 to index
    %a = memref.load %table[%k] : memref<16xf32>
    %b = affine.load %table[3] : memref<16xf32>
    %c = arith.addf %a, %b : f32
    affine.store %c, %y[%i] : memref<3001xf32>
  }
  return
}
