// test: opt --affine-if-conversion
// test: run-opt --entry=changed --arg=random:1 --arg=zeros --arg=zeros
// test: run-opt --entry=never_set --arg=zeros --arg=zeros --arg=iota
// test: run-opt --entry=left_of_rows --arg=random:2 --arg=zeros
// test: run-opt --entry=in_rounds --arg=random:5 --arg=iota --arg=zeros
// test: run-opt --entry=left_read --arg=random:3 --arg=zeros
// test: run-opt --entry=left_of_two_values --arg=random:4 --arg=zeros

// A step of a relaxation, and whether it changed anything.
func.func @changed(%x: memref<64xi32>, %y: memref<64xi32>, %flag: memref<1xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 1 to 64 {
    %a = affine.load %x[%i] : memref<64xi32>
    %b = affine.load %x[%i - 1] : memref<64xi32>
    %m = arith.minsi %a, %b : i32
    affine.store %m, %y[%i] : memref<64xi32>
    %c = arith.cmpi ne, %m, %a : i32
    scf.if %c {
      affine.store %one, %flag[0] : memref<1xi32>
    }
  }
  return
}

// No iteration stores, so that the element keeps what it holds; the branches are nested.
func.func @never_set(%x: memref<8xf32>, %y: memref<8xf32>, %flag: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %value = arith.constant 7.5 : f32
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xf32>
    %b = affine.load %y[%i] : memref<8xf32>
    %c = arith.cmpf ogt, %a, %zero : f32
    scf.if %c {
      %d = arith.cmpf ogt, %b, %zero : f32
      scf.if %d {
        affine.store %value, %flag[3] : memref<4xf32>
      }
    }
  }
  return
}

// One flag for each row: rows are parallel as they stand.
func.func @left_of_rows(%x: memref<6x9xi32>, %found: memref<6xi8>) {
  %none = arith.constant 0 : i8
  %some = arith.constant 1 : i8
  %nine = arith.constant 9 : i32
  affine.for %i = 0 to 6 {
    affine.store %none, %found[%i] : memref<6xi8>
    affine.for %j = 0 to 9 {
      %v = affine.load %x[%i, %j] : memref<6x9xi32>
      %c = arith.cmpi eq, %v, %nine : i32
      scf.if %c {
        affine.store %some, %found[%i] : memref<6xi8>
      }
    }
  }
  return
}

// The flag of a nest, cleared in each of some rounds: it is that of the two loops.
func.func @in_rounds(%x: memref<6x9xi32>, %rounds: memref<3xi32>, %found: memref<1xi32>) {
  %none = arith.constant 0 : i32
  %some = arith.constant 1 : i32
  affine.for %t = 0 to 3 {
    affine.store %none, %found[0] : memref<1xi32>
    affine.for %i = 0 to 6 {
      affine.for %j = 0 to 9 {
        %v = affine.load %x[%i, %j] : memref<6x9xi32>
        %s = affine.load %rounds[%t] : memref<3xi32>
        %c = arith.cmpi eq, %v, %s : i32
        scf.if %c {
          affine.store %some, %found[0] : memref<1xi32>
        }
      }
    }
    %f = affine.load %found[0] : memref<1xi32>
    affine.store %f, %rounds[%t] : memref<3xi32>
  }
  return
}

// Each iteration reads the flag, so that it shows which one sets it.
func.func @left_read(%x: memref<64xi32>, %flag: memref<1xi32>) {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %f = affine.load %flag[0] : memref<1xi32>
    %sum = arith.addi %v, %f : i32
    affine.store %sum, %x[%i] : memref<64xi32>
    %c = arith.cmpi sgt, %v, %three : i32
    scf.if %c {
      affine.store %one, %flag[0] : memref<1xi32>
    }
  }
  return
}

// Two branches store different values: the last one counts.
func.func @left_of_two_values(%x: memref<64xi32>, %flag: memref<1xi32>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 64 {
    %v = affine.load %x[%i] : memref<64xi32>
    %c = arith.cmpi sgt, %v, %three : i32
    scf.if %c {
      affine.store %one, %flag[0] : memref<1xi32>
    } else {
      affine.store %two, %flag[0] : memref<1xi32>
    }
  }
  return
}
