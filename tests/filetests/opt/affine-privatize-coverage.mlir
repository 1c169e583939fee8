// Temporaries that several stores of an iteration write before it reads them.
// test: opt --affine-privatize
// test: run-opt --entry=recurrence --arg=random:1 --arg=random:2
// test: run-opt --entry=halves --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=triangle --arg=random:1 --arg=random:2
// test: run-opt --entry=open --arg=iota[7x5] --arg=random:2[7x5] --arg=5
// test: run-opt --entry=branches --arg=random:1 --arg=random:2
// test: run-opt --entry=gap --arg=random:1 --arg=random:2
// test: run-opt --entry=diagonal_missing --arg=random:1 --arg=random:2
// test: run-opt --entry=later_store --arg=random:1 --arg=random:2
// test: run-opt --entry=scattered --arg=random:1 --arg=random:2 --arg=iota
// test: run-opt --entry=tested_by_a_constant --arg=random:1 --arg=random:2
// test: run-opt --entry=every_other --arg=random:1 --arg=random:2

// 4 elements, then each from those before it.
func.func @recurrence(%a: memref<6x4xi32>, %b: memref<6xi32>) {
  %w = memref.alloca() : memref<16xi32>
  affine.for %m = 0 to 6 {
    affine.for %t = 0 to 4 {
      %x = affine.load %a[%m, %t] : memref<6x4xi32>
      affine.store %x, %w[%t] : memref<16xi32>
    }
    affine.for %t = 4 to 16 {
      %x = affine.load %w[%t - 4] : memref<16xi32>
      %y = affine.load %w[%t - 1] : memref<16xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %w[%t] : memref<16xi32>
    }
    %r = affine.load %w[15] : memref<16xi32>
    affine.store %r, %b[%m] : memref<6xi32>
  }
  return
}

// Two stores fill a matrix and its right side; then a row that the data name is read.
func.func @halves(%a: memref<6x3x3xf32>, %b: memref<6x6xf32>, %rows: memref<6xindex>) {
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3 : index
  %m = memref.alloca() : memref<3x6xf32>
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 3 {
      affine.for %j = 0 to 3 {
        %x = affine.load %a[%e, %i, %j] : memref<6x3x3xf32>
        affine.store %x, %m[%i, %j] : memref<3x6xf32>
        affine.store %zero, %m[%i, %j + 3] : memref<3x6xf32>
      }
    }
    %number = affine.load %rows[%e] : memref<6xindex>
    %row = arith.remui %number, %three : index
    affine.for %j = 0 to 6 {
      %x = memref.load %m[%row, %j] : memref<3x6xf32>
      affine.store %x, %b[%e, %j] : memref<6x6xf32>
    }
  }
  return
}

// A row of a triangle is complete when the row is.
func.func @triangle(%a: memref<6x5xf32>, %b: memref<6xf32>) {
  %t = memref.alloca() : memref<5x5xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 5 {
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %a[%e, %j] : memref<6x5xf32>
        affine.store %x, %t[%i, %j] : memref<5x5xf32>
      }
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %t[%i, %i - %j] : memref<5x5xf32>
        affine.store %x, %b[%e] : memref<6xf32>
      }
    }
  }
  return
}

// As many elements as a number of the run says, the same one for stores and loads.
func.func @open(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %rows = memref.dim %a, %c0 : memref<?x?xf32>
  %t = memref.alloca() : memref<64xf32>
  affine.for %e = 0 to %rows {
    affine.for %i = 0 to %n {
      %x = affine.load %a[%e, %i] : memref<?x?xf32>
      affine.store %x, %t[%i] : memref<64xf32>
    }
    affine.for %i = 0 to %n {
      %x = affine.load %t[symbol(%n) - %i - 1] : memref<64xf32>
      affine.store %x, %b[%e, %i] : memref<?x?xf32>
    }
  }
  return
}

// One of the two branches stores.
#low = affine_set<(d0) : (-d0 + 3 >= 0)>
func.func @branches(%a: memref<6x8xf32>, %b: memref<6x8xf32>) {
  %t = memref.alloca() : memref<8xf32>
  %one = arith.constant 1.0 : f32
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 8 {
      affine.if #low(%i) {
        %x = affine.load %a[%e, %i] : memref<6x8xf32>
        affine.store %x, %t[%i] : memref<8xf32>
      } else {
        affine.store %one, %t[%i] : memref<8xf32>
      }
    }
    affine.for %i = 0 to 8 {
      %x = affine.load %t[-%i + 7] : memref<8xf32>
      affine.store %x, %b[%e, %i] : memref<6x8xf32>
    }
  }
  return
}

