// Short branches without effects become selects; what may fault or is not there without the condition stays in its branch.
// test: opt --affine-branch-to-select=target=cpu
// test: run-opt --entry=masked --arg=random:1 --arg=random:2 --arg=zeros
// test: run-opt --entry=nested --arg=random:1 --arg=random:2
// test: run-opt --entry=tested --arg=random:1 --arg=random:2
// test: run-opt --entry=divided --arg=iota --arg=random:2
// test: run-opt --entry=with_effects --arg=random:1 --arg=random:2
// test: run-opt --entry=apart --arg=random:1
// test: run --entry=apart --arg=random:1
// test: run --entry=masked --arg=random:1 --arg=random:2 --arg=zeros
// test: run --entry=tested --arg=random:1 --arg=random:2
// test: run --entry=divided --arg=iota --arg=random:2

// The element is there whether the mask holds or not.
func.func @masked(%x: memref<9x70xf32>, %k: memref<9x70xi32>, %y: memref<9xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : i32
  affine.for %i = 0 to 9 {
    %s = affine.for %j = 0 to 70 iter_args(%a = %zero) -> (f32) {
      %m = affine.load %k[%i, %j] : memref<9x70xi32>
      %c = arith.cmpi sgt, %m, %c0 : i32
      %t = scf.if %c -> f32 {
        %v = affine.load %x[%i, %j] : memref<9x70xf32>
        %n = arith.addf %a, %v : f32
        scf.yield %n : f32
      } else {
        scf.yield %a : f32
      }
      affine.yield %t : f32
    }
    affine.store %s, %y[%i] : memref<9xf32>
  }
  return
}
func.func @nested(%x: memref<70xi32>, %y: memref<70xi32>) {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  affine.for %i = 0 to 70 {
    %v = affine.load %x[%i] : memref<70xi32>
    %c = arith.cmpi sgt, %v, %c0 : i32
    %r:2 = scf.if %c -> (i32, i32) {
      %d = arith.cmpi slt, %v, %c7 : i32
      %t = scf.if %d -> i32 {
        %w = arith.addi %v, %v : i32
        scf.yield %w : i32
      } else {
        scf.yield %c7 : i32
      }
      scf.yield %t, %v : i32, i32
    } else {
      %w = arith.subi %c0, %v : i32
      scf.yield %w, %c0 : i32, i32
    }
    %s = arith.muli %r#0, %r#1 : i32
    affine.store %s, %y[%i] : memref<70xi32>
  }
  return
}
// Without the test the index may lie outside.
func.func @tested(%x: memref<70xi32>, %y: memref<70xi32>) {
  %c0 = arith.constant 0 : index
  %c70 = arith.constant 70 : index
  %none = arith.constant -1 : i32
  affine.for %i = 0 to 70 {
    %k = affine.load %y[%i] : memref<70xi32>
    %at = arith.index_cast %k : i32 to index
    %from = arith.cmpi sge, %at, %c0 : index
    %to = arith.cmpi slt, %at, %c70 : index
    %c = arith.andi %from, %to : i1
    %t = scf.if %c -> i32 {
      %v = memref.load %x[%at] : memref<70xi32>
      scf.yield %v : i32
    } else {
      scf.yield %none : i32
    }
    affine.store %t, %y[%i] : memref<70xi32>
  }
  return
}
// The divisor may be 0.
func.func @divided(%x: memref<70xi32>, %y: memref<70xi32>) {
  %c0 = arith.constant 0 : i32
  affine.for %i = 0 to 70 {
    %v = affine.load %x[%i] : memref<70xi32>
    %w = affine.load %y[%i] : memref<70xi32>
    %c = arith.cmpi ne, %v, %c0 : i32
    %t = scf.if %c -> i32 {
      %q = arith.divsi %w, %v : i32
      scf.yield %q : i32
    } else {
      scf.yield %c0 : i32
    }
    affine.store %t, %y[%i] : memref<70xi32>
  }
  return
}
func.func @with_effects(%x: memref<70xi32>, %y: memref<70xi32>) {
  %c0 = arith.constant 0 : i32
  affine.for %i = 0 to 70 {
    %v = affine.load %x[%i] : memref<70xi32>
    %c = arith.cmpi sgt, %v, %c0 : i32
    %t = scf.if %c -> i32 {
      affine.store %c0, %x[%i] : memref<70xi32>
      scf.yield %v : i32
    } else {
      scf.yield %c0 : i32
    }
    affine.store %t, %y[%i] : memref<70xi32>
  }
  return
}
// The condition keeps iterations apart: the elements read are not those written.
func.func @apart(%x: memref<105xi32>) {
  %c0 = arith.constant 0 : i32
  %c35 = arith.constant 35 : index
  affine.for %i = 0 to 70 {
    %c = arith.cmpi sge, %i, %c35 : index
    %t = scf.if %c -> i32 {
      %v = affine.load %x[%i + 35] : memref<105xi32>
      scf.yield %v : i32
    } else {
      scf.yield %c0 : i32
    }
    affine.store %t, %x[%i] : memref<105xi32>
  }
  return
}
