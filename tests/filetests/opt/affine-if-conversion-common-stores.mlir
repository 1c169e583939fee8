// Stores with which both branches of a condition end go behind it.
// test: opt --affine-if-conversion
// test: run-opt --entry=loads --arg=random:1 --arg=random:2
// test: run-opt --entry=chain --arg=random:1 --arg=random:2
// test: run-opt --entry=two_and_a_result --arg=random:1 --arg=random:2
// test: run-opt --entry=affine_condition --arg=random:1 --arg=random:2
// test: run-opt --entry=stays --arg=random:1 --arg=random:2
// test: run-opt --entry=read_behind --arg=random:1 --arg=random:2

func.func @loads(%a: memref<9xf32>, %b: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %x = affine.load %a[%i] : memref<9xf32>
    %c = arith.cmpf olt, %x, %zero : f32
    scf.if %c {
      affine.store %zero, %b[%i] : memref<9xf32>
    } else {
      %y = affine.load %b[-%i + 8] : memref<9xf32>
      affine.store %y, %b[%i] : memref<9xf32>
    }
  }
  return
}

// if, else if, else.
func.func @chain(%a: memref<9xf32>, %b: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 9 {
    %x = affine.load %a[%i] : memref<9xf32>
    %low = arith.cmpf olt, %x, %zero : f32
    scf.if %low {
      affine.store %zero, %b[%i] : memref<9xf32>
    } else {
      %high = arith.cmpf ogt, %x, %half : f32
      scf.if %high {
        affine.store %half, %b[%i] : memref<9xf32>
      } else {
        affine.store %x, %b[%i] : memref<9xf32>
      }
    }
  }
  return
}

// Two stores, the second one to what the first one may have written, and a result that the
// condition has already.
func.func @two_and_a_result(%a: memref<9xf32>, %b: memref<9xindex>) {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  affine.for %i = 0 to 9 {
    %x = affine.load %a[%i] : memref<9xf32>
    %c = arith.cmpf olt, %x, %zero : f32
    %k = scf.if %c -> index {
      memref.store %x, %a[%c4] : memref<9xf32>
      %y = arith.negf %x : f32
      memref.store %y, %a[%i] : memref<9xf32>
      scf.yield %i : index
    } else {
      memref.store %zero, %a[%c4] : memref<9xf32>
      memref.store %x, %a[%i] : memref<9xf32>
      scf.yield %c4 : index
    }
    memref.store %k, %b[%i] : memref<9xindex>
  }
  return
}

#low = affine_set<(d0) : (-d0 + 3 >= 0)>
func.func @affine_condition(%a: memref<9xf32>, %b: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    affine.if #low(%i) {
      %x = affine.load %a[%i + 1] : memref<9xf32>
      affine.store %x, %b[%i] : memref<9xf32>
    } else {
      affine.store %zero, %b[%i] : memref<9xf32>
    }
  }
  return
}

// Other elements, elements that the branches choose, one branch alone.
func.func @stays(%a: memref<9xindex>, %b: memref<9xindex>) {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  affine.for %i = 0 to 9 {
    %x = affine.load %a[%i] : memref<9xindex>
    %c = arith.cmpi ugt, %x, %c9 : index
    scf.if %c {
      affine.store %c0, %b[%i] : memref<9xindex>
    } else {
      affine.store %c9, %b[-%i + 8] : memref<9xindex>
    }
    scf.if %c {
      %k = arith.remui %x, %c9 : index
      memref.store %c0, %b[%k] : memref<9xindex>
    } else {
      %k = arith.remui %x, %c9 : index
      memref.store %c9, %b[%k] : memref<9xindex>
    }
    scf.if %c {
      affine.store %c0, %b[%i] : memref<9xindex>
    }
  }
  return
}

// A load stands behind one of the stores.
func.func @read_behind(%a: memref<9xf32>, %b: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 9 {
    %x = affine.load %a[%i] : memref<9xf32>
    %c = arith.cmpf olt, %x, %zero : f32
    %y = scf.if %c -> f32 {
      affine.store %zero, %b[%i] : memref<9xf32>
      %y = affine.load %b[4] : memref<9xf32>
      scf.yield %y : f32
    } else {
      affine.store %x, %b[%i] : memref<9xf32>
      scf.yield %zero : f32
    }
    affine.store %y, %a[%i] : memref<9xf32>
  }
  return
}
