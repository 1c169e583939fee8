// Loops that switch by a number: with results, with stores in the cases, and in tiles, of which
// each point switches by itself.
// test: run --entry=chosen --arg=iota --arg=zeros
// expect: arg 1 = [-1, -1, 20, -1, -1, 50, -1, -1]
// test: run --entry=stored --arg=iota --arg=zeros
// expect: arg 1 = [5, 11, 0, 33, 0, 0, 0, 0]
// test: run --entry=tied --arg=zeros
// expect: arg 0 = [1, 2, 3, 4, 5, 6, 7, 8]
// test: run --entry=tiled
func.func @chosen(%x: memref<8xindex>, %y: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xindex>
    %w = scf.index_switch %v -> i32
    case 2 {
      %a = arith.constant 20 : i32
      scf.yield %a : i32
    }
    case 5 {
      %a = arith.constant 50 : i32
      scf.yield %a : i32
    }
    default {
      %a = arith.constant -1 : i32
      scf.yield %a : i32
    }
    affine.store %w, %y[%i] : memref<8xi32>
  }
  return
}
func.func @stored(%x: memref<8xindex>, %y: memref<8xi32>) {
  %five = arith.constant 5 : i32
  %eleven = arith.constant 11 : i32
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xindex>
    scf.index_switch %v
    case 0 {
      affine.store %five, %y[%i] : memref<8xi32>
      scf.yield
    }
    case 1 {
      affine.store %eleven, %y[%i] : memref<8xi32>
      scf.yield
    }
    case 3 {
      %n = arith.constant 3 : i32
      %p = arith.muli %n, %eleven : i32
      affine.store %p, %y[%i] : memref<8xi32>
      scf.yield
    }
    default {
    }
  }
  return
}
func.func @tiled(%x: memref<64x64xindex>, %a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %v = affine.load %x[%i, %j] : memref<64x64xindex>
      %three = arith.constant 3 : index
      %k = arith.remui %v, %three : index
      %p = affine.load %a[%i, %j] : memref<64x64xf32>
      %w = scf.index_switch %k -> f32
      case 0 {
        %q = arith.mulf %p, %p : f32
        scf.yield %q : f32
      }
      case 1 {
        %q = arith.negf %p : f32
        scf.yield %q : f32
      }
      default {
        scf.yield %p : f32
      }
      affine.store %w, %b[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
// The loop stays in order: a case reads what the iteration before may have stored.
func.func @tied(%y: memref<8xi32>) {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  affine.store %one, %y[0] : memref<8xi32>
  affine.for %i = 1 to 8 {
    scf.index_switch %c0
    case 0 {
      %v = affine.load %y[%i - 1] : memref<8xi32>
      %w = arith.addi %v, %one : i32
      affine.store %w, %y[%i] : memref<8xi32>
      scf.yield
    }
    default {
    }
  }
  return
}