// The rest stays. Element 3 comes from the iteration before.
func.func @gap(%a: memref<6x4xi32>, %b: memref<6xi32>) {
  %w = memref.alloca() : memref<16xi32>
  %zero = arith.constant 0 : i32
  affine.store %zero, %w[3] : memref<16xi32>
  affine.for %m = 0 to 6 {
    affine.for %t = 0 to 3 {
      %x = affine.load %a[%m, %t] : memref<6x4xi32>
      affine.store %x, %w[%t] : memref<16xi32>
    }
    affine.for %t = 4 to 16 {
      %x = affine.load %w[%t - 4] : memref<16xi32>
      affine.store %x, %w[%t] : memref<16xi32>
    }
    %r = affine.load %w[15] : memref<16xi32>
    affine.store %r, %w[3] : memref<16xi32>
    affine.store %r, %b[%m] : memref<6xi32>
  }
  return
}

// The diagonal is read before it is written.
func.func @diagonal_missing(%a: memref<6x5xf32>, %b: memref<6x5xf32>) {
  %t = memref.alloca() : memref<5x5xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 5 {
    affine.store %zero, %t[%i, %i] : memref<5x5xf32>
  }
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 5 {
      affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
        %x = affine.load %a[%e, %j] : memref<6x5xf32>
        affine.store %x, %t[%i, %j] : memref<5x5xf32>
      }
      affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
        %x = affine.load %t[%i, %j] : memref<5x5xf32>
        affine.store %x, %b[%e, %i] : memref<6x5xf32>
      }
      affine.store %zero, %t[%i, %i] : memref<5x5xf32>
    }
  }
  return
}

// What is read is stored in the same loop, but later.
func.func @later_store(%a: memref<6x8xf32>, %b: memref<6x8xf32>) {
  %t = memref.alloca() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %zero, %t[%i] : memref<8xf32>
  }
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 8 {
      %y = affine.load %t[%i] : memref<8xf32>
      affine.store %y, %b[%e, %i] : memref<6x8xf32>
      %x = affine.load %a[%e, %i] : memref<6x8xf32>
      affine.store %x, %t[%i] : memref<8xf32>
    }
  }
  return
}

// Which elements are stored is not known.
func.func @scattered(%a: memref<6x8xf32>, %b: memref<6x8xf32>, %to: memref<8xindex>) {
  %t = memref.alloca() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %zero, %t[%i] : memref<8xf32>
  }
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 8 {
      %at = affine.load %to[%i] : memref<8xindex>
      %x = affine.load %a[%e, %i] : memref<6x8xf32>
      memref.store %x, %t[%at] : memref<8xf32>
    }
    affine.for %i = 0 to 8 {
      %y = affine.load %t[%i] : memref<8xf32>
      affine.store %y, %b[%e, %i] : memref<6x8xf32>
    }
  }
  return
}

// Elements 5 to 7 keep what they had.
func.func @tested_by_a_constant(%a: memref<6x8xf32>, %b: memref<6x8xf32>) {
  %t = memref.alloca() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5 : index
  affine.for %i = 0 to 8 {
    affine.store %zero, %t[%i] : memref<8xf32>
  }
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 8 {
      %x = affine.load %a[%e, %i] : memref<6x8xf32>
      %is_low = arith.cmpi slt, %i, %five : index
      scf.if %is_low {
        affine.store %x, %t[%i] : memref<8xf32>
      }
    }
    affine.for %i = 0 to 8 {
      %y = affine.load %t[%i] : memref<8xf32>
      affine.store %y, %b[%e, %i] : memref<6x8xf32>
      affine.store %y, %t[%i] : memref<8xf32>
    }
  }
  return
}

// Odd elements keep what they had.
func.func @every_other(%a: memref<6x8xf32>, %b: memref<6x8xf32>) {
  %t = memref.alloca() : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    affine.store %zero, %t[%i] : memref<8xf32>
  }
  affine.for %e = 0 to 6 {
    affine.for %i = 0 to 8 step 2 {
      %x = affine.load %a[%e, %i] : memref<6x8xf32>
      affine.store %x, %t[%i] : memref<8xf32>
    }
    affine.for %i = 0 to 8 {
      %y = affine.load %t[%i] : memref<8xf32>
      affine.store %y, %b[%e, %i] : memref<6x8xf32>
    }
  }
  return
}
