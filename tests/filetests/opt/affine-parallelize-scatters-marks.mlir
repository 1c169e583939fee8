// test: opt --affine-parallelize-scatters
// test: run-opt --entry=flags --arg=random:1 --arg=zeros
// test: run-opt --entry=of_each_kind --arg=random:2 --arg=7.5 --arg=zeros --arg=zeros --arg=zeros
// test: run-opt --entry=in_steps --arg=random:3 --arg=zeros
// test: run-opt --entry=of_two_values --arg=random:4 --arg=zeros
// test: run-opt --entry=of_the_counter --arg=random:5 --arg=zeros
// test: run-opt --entry=left_reading --arg=random:6 --arg=zeros

// Under a condition, twice: it does not matter which iteration stores.
func.func @flags(%key: memref<700xi32>, %seen: memref<64xi32>) {
  %one = arith.constant 1 : i32
  %mask = arith.constant 63 : i32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 699 {
    %k = affine.load %key[%i] : memref<700xi32>
    %low = arith.andi %k, %mask : i32
    %at = arith.index_cast %low : i32 to index
    memref.store %one, %seen[%at] : memref<64xi32>
    %m = affine.load %key[%i + 1] : memref<700xi32>
    %c = arith.cmpi slt, %m, %zero : i32
    scf.if %c {
      %bits = arith.andi %m, %mask : i32
      %to = arith.index_cast %bits : i32 to index
      memref.store %one, %seen[%to] : memref<64xi32>
    }
  }
  return
}

// A number from outside, bytes, and doubles: these last ones are no words, so the last iteration is found for all.
func.func @of_each_kind(%key: memref<700xi32>, %x: f32, %f: memref<64xf32>, %b: memref<64xi8>, %d: memref<64xf64>) {
  %three = arith.constant 3 : i8
  %mask = arith.constant 63 : i32
  %half = arith.constant 0.5 : f64
  affine.for %i = 0 to 700 {
    %k = affine.load %key[%i] : memref<700xi32>
    %low = arith.andi %k, %mask : i32
    %at = arith.index_cast %low : i32 to index
    memref.store %x, %f[%at] : memref<64xf32>
    memref.store %three, %b[%at] : memref<64xi8>
  }
  affine.for %i = 0 to 700 {
    %k = affine.load %key[%i] : memref<700xi32>
    %low = arith.andi %k, %mask : i32
    %at = arith.index_cast %low : i32 to index
    memref.store %half, %d[%at] : memref<64xf64>
  }
  return
}

// A step at a time: each stores another number, the same in all iterations of the inner loop but not computed outside
// of all loops, so that the last iteration is found.
func.func @in_steps(%key: memref<700xi32>, %y: memref<64xi32>) {
  %mask = arith.constant 63 : i32
  affine.for %t = 0 to 3 {
    %step = arith.index_cast %t : index to i32
    affine.for %i = 0 to 700 {
      %k = affine.load %key[%i] : memref<700xi32>
      %low = arith.andi %k, %mask : i32
      %x = arith.addi %low, %step : i32
      %bits = arith.andi %x, %mask : i32
      %at = arith.index_cast %bits : i32 to index
      memref.store %step, %y[%at] : memref<64xi32>
    }
  }
  return
}

func.func @of_two_values(%key: memref<700xi32>, %y: memref<64xi32>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %zero = arith.constant 0 : i32
  %mask = arith.constant 63 : i32
  affine.for %i = 0 to 700 {
    %k = affine.load %key[%i] : memref<700xi32>
    %low = arith.andi %k, %mask : i32
    %at = arith.index_cast %low : i32 to index
    %c = arith.cmpi slt, %k, %zero : i32
    scf.if %c {
      memref.store %one, %y[%at] : memref<64xi32>
    } else {
      memref.store %two, %y[%at] : memref<64xi32>
    }
  }
  return
}

func.func @of_the_counter(%key: memref<700xi32>, %y: memref<64xi32>) {
  %mask = arith.constant 63 : i32
  affine.for %i = 0 to 700 {
    %k = affine.load %key[%i] : memref<700xi32>
    %low = arith.andi %k, %mask : i32
    %at = arith.index_cast %low : i32 to index
    %x = arith.index_cast %i : index to i32
    memref.store %x, %y[%at] : memref<64xi32>
  }
  return
}

// An iteration reads what others have marked.
func.func @left_reading(%key: memref<700xi32>, %seen: memref<64xi32>) {
  %one = arith.constant 1 : i32
  %mask = arith.constant 63 : i32
  affine.for %i = 0 to 700 {
    %k = affine.load %key[%i] : memref<700xi32>
    %old = affine.load %seen[%i mod 64] : memref<64xi32>
    %sum = arith.addi %k, %old : i32
    %low = arith.andi %sum, %mask : i32
    %at = arith.index_cast %low : i32 to index
    memref.store %one, %seen[%at] : memref<64xi32>
  }
  return
}
