// test: roundtrip --allow-unregistered-dialect --split-input-file
// test: roundtrip --allow-unregistered-dialect --split-input-file --mlir-print-op-generic
// test: print --allow-unregistered-dialect --split-input-file
// test: print --allow-unregistered-dialect --split-input-file --mlir-print-local-scope
// Operations that differ in little: in the values they take, in what stands in
// their regions, in how deep they stand.

func.func @operands(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %b : i32
  %2 = arith.addi %0, %0 : i32
  %3 = arith.addi %b, %2 overflow<nsw> : i32
  %4 = arith.addi %1, %3 overflow<nsw> : i32
  return %4 : i32
}

// -----

func.func @regions(%c: i1, %n: index, %x: f32) -> f32 {
  scf.if %c {
    %0 = arith.addf %x, %x : f32
  }
  scf.if %c {
    %0 = arith.addf %x, %x : f32
  } else {
    %1 = arith.mulf %x, %x : f32
  }
  %r = scf.if %c -> (f32) {
    scf.yield %x : f32
  } else {
    %2 = scf.if %c -> (f32) {
      scf.yield %x : f32
    } else {
      %3 = arith.mulf %x, %x : f32
      scf.yield %3 : f32
    }
    scf.yield %2 : f32
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %4 = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 8)>(%i, %j)
    }
  }
  %s = affine.for %i = 0 to 8 iter_args(%t = %r) -> (f32) {
    %u = affine.for %j = 0 to 8 iter_args(%v = %t) -> (f32) {
      affine.yield %v : f32
    }
    affine.yield %u : f32
  } {unrolled}
  return %s : f32
}

// -----

func.func @masks(%m: vector<4xi1>, %v: vector<4xf32>, %w: vector<4xf32>) -> f32 {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %1 = vector.mask %m { vector.reduction <mul>, %w : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %2 = arith.addf %0, %1 : f32
  return %2 : f32
}

// -----

// A line break within a form is followed by the blanks of its depth.
func.func @switches(%n: index, %c: i1) {
  scf.index_switch %n
  case 1 {
    scf.yield
  }
  default {
    scf.yield
  }
  scf.if %c {
    scf.index_switch %n
    case 1 {
      scf.yield
    }
    default {
      scf.yield
    }
  }
  return
}
